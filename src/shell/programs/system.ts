/** Programs that tell about the machine, its users, processes and settings, and those that only print or wait. */
import { type Doing, declared, type Invocation, open, type Program } from "../doing.ts";
import { parseOptions } from "../options.ts";
import { plainProgram } from "../program.ts";
import type { Word } from "../word.ts";
import { ps } from "./ps.ts";
import { SYSTEM_SETTINGS } from "./system-settings.ts";
import type { Family } from "./table.ts";

/** Whatever its words are, it only prints, waits or tells by its status. */
const harmless: Program = () => declared();

/** Only with these options, and no operand. */
function teller(flags: string, values = ""): Program {
  return plainProgram({ flags: `${flags} --help --version`, ...(values === "" ? {} : { values: { [values]: "text" } }), operands: "none" });
}

/** Only with these options; its operands are names that it looks up. */
function lookUp(flags: string, values = ""): Program {
  return plainProgram({ flags: `${flags} --help --version`, ...(values === "" ? {} : { values: { [values]: "text" } }) });
}

/** An operand that is no format sets the clock, and so does -s. With -j it does not, where that is known. */
const date: Program = ({ args }): Doing => {
  const parsed = parseOptions(args, {
    flags: "-j -n -R -u --rfc-email --rfc-2822 --utc --universal --debug --resolution --help --version",
    values: "-d -f -r -v --date --file --reference --rfc-3339",
    optional: "-I --iso-8601",
    special: /^-v[-+]?\d+[a-zA-Z]$/,
  });
  if (!parsed.ok) return open();
  const { options, operands } = parsed;
  const given = (...names: readonly string[]): readonly Word[] =>
    options.flatMap(({ name, value }) => (value && names.includes(name) ? [value] : []));
  const isUnset = options.some(({ name }) => name === "-j");
  if (!isUnset && !operands.every((word) => word.known && word.value.startsWith("+"))) return open();
  const lists = isUnset ? [] : given("-f", "--file");
  // such a list is a format to a version that sets the clock by it
  if (lists.length > 0 && operands.length > 1) return open();
  const [format] = operands;
  const isNumber = operands.length === 1 && format?.known && format.value === "+%s" && lists.length === 0;
  return declared({
    files: [
      ...lists.filter((path) => !(path.known && path.value === "-")).map((path) => ({ access: "read", path }) as const),
      ...given("-r", "--reference").map((path) => ({ access: "stat", path }) as const),
    ],
    ...(isNumber ? { prints: { kind: "unknown", numbers: true } as const } : {}),
  });
};

/** Exactly what `echo` prints, when no version could take its words otherwise. */
const echo: Program = ({ args }): Doing => {
  const words = args.flatMap((word) => (word.known ? [word.value] : []));
  if (words.length < args.length || words.some((word) => word.includes("\\")) || words[0]?.startsWith("-")) return declared();
  return declared({ prints: { kind: "text", text: `${words.join(" ")}\n` } });
};

/** In bash `-v` names a variable, and computes its subscript. */
const printf: Program = ({ args }): Doing => {
  const [format, ...values] = args;
  if (!format) return declared();
  if (format.known ? /^-./.test(format.value) && format.value !== "--" : !isSurelyText(format)) return open();
  const known = values.flatMap((word) => (word.known ? [word.value] : []));
  if (!format.known || known.length < values.length || values.length === 0) return declared();
  const [, end] = /^%s(\\n|\\0)?$/.exec(format.value) ?? ["", null];
  if (end === null) return declared();
  const mark = end === "\\n" ? "\n" : end === "\\0" ? "\0" : "";
  return declared({ prints: { kind: "text", text: known.map((value) => `${value}${mark}`).join("") } });
};

function isSurelyText(word: Exclude<Word, { known: true }>): boolean {
  return /^[^-]/.test(word.prefix) && (word.single || word.below !== undefined);
}

const NUMBER = /^[-+]?\d+$/;

/** Numbers, unless it is told a format. */
const seq: Program = ({ args }: Invocation): Doing => {
  const areNumbers = args.length > 0 && args.every((word) => (word.known ? NUMBER.test(word.value) : word.number === true));
  return declared(areNumbers ? { prints: { kind: "unknown", numbers: true } } : {});
};

const numbersOf =
  (program: Program, isNumber: (words: readonly string[]) => boolean): Program =>
  (invocation) => {
    const doing = program(invocation);
    const words = invocation.args.map((word) => (word.known ? word.value : "?"));
    return doing.sure === "declared" && isNumber(words) ? { ...doing, prints: { kind: "unknown", numbers: true } } : doing;
  };

// `init`, `reset` and -S can run a program that the terminal's description names
const tput = plainProgram({
  values: { "-T": "text" },
  unless: (_, operands) => (operands.every((word) => word.known && /^(?!init$|reset$)[a-z_A-Z0-9]+$/.test(word.value)) ? null : open()),
});

// a name in a filter is asked for at a name server; -K ends connections, -D writes them, -r asks for names
const ss = plainProgram({
  flags:
    "-0 -4 -6 -a -b -e -H -h -i -l -m -M -n -o -O -p -Q -s -S -t -T -u -V -w -x -z -Z --all --extended --help --info --ipv4 --ipv6 --listening --memory " +
    "--no-header --numeric --oneline --options --packet --processes --raw --summary --tcp --udp --unix --version",
  values: { "-f -A --family --query": "text" },
  unless: (_, operands) =>
    operands.every(
      (word) =>
        word.known && /^(?:state|sport|dport|and|or|not|==?|!=|[(!)]|:[0-9]+|established|listening|connected|all)$/.test(word.value),
    )
      ? null
      : open(),
});

