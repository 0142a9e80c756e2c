import { type Address, type Doing, declared, type FileUse, type Invocation, open } from "../doing.ts";
import { type GivenOption, parseOptions } from "../options.ts";
import { fileUses, seenFiles } from "../program.ts";
import { type SeenOptions, seenOptions } from "../seen-options.ts";
import { knownWord, type Word } from "../word.ts";
import { given } from "./given.ts";
import { addressOfUrl, urlStart } from "./network-address.ts";

/** Options that neither read nor write files nor lead elsewhere. */
const FLAGS =
  "-s --silent -S --show-error -f --fail --fail-with-body -i --include -I --head -v --verbose -k --insecure -G --get -0 --http1.0 --http1.1 --http2 " +
  "--http2-prior-knowledge -4 --ipv4 -6 --ipv6 -# --progress-bar --no-progress-meter --compressed -g --globoff --path-as-is --raw --tcp-nodelay " +
  "--tlsv1.2 --tlsv1.3 -1 --tlsv1 -N --no-buffer --retry-connrefused --retry-all-errors --create-dirs -R --remote-time -j --junk-session-cookies -a " +
  "--append -Z --parallel --basic --digest --anyauth --ssl-reqd --no-keepalive --fail-early --show-headers --no-compressed --no-silent -q --disable " +
  "-L --location --location-trusted -O --remote-name --remote-name-all -J --remote-header-name -n --netrc";

const TEXT =
  "-X --request -A --user-agent -e --referer -u --user -m --max-time --connect-timeout --retry --retry-delay --retry-max-time --max-redirs -r --range " +
  "-C --continue-at --limit-rate -y --speed-time -Y --speed-limit --data-raw --form-string --url-query --max-filesize --oauth2-bearer --keepalive-time " +
  "--parallel-max --expect100-timeout --ciphers --tls-max --rate --request-target --aws-sigv4";

const READS = "-T --upload-file --cacert -E --cert --key --netrc-file --etag-compare";
const WRITES = "-o --output -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --libcurl --etag-save";
/** A text, or `@file`. */
const DATA = "-d --data --data-ascii --data-binary --json -H --header --proxy-header --data-urlencode -F --form";

/** `curl`: `declared` when each option and URL is plain, and no answer of a server can send it elsewhere. */
export function curl({ args }: Invocation): Doing {
  if (args.length === 1 && args[0]?.known && /^(?:-V|--version|-h|--help|-M|--manual)$/.test(args[0].value)) return declared();
  const names = {
    flags: FLAGS,
    values: [TEXT, READS, WRITES, DATA, "--url --output-dir -b --cookie -w --write-out -z --time-cond"].join(" "),
    abbreviated: false,
  };
  const parsed = parseOptions(args, names);
  if (!parsed.ok) {
    const why = `\`curl\` may go, read or write elsewhere: ${parsed.problem}`;
    return open({
      network: seen(args),
      files: seenIn(seenOptions(args, { ...names, values: `${names.values} -K --config` })),
      unknown: why,
    });
  }
  const { options, operands } = parsed;
  const urls = [...operands, ...values(options, "--url")];
  const places = urls.map((url) => placeOf(url, given(options, "-g --globoff")));
  if (places.includes(null))
    return open({ network: seen(args), files: seenIn(parsed), unknown: "`curl` goes to a host that cannot be told" });
  const files: readonly FileUse[] | null = filesOf(options, urls);
  if (files === null)
    return open({ network: seen(args), files: seenIn(parsed), unknown: "which files `curl` reads or writes cannot be told" });
  const network = places.flatMap((place) => (place && "host" in place ? [place] : []));
  const local = places.flatMap((place) => (place && "file" in place ? fileUses("read", knownWord(place.file)) : []));
  // an answer names the next host, or the file
  const isLed = given(options, "-L --location --location-trusted -J --remote-header-name");
  return (isLed ? open : declared)({ network, files: [...local, ...files] });
}

/** Files that can be seen in words that are not understood as a whole, each option for itself. */
function seenIn({ options, operands }: SeenOptions): readonly FileUse[] {
  const folders = options.filter(({ name }) => name === "--output-dir");
  const each = options.flatMap((option) => filesOf([...folders, option], operands) ?? []);
  return seenFiles([...each, ...values(options, "-K --config").flatMap((path) => fileUses("read", path))]);
}

function values(options: readonly GivenOption[], names: string): readonly Word[] {
  return options.flatMap(({ name, value }) => (value !== null && names.split(" ").includes(name) ? [value] : []));
}

/** Hosts that can be seen in words that are not understood as a whole. */
function seen(args: readonly Word[]): readonly Address[] {
  return args.flatMap((word) => {
    const address = word.known ? addressOfUrl(word.value) : null;
    return address ? [address] : [];
  });
}

