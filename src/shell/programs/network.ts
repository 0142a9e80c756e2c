/** Programs that go to the network. Hosts are named where they are plain to see; all but `curl` and `openssl` are `open` whatever they do. */
import { type Address, type Doing, declared, type FileUse, type Invocation, open, type Program, type Run } from "../doing.ts";
import { type GivenOption, type OptionNames, parseOptions } from "../options.ts";
import { fileUses, type Role, seenFiles } from "../program.ts";
import { type SeenOptions, seenOptions } from "../seen-options.ts";
import { isSurelyNoOption, knownWord, type Word } from "../word.ts";
import { curl } from "./curl.ts";
import { given, valuesOf } from "./given.ts";
import { addressOfAuthority, addressOfUrl, hostOfCopy, urlStart } from "./network-address.ts";
import { openssl } from "./openssl.ts";
import type { Family } from "./table.ts";
import { namedProgram, shellText } from "./told.ts";

/** Nothing but `--version` or its like, which prints. */
function isVersion([first, second]: readonly Word[], form = /^--(?:version|help)$/): boolean {
  return second === undefined && first?.known === true && form.test(first.value);
}

function cannotTell(name: string, why: string): Doing {
  return open({ unknown: `\`${name}\` ${why}` });
}

function uses(role: Role, words: readonly Word[]): readonly FileUse[] {
  return words.flatMap((word) => fileUses(role, word));
}

function plainAddress(word: Word | undefined, port: number): Address | null {
  return word?.known ? addressOfAuthority(word.value, port) : null;
}

/** `wget` follows what servers answer to other hosts, and so is `open`. */
function wget({ name, args }: Invocation): Doing {
  if (isVersion(args, /^(?:-V|-h|--version|--help)$/)) return declared();
  const parsed = parseOptions(args, WGET);
  if (!parsed.ok) {
    const doing = fetched(
      seenOptions(args, { ...WGET, values: `${WGET.values} -e --execute --use-askpass -B --base --config --warc-file` }),
    );
    return {
      ...cannotTell(name, `is given what can make it run a program: ${parsed.problem}`),
      files: doing.files,
      network: doing.network,
    };
  }
  return fetched(parsed);
}

const WGET = {
  flags:
    "-q --quiet -v --verbose -nv --no-verbose -c --continue -N --timestamping -S --server-response -x --force-directories -r --recursive -p -k -m " +
    "--page-requisites --convert-links --mirror -np --no-parent -nc --no-clobber -nd --no-directories -nH --no-host-directories -E -4 -6 -b --spider " +
    "--no-check-certificate --show-progress --https-only --content-disposition --no-cookies --no-cache --content-on-error --no-hsts --no-config -L",
  values:
    "-O --output-document -P --directory-prefix -o --output-file -a --append-output -i --input-file -U --user-agent --header -t --tries -T --timeout " +
    "-w --wait -Q --quota -l --level -A --accept -R --reject -D --domains --limit-rate --user --password --post-data --post-file --body-data " +
    "--body-file --method --referer --load-cookies --save-cookies --ca-certificate --certificate --private-key --max-redirect --progress --cut-dirs",
  special: /^-(?:nv|np|nc|nd|nH)$/,
};

function fetched({ options, operands }: SeenOptions): Doing {
  const addresses = operands.map((word) => {
    const url = word.known ? word.value : urlStart(word);
    return url === null ? null : addressOfUrl(url.includes("://") ? url : `http://${url}`);
  });
  const into = valuesOf(options, "-P --directory-prefix").at(-1);
  const target = valuesOf(options, "-O --output-document").at(-1);
  const isTree = given(
    options,
    "-r --recursive -m --mirror -p --page-requisites -x --force-directories -i --input-file --content-disposition",
  );
  const files = [
    ...(target ? fileUses("write", target) : given(options, "--spider") ? [] : downloads(operands, { into, isTree })),
    ...uses("write", valuesOf(options, "-o --output-file -a --append-output --save-cookies")),
    ...uses(
      "read",
      valuesOf(options, "-i --input-file --post-file --body-file --load-cookies --ca-certificate --certificate --private-key"),
    ),
  ];
  const network = addresses.flatMap((address) => (address === null ? [] : [address]));
  return open({ files, network, unknown: addresses.includes(null) ? "`wget` goes to a host that cannot be told" : null });
}