// without -n the other ends of connections are asked for at a name server
const netstat = plainProgram({
  flags:
    "-4 -6 -a -A -b -c -e -F -g -i -l -L -n -o -p -r -s -S -t -T -u -v -w -W -x --all --continuous --extend --groups --help --interfaces --listening " +
    "--numeric --program --raw --route --statistics --tcp --timers --udp --unix --verbose --version --wide",
  values: { "-f -I": "text" },
  unless: (options) => (options.some(({ name }) => name === "-n" || name === "--numeric") ? null : open()),
});

const pgrep = plainProgram({
  flags:
    "-a -c -f -i -l -L -n -o -q -v -w -x --count --full --ignore-case --inverse --lightweight --list-full --list-name --newest --oldest --exact --help --version",
  values: {
    "-d -g -G -P -r -s -t -u -U --delimiter --euid --group --parent --pgroup --runstates --session --terminal --uid": "text",
    "-F --pidfile": "read",
  },
});

/** Other databases, such as `hosts`, are asked for over the network. */
const getent = plainProgram({
  unless: (_, [database]) => (database?.known && /^(?:passwd|group|services|protocols|rpc|shells)$/.test(database.value) ? null : open()),
});

/** Without words it prints; with most others it changes the terminal. */
const stty: Program = ({ args }) => {
  const areHarmless = args.every((word) => word.known && /^(?:-a|-g|--all|--save|size|speed)$/.test(word.value));
  return areHarmless ? declared() : open();
};

/** One version runs the command that it is given. */
const arch: Program = ({ args }) => (args.length === 0 ? declared() : open());

const who = plainProgram({
  flags:
    "-a -b -d -H -l -m -p -q -r -s -t -T -u -w --all --boot --count --dead --heading --login --mesg --message --process --runlevel --short --time --users " +
    "--writable --help --version",
  operands: "read",
});

export const SYSTEM: Family = {
  ...SYSTEM_SETTINGS,
  date,
  // other options ask a name server, or set the name
  hostname: teller("-I -s --all-ip-addresses --short -V"),
  uname: teller(
    "-a -i -m -n -o -p -r -s -v --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system",
  ),
  arch,
  id: numbersOf(
    lookUp("-A -a -F -g -G -n -p -P -r -u -z -Z --context --group --groups --name --real --user --zero"),
    (words) => words.length > 0 && words.every((word) => /^-(?:[ugGr]+|-user|-group|-groups|-real)$/.test(word)),
  ),
  whoami: harmless,
  logname: harmless,
  groups: harmless,
  hostid: harmless,
  users: plainProgram({ flags: "--help --version", operands: "read" }),
  who,
  w: lookUp("-c -f -h -i -n -o -p -s -u -V --from --no-header --no-current --short --old-style --pids"),
  uptime: teller("-p -r -s -V --pretty --since --raw"),
  printenv: lookUp("-0 --null"),
  ps,
  top: () => open(),
  free: teller(
    "-b -g -h -k -l -L -m -t -v -V -w --bytes --kibi --mebi --gibi --tebi --kilo --mega --giga --tera --human --si --lohi --line --total --wide --committed",
    "-c -s --count --seconds",
  ),
  vmstat: lookUp(
    "-a -d -D -f -m -n -s -t -w -y -V --active --disk --disk-sum --forks --slabs --one-header --stats --timestamp --wide",
    "-S -p --unit --partition",
  ),
  lscpu: plainProgram({
    flags: "-a -b -B -c -C -J -r -x -y -V --all --online --bytes --offline --json --hex --physical --output-all --raw --help --version",
    optional: { "-e -p --extended --parse --caches --hierarchic": "text" },
    operands: "none",
  }),
  lsblk: plainProgram({
    flags:
      "-a -A -b -D -d -f -i -J -l -m -M -N -n -O -p -P -r -s -S -t -v -V -y -z --all --bytes --ascii --discard --nodeps --fs --json --list --perms " +
      "--noheadings --output-all --paths --pairs --raw --inverse --scsi --topology --zoned --help --version",
    values: { "-e -E -I -o -T -w -x --exclude --dedup --include --output --sort --width": "text" },
    operands: "stat",
  }),
  nproc: numbersOf(teller("--all", "--ignore"), (words) => words.every((word) => word === "--all" || word.startsWith("--ignore"))),
  getconf: plainProgram({ flags: "-a", operands: ["text", "stat"] }),
  locale: lookUp("-a -c -k -m -v --all-locales --category-name --charmaps --keyword-name --verbose"),
  tty: harmless,
  stty,
  sleep: harmless,
  true: harmless,
  false: harmless,
  echo,
  printf,
  yes: harmless,
  seq,
  clear: lookUp("-V -x", "-T"),
  tput,
  cal: harmless,
  ncal: harmless,
  dmesg: () => open(),
  netstat,
  ss,
  kill: () => open(),
  pgrep,
  getent,
};