function placeOf(url: Word, isLiteral: boolean): Address | { readonly file: string } | null {
  if (!url.known) {
    const start = urlStart(url);
    return start === null ? null : addressOfUrl(start);
  }
  const text = url.value;
  // a file with URLs
  if (text.startsWith("@")) return null;
  // curl makes several URLs of braces and brackets
  const [, authority = ""] = /^(?:[a-z]+:\/\/)?([^/?#]*)/i.exec(text) ?? [];
  if (!isLiteral && /[{}]|\[(?![0-9a-f:.]+\](?::\d+)?$)/i.test(authority)) return null;
  const file = /^file:\/\/(?:localhost)?(\/[^?#]*)$/i.exec(text)?.[1];
  if (file !== undefined) return /[%{}[\]\\]/.test(file) ? null : { file };
  if (/^https?:\/\//i.test(text)) return addressOfUrl(text);
  if (/^[a-z]+:\/\//i.test(text)) return null;
  const address = addressOfUrl(`http://${text}`);
  // without a scheme the name of the host can choose one
  return address && /^(?:ftp|dict|ldap|imap|smtp|pop3)\./.test(address.host) ? null : address;
}

/** `null`: they cannot be told. */
function filesOf(options: readonly GivenOption[], urls: readonly Word[]): readonly FileUse[] | null {
  const uses: FileUse[] = [];
  const folder = values(options, "--output-dir").at(-1);
  const into = (name: string): Word | null => (folder ? (folder.known ? knownWord(`${folder.value}/${name}`) : null) : knownWord(name));
  for (const { name, value } of options) {
    if (value === null) continue;
    if (isOf(READS, name)) {
      const isPlain = value.known && !/[{}[\]]/.test(value.value);
      // several files, and a certificate's password behind a colon
      if (!isPlain) return null;
      const path = /^(?:-E|--cert)$/.test(name) ? withoutPassword(value.value) : value.value;
      if (path !== ".") uses.push(...fileUses("read", knownWord(path)));
    } else if (isOf(WRITES, name)) {
      const isOutput = name === "-o" || name === "--output";
      if (isOutput && value.known && value.value.includes("#")) return null;
      const path = !isOutput || value.known === false || value.value === "-" || value.value.startsWith("/") ? value : into(value.value);
      if (path === null || (!value.known && folder)) return null;
      if (!(value.known && value.value === "%")) uses.push(...fileUses("write", path));
    } else if (isOf(DATA, name)) {
      const path = dataFile(name, value);
      if (path === null) return null;
      uses.push(...path.flatMap((word) => fileUses("read", word)));
    } else if (name === "-b" || name === "--cookie") {
      if (!value.known) return null;
      if (!value.value.includes("=")) uses.push(...fileUses("read", value));
    } else if (name === "-w" || name === "--write-out") {
      // a format may stand in a file, and name files to write to
      if (!value.known || /^@|%output/i.test(value.value)) return null;
    } else if (name === "-z" || name === "--time-cond") {
      if (!value.known) return null;
      uses.push(...fileUses("stat", knownWord(value.value.replace(/^[-+=]/, ""))));
    }
  }
  if (!given(options, "-O --remote-name --remote-name-all")) return uses;
  for (const url of urls) {
    const name = url.known ? (/\/([^/?#]+)(?:[?#].*)?$/.exec(url.value.replace(/^[a-z]+:\/\//i, ""))?.[1] ?? "") : "";
    const path = into(name);
    if (name === "" || path === null || /[{}[\]%\\]/.test(name)) return null;
    uses.push(...fileUses("write", path));
  }
  return uses;
}

/** A certificate as curl takes it: a password may stand behind a colon. */
function withoutPassword(certificate: string): string {
  const colon = certificate.indexOf(":", certificate.lastIndexOf("/") + 1);
  return colon === -1 ? certificate : certificate.slice(0, colon);
}

/** Files that a value with text or `@file` names; `null`: it cannot be told. */
function dataFile(name: string, value: Word): readonly Word[] | null {
  const isForm = name === "-F" || name === "--form";
  if (!value.known) {
    // what surely begins as text stays text
    return !isForm && name !== "--data-urlencode" && /^[^@]/.test(value.prefix) ? [] : null;
  }
  const text = value.value;
  if (isForm) {
    const [, part = ""] = /^[^=]*=([\s\S]*)$/.exec(text) ?? [];
    if (!/^[@<]/.test(part)) return /[;=]@|headers=/i.test(part) ? null : [];
    // several files, quotes, and headers from a file
    return /[,"\\]|;headers/i.test(part) ? null : [knownWord(part.slice(1).replace(/;[\s\S]*$/, ""))];
  }
  const named = name === "--data-urlencode" ? /^[^=@]*@([\s\S]*)$/ : /^@([\s\S]*)$/;
  const [, file] = named.exec(text) ?? [];
  return file === undefined ? [] : [knownWord(file)];
}

function isOf(names: string, name: string): boolean {
  return names.split(" ").includes(name);
}
