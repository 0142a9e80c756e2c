/** Programs that run the rest of their words, or a text, as a command. What they run is judged as if it stood in the script. */
import { type Doing, declared, type Invocation, open, type Program, type Run } from "../doing.ts";
import { parseOptions } from "../options.ts";
import { fileUses } from "../program.ts";
import { knownWord } from "../word.ts";
import { given } from "./given.ts";
import { lastValue, notUnderstood, type Runner, runner } from "./runner.ts";
import { SHELLS } from "./shells.ts";
import type { Family } from "./table.ts";
import { WRAPPERS } from "./wrappers.ts";
import { xargs } from "./xargs.ts";

/** Words such as `NAME=value` before a command, and the command. */
function env({ args, name }: Invocation): Doing {
  const parsed = parseOptions(args, {
    flags: "-i --ignore-environment -0 --null -v --debug --list-signal-handling",
    values: "-u --unset -C --chdir -S --split-string",
    optional: "--block-signal --default-signal --ignore-signal",
    mixed: false,
  });
  if (!parsed.ok) return notUnderstood(name, parsed.problem);
  const { options } = parsed;
  let { operands } = parsed;
  const assigns: string[] = [];
  const [split, ...more] = options.filter(({ name: option }) => option === "-S" || option === "--split-string");
  if (more.length > 0) return notUnderstood(name, "its words are split twice");
  if (split?.value) {
    if (!split.value.known || /[\\'"#$]/.test(split.value.value)) return notUnderstood(name, "the text that it splits is not plain");
    operands = [
      ...split.value.value
        .split(/[ \t\n\v\f\r]+/)
        .filter((word) => word !== "")
        .map(knownWord),
      ...operands,
    ];
    if (operands[0]?.known && operands[0].value.startsWith("-")) return notUnderstood(name, "the text that it splits holds options");
  }
  const isBare = operands[0]?.known === true && operands[0].value === "-";
  if (isBare) operands = operands.slice(1);
  // an empty environment lacks what the programs after it rely on, too
  if (isBare || given(options, "-i --ignore-environment")) assigns.push("PATH", "GIT_CONFIG_COUNT");
  for (const { value } of options.filter(({ name: option }) => option === "-u" || option === "--unset")) {
    if (!value?.known) return notUnderstood(name, "which variable it takes away is not known");
    assigns.push(value.value);
  }
  const at = operands.findIndex((word) => !(word.known ? word.value : word.single ? word.prefix : "").includes("="));
  const end = at === -1 ? operands.length : at;
  for (const word of operands.slice(0, end)) assigns.push((word.known ? word.value : word.prefix).replace(/=[\s\S]*/, ""));
  const words = operands.slice(end);
  const [first] = words;
  if (!first) return declared();
  if (!first.known && !first.single) return notUnderstood(name, "where the command begins is not known");
  const folder = lastValue(options, "-C --chdir");
  const run: Run = { words, ...(folder ? { folder } : {}), ...(assigns.length > 0 ? { assigns } : {}) };
  return declared({ files: folder ? [{ access: "stat", path: folder }] : [], runs: [run] });
}

/** `sudo`, `doas`, and their like also take `NAME=value` before the command. */
function asOther(spec: Runner): Program {
  const run = runner({ ...spec, sure: "open" });
  return (invocation) => {
    const doing = run(invocation);
    const [command] = doing.runs;
    if (!command || !("words" in command)) return doing;
    const at = command.words.findIndex((word) => !(word.known && /^[A-Za-z_]\w*=/.test(word.value)));
    if (at === 0) return doing;
    const first = command.words[at];
    // options may follow an assignment
    if (!first || (first.known && first.value.startsWith("-"))) return notUnderstood(invocation.name, "where it begins is not plain");
    const assigns = command.words.slice(0, at).map((word) => (word.known ? word.value.replace(/=[\s\S]*/, "") : ""));
    return { ...doing, runs: [{ words: command.words.slice(at), assigns }] };
  };
}

/** `flock FILE COMMAND …`, `flock FILE -c TEXT`, `flock NUMBER` for a file that is open. */
function flock({ name, args }: Invocation): Doing {
  const names = {
    flags: "-s --shared -x -e --exclusive -u --unlock -n --nb --nonblock -o --close -F --no-fork --verbose",
    values: "-w --wait --timeout -E --conflict-exit-code",
  };
  const parsed = parseOptions(args, { ...names, mixed: false });
  if (!parsed.ok) return notUnderstood(name, parsed.problem);
  const [file, first, ...rest] = parsed.operands;
  if (!file || (!file.known && !file.single)) return notUnderstood(name, "which file it locks is not known");
  if (!first) return file.known && /^\d+$/.test(file.value) ? declared() : notUnderstood(name, "there is no command");
  const files = fileUses("write", file);
  if (!first.known || !first.value.startsWith("-")) return declared({ files, runs: [{ words: [first, ...rest] }] });
  const [script, more] = rest;
  if ((first.value !== "-c" && first.value !== "--command") || !script || more)
    return notUnderstood(name, "its words after the file are not plain");
  // it asks the shell that the user has chosen
  return open({ files, runs: [{ script }] });
}

/** `watch` runs its words, joined by blanks, as a shell would. It does not end by itself. */
function watch({ name, args }: Invocation): Doing {
  const parsed = parseOptions(args, {
    flags:
      "-b --beep -c --color -C --no-color -d --differences -e --errexit -g --chgexit -p --precise -t --no-title -w --no-wrap -x --exec -r --no-rerun",
    values: "-n --interval -q --equexit",
    mixed: false,
  });
  if (!parsed.ok || parsed.operands.length === 0) return notUnderstood(name, parsed.ok ? "there is no command" : parsed.problem);
  if (given(parsed.options, "-x --exec")) return declared({ runs: [{ words: parsed.operands }] });
  const texts = parsed.operands.map((word) => (word.known ? word.value : null));
  if (texts.includes(null)) return notUnderstood(name, "a word of its text is not known");
  return declared({ runs: [{ script: knownWord(texts.join(" ")) }] });
}

/** `script` keeps all that a shell or a command prints. */
function script({ name, args }: Invocation): Doing {
  const parsed = parseOptions(args, {
    flags: "-a --append -e --return -f --flush -q --quiet --force",
    values: "-c --command -O --log-out -o --output-limit -E --echo -m --logging-format",
  });
  if (!parsed.ok || parsed.operands.length > 1)
    return notUnderstood(name, parsed.ok ? "systems differ in what its words mean" : parsed.problem);
  const command = lastValue(parsed.options, "-c --command");
  const files = fileUses("write", lastValue(parsed.options, "-O --log-out") ?? parsed.operands[0] ?? knownWord("typescript"));
  if (!command) return { ...notUnderstood(name, "it starts a shell"), files };
  return open({ files, runs: [{ script: command }] });
}

/** The rest is what another program of this name would do, as far as that is known. */
function applets({ name, args }: Invocation): Doing {
  const [first] = args;
  if (!first || (first.known && first.value.startsWith("-"))) return open();
  return first.known ? open({ runs: [{ words: args }] }) : notUnderstood(name, "which of its programs it runs is not known");
}

/** `strace` can hand what it tells to another program: `-o '|program'`. */
function tracer(spec: Runner): Program {
  const run = runner(spec);
  return (invocation) => {
    const doing = run(invocation);
    const isFile = doing.files.every(
      ({ path }) => !/^[|!]/.test(path.known ? path.value : path.prefix) && (path.known || path.prefix !== ""),
    );
    return isFile ? doing : notUnderstood(invocation.name, "what it tells goes to another program");
  };
}

const setArchitecture = runner({ flags: "-R --addr-no-randomize -B --32bit -v --verbose", sure: "open", never: "" });

export const RUNNERS: Family = {
  ...SHELLS,
  xargs,
  env,
  flock,
  watch,
  script,
  timeout: runner({
    flags: "--preserve-status --foreground -v --verbose -f -p",
    values: "-k --kill-after -s --signal",
    before: /^[\d.]+(?:e[-+]?\d+)?[smhd]?$/i,
  }),
  nice: runner({ values: "-n --adjustment", special: /^-{1,2}\d+$/, alone: "declared" }),
  ionice: runner({
    flags: "-t --ignore",
    values: "-c --class -n --classdata -p --pid -P --pgid -u --uid",
    never: "-p --pid -P --pgid -u --uid",
  }),
  nohup: runner({}),
  setsid: runner({ flags: "-c --ctty -f --fork -w --wait" }),
  stdbuf: runner({ values: "-i --input -o --output -e --error" }),
  time: runner({
    flags: "-p --portability -v --verbose -a --append -q --quiet -l -h",
    values: "-f --format -o --output",
    writes: "-o --output",
  }),
  chrt: runner({
    flags:
      "-b --batch -d --deadline -f --fifo -i --idle -o --other -r --rr -R --reset-on-fork -v --verbose -a --all-tasks -m --max -p --pid",
    values: "-T --sched-runtime -P --sched-period -D --sched-deadline",
    never: "-p --pid -m --max",
    before: /^\d+$/,
  }),
  taskset: runner({ flags: "-a --all-tasks -c --cpu-list -p --pid", never: "-p --pid", before: /^(?:0x)?[\da-f,:-]+$/i }),
  sudo: asOther({
    flags: "-A --askpass -b --background -E -H --set-home -k --reset-timestamp -n --non-interactive -P --preserve-groups -S --stdin",
    values: "-u --user -g --group -p --prompt -C --close-from -T --command-timeout -r --role -t --type",
    optional: "--preserve-env",
  }),
  doas: asOther({ flags: "-n", values: "-u" }),
  setpriv: runner({
    flags: "--clear-groups --keep-groups --init-groups --no-new-privs --reset-env",
    values: "--reuid --regid --ruid --euid --rgid --egid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig",
    never: "--reset-env",
    sure: "open",
  }),
  strace: tracer({
    flags: "-f -ff -c -C -t -tt -ttt -T -q -qq -r -v -x -xx -y -yy -i -k -n -w -Y -z -Z -d",
    values: "-o --output -s -e -a -S -O -P -I -b -X",
    writes: "-o --output",
    sure: "open",
  }),
  ltrace: runner({
    flags: "-f -c -C -t -tt -ttt -T -r -i -L -S",
    values: "-o --output -s -e -a -n -l -x",
    writes: "-o --output",
    sure: "open",
  }),
  linux32: setArchitecture,
  linux64: setArchitecture,
  i386: setArchitecture,
  x86_64: setArchitecture,
  busybox: applets,
  toybox: applets,
  ...WRAPPERS,
};