function downloads(urls: readonly Word[], { into, isTree }: { into: Word | undefined; isTree: boolean }): readonly FileUse[] {
  const folder = into ?? knownWord(".");
  if (isTree) return fileUses("new_tree", folder);
  return urls.flatMap((url) => {
    const [, file = ""] = url.known ? (/^(?:[a-z]+:\/\/)?[^/?#]*\/(?:[^?#]*\/)?([^/#]*)/i.exec(url.value) ?? []) : [];
    if (!url.known || !folder.known) return fileUses("new_tree", folder);
    return fileUses("write", knownWord(`${folder.value}/${file === "" ? "index.html" : file}`));
  });
}

interface Remote extends OptionNames {
  readonly port: number;
  /** The option that gives the port. */
  readonly portOption?: string;
  /** Options that are not listed elsewhere, and name the program that it connects by. */
  readonly running?: string;
}

/** Options of OpenSSH whose values run nothing, by `-o`. */
const HARMLESS_SETTING =
  /^(?:stricthostkeychecking|batchmode|connecttimeout|connectionattempts|serveraliveinterval|serveralivecountmax|loglevel|compression|user|port|passwordauthentication|preferredauthentications|numberofpasswordprompts|addressfamily|requesttty|identitiesonly)[ =]/i;

/** `ssh`: what runs at the other end is not for these rules. */
function ssh(
  { port, portOption = "-p", running = "", ...names }: Remote,
  hostsOf: (operands: readonly Word[]) => readonly Word[],
): Program {
  return ({ name, args }) => {
    if (isVersion(args, /^-V$/)) return declared();
    const parsed = parseOptions(args, names);
    if (!parsed.ok) {
      const seen = seenOptions(args, { ...names, values: `${names.values ?? ""} ${running} -F -J -O -Q` });
      const why = `is given what can make it run a program: ${parsed.problem}`;
      return { ...cannotTell(name, why), ...seenOfCopy(name, seen), runs: runsOf(seen.options, running) };
    }
    const settings = valuesOf(parsed.options, "-o");
    if (!settings.every((word) => word.known && HARMLESS_SETTING.test(word.value)))
      return { ...cannotTell(name, "is given settings that can run programs"), ...seenOfCopy(name, parsed), runs: settingRuns(settings) };
    const written = valuesOf(parsed.options, portOption).at(-1);
    const number = written === undefined ? port : written.known && /^\d{1,5}$/.test(written.value) ? Number(written.value) : null;
    const hosts = hostsOf(parsed.operands).map((word) => (number === null ? null : remoteAddress(word, number)));
    if (hosts.includes(null)) return cannotTell(name, "goes to a host that cannot be told");
    const files = [
      ...uses("read", valuesOf(parsed.options, "-i")),
      ...uses("write", valuesOf(parsed.options, "-E")),
      ...copied(name, parsed.operands),
    ];
    return open({ network: hosts.flatMap((host) => host ?? []), files });
  };
}

/** What can be seen of a copy that is not understood as a whole. */
function seenOfCopy(name: string, { options, operands }: SeenOptions): Pick<Doing, "files" | "network"> {
  const files = [...uses("read", valuesOf(options, "-i")), ...uses("write", valuesOf(options, "-E")), ...copied(name, operands)];
  const places = name === "ssh" ? operands.slice(0, 1) : remoteHosts(operands);
  return {
    files: name === "rsync" ? seenFiles(copied(name, operands)) : seenFiles(files),
    network: places.flatMap((word) => remoteAddress(word, 22) ?? []),
  };
}

/** Programs that it connects by, each with words that are not known. */
function runsOf(options: readonly GivenOption[], running: string): readonly Run[] {
  return [...valuesOf(options, running).map((text) => namedProgram(text)), ...settingRuns(valuesOf(options, "-o"))];
}

/** What settings of OpenSSH make it run here. */
function settingRuns(settings: readonly Word[]): readonly Run[] {
  return settings.flatMap((word) => {
    const [, text] = (word.known && /^(?:proxycommand|localcommand|knownhostscommand)(?:\s*=\s*|\s+)([\s\S]+)$/i.exec(word.value)) || [];
    return text === undefined ? [] : [shellText(knownWord(text))];
  });
}

function remoteHosts(operands: readonly Word[]): readonly Word[] {
  return operands.filter((word) => (word.known ? isRemote(word.value) : !word.below?.every((path) => !path.includes(":"))));
}

function isRemote(operand: string): boolean {
  return hostOfCopy(operand) !== null || /^[a-z]+:\/\//i.test(operand);
}

/** `host`, `host:path`, or a URL; `null` also for the modules of a server, `host::module`. */
function remoteAddress(word: Word, port: number): Address | null {
  if (!word.known) return null;
  if (/^[a-z]+:\/\//i.test(word.value)) return addressOfUrl(word.value);
  return addressOfAuthority(hostOfCopy(word.value) ?? word.value, port);
}

/** Local files of a copy: the last operand is where to. */
function copied(name: string, operands: readonly Word[]): readonly FileUse[] {
  if (name !== "scp" && name !== "rsync") return [];
  return operands.flatMap((word, at) => {
    if (word.known && isRemote(word.value)) return [];
    return fileUses(at === operands.length - 1 && at > 0 ? "new_tree" : "folder", word);
  });
}

/** Programs of which only the host can be said: the operand that is neither an option nor, as far as is known, the value of one. */
function toHost(port: number, valued = "", portIs: "fixed" | "second" = "second"): Program {
  return ({ args }) => {
    const takes = valued.split(" ");
    const operands = args.filter((word, at) => {
      const before = args[at - 1];
      return isSurelyNoOption(word) && !(before?.known && takes.includes(before.value));
    });
    const [host, second] = operands;
    const address = plainAddress(
      host,
      portIs === "second" && second?.known && /^\d{1,5}$/.test(second.value) ? Number(second.value) : port,
    );
    return open({ network: address ? [address] : [] });
  };
}

/** `nc HOST PORT`. With `-e` and `-c` it runs a program for whoever connects. */
function netcat({ name, args }: Invocation): Doing {
  const parsed = parseOptions(args, {
    flags: "-4 -6 -k -l -n -N -r -t -u -v -z -D -S -U",
    values: "-I -i -M -m -O -P -p -q -s -T -V -w -W -X -x",
  });
  if (!parsed.ok) return cannotTell(name, "is given what, for some, makes it run a program");
  const [host, port] = parsed.operands;
  if (given(parsed.options, "-l -U -x -X")) return open();
  const number = port?.known && /^\d{1,5}$/.test(port.value) ? Number(port.value) : null;
  const address = number === null ? null : plainAddress(host, number);
  return address ? open({ network: [address] }) : cannotTell(name, "goes to a host or port that cannot be told");
}

/** `socat` joins two addresses, of which many kinds run programs. */
function socat({ name, args }: Invocation): Doing {
  if (isVersion(args, /^(?:-V|-h)$/)) return declared();
  const operands = args.filter((word) => !(word.known && word.value.startsWith("-") && word.value !== "-"));
  const network = operands.map((word): Address | null | "none" => {
    if (!word.known) return null;
    if (/^(?:-|stdio|stdin|stdout)$/i.test(word.value)) return "none";
    const [, host = "", port = ""] = /^(?:tcp[46]?|udp[46]?|openssl|ssl)(?:-connect)?:([^,:]+|\[[^\]]+\]):(\d+)$/i.exec(word.value) ?? [];
    return addressOfAuthority(host, Number(port));
  });
  if (network.includes(null)) return cannotTell(name, "is given an address that can run a program or open a file");
  return open({ network: network.flatMap((address) => (address === null || address === "none" ? [] : [address])) });
}

/** `dig @server name`: the server is asked, and through it those of the name. */
function dig({ args }: Invocation): Doing {
  const server = args.find((word) => word.known && word.value.startsWith("@"));
  const address = server?.known ? addressOfAuthority(server.value.slice(1), 53) : null;
  return open({ network: address ? [address] : [] });
}

const SSH_FLAGS = "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y";

export const NETWORK: Family = {
  curl,
  wget,
  openssl,
  ssh: ssh({ port: 22, flags: SSH_FLAGS, values: "-p -o -l -i -b -c -e -m -E -W -L -R -D -w -B", mixed: false }, (operands) =>
    operands.slice(0, 1),
  ),
  scp: ssh(
    { port: 22, portOption: "-P", flags: "-3 -4 -6 -A -B -C -O -p -q -R -r -T -v", values: "-P -o -i -c -l -X", running: "-S" },
    remoteHosts,
  ),
  sftp: ssh(
    { port: 22, portOption: "-P", flags: "-4 -6 -A -a -C -f -N -p -q -r -v", values: "-P -o -i -c -l -B -R -X", running: "-S" },
    (operands) => (remoteHosts(operands).length > 0 ? remoteHosts(operands) : operands.slice(0, 1)),
  ),
  rsync: ssh(
    {
      port: 22,
      portOption: "--port",
      flags:
        "-v --verbose -q --quiet -c --checksum -a --archive -r --recursive -R --relative -u --update -l --links -L --copy-links -p --perms -o --owner " +
        "-g --group -D -t --times -H -A -X -E -n --dry-run -W --whole-file -x --existing --ignore-existing --delete --delete-after --delete-before " +
        "--delete-excluded --force --partial -P --progress -z --compress -h --human-readable -i --itemize-changes --stats --inplace -S --sparse",
      running: "-e --rsh",
      values: "--port --exclude --include -f --filter --max-size --min-size --timeout --bwlimit --info --out-format",
    },
    remoteHosts,
  ),
  nc: netcat,
  ncat: netcat,
  netcat,
  socat,
  telnet: toHost(23, "-l -b"),
  ftp: toHost(21, "-P -N -T"),
  // neither has a port: these are those of `echo` by the registry, and the first one that is tried
  ping: toHost(7, "-c -i -W -w -s -I -t -m -l -p -Q -S -M", "fixed"),
  ping6: toHost(7, "-c -i -W -w -s -I -t -m -l -p -Q -S -M", "fixed"),
  traceroute: toHost(33_434, "-m -w -q -p -f -i -s", "fixed"),
  host: toHost(53, "-t -c -N -R -W -m"),
  nslookup: toHost(53),
  dig,
};
