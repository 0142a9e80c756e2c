/** Programs that start another one with other rights, limits, places, clocks or libraries, later, or again and again. None is more than `open`. */
import { type Doing, type Invocation, open, type Program, type Run } from "../doing.ts";
import { type OptionNames, parseOptions } from "../options.ts";
import { fileUses, seenFiles } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { knownWord, unknownWord, type Word } from "../word.ts";
import { given, valuesOf } from "./given.ts";
import { type Guessed, guessedRunner, isAboutItself, joined, notUnderstood, type Runner, runner } from "./runner.ts";
import type { Family } from "./table.ts";
import { shellText } from "./told.ts";

/** What it runs is found as ever. */
function wrapper(spec: Runner = {}): Program {
  return runner({ ...spec, sure: "open" });
}

/** The loader of the system: a program is a path for it, in the folder where it has no slash. */
const loader: Program = (invocation) => {
  const run = wrapper({
    flags: "--inhibit-cache --inhibit-rpath --list --verify --list-tunables --list-diagnostics --help --version",
    values: "--library-path --preload --audit --argv0 --glibc-hwcaps-prepend --glibc-hwcaps-mask",
    alone: "open",
  });
  const doing = run(invocation);
  return { ...doing, runs: doing.runs.map((each) => ("words" in each ? { ...each, words: asPath(each.words) } : each)) };
};

function asPath([first, ...more]: readonly Word[]): readonly Word[] {
  if (!first) return more;
  if (!first.known)
    return [unknownWord(first.raw, { single: first.single, prefix: first.prefix.includes("/") ? first.prefix : "" }), ...more];
  return [first.value.includes("/") ? first : knownWord(`./${first.value}`), ...more];
}

/** `capsh … -- WORDS` gives the words to bash; without `--` it only prints and sets. */
function capsh({ args, name }: Invocation): Doing {
  const at = args.findIndex((word) => word.known && (word.value === "--" || word.value === "=="));
  const options = at < 0 ? args : args.slice(0, at);
  if (!options.every((word) => word.known && !word.value.startsWith("--shell")))
    return notUnderstood(name, "which shell it starts is not known");
  if (at < 0) return open();
  return open({ runs: [{ words: [knownWord("bash"), ...args.slice(at + 1)] }] });
}

/** `sg GROUP [-c] TEXT`. */
function sg({ args, name }: Invocation): Doing {
  const rest = args.filter((word, at) => !(at < 1 && word.known && word.value === "-")).slice(1);
  const [first, second] = rest;
  const script = first?.known && first.value === "-c" ? second : first;
  return script ? open({ runs: [shellText(script)] }) : notUnderstood(name, "it starts a shell");
}

/** `su USER -c TEXT`, in which the options stand anywhere. */
function su({ args, name }: Invocation): Doing {
  const { options } = seenOptions(args, {
    flags: "-l --login -m -p --preserve-environment -f --fast -P --pty -T",
    values: "-c --command --session-command -s --shell -g --group -G --supp-group -w --whitelist-environment",
  });
  return {
    ...notUnderstood(name, "it starts a shell of another user"),
    runs: valuesOf(options, "-c --command --session-command").map(shellText),
  };
}

const RUNUSER = guessedRunner({
  flags: "-l -m -p -f -P",
  values: "-u --user -g --group -G --supp-group -s --shell -w",
  texts: "-c --command --session-command",
});

/** Those of its words before `::: …` are a text for a shell, or a command, to which an argument is added. */
function parallel({ args, name }: Invocation): Doing {
  const end = args.findIndex((word) => word.known && /^:{3,4}\+?$/.test(word.value));
  const { operands } = seenOptions(end < 0 ? args : args.slice(0, end), {
    flags: "-0 -k -m -X -q -u -v -t --keep-order --dry-run --pipe --null --will-cite --bar --progress --eta --no-notice",
    values:
      "-j --jobs -P -n -N -L -l -I -a --arg-file -d --delimiter --colsep -C --joblog --results --tmpdir --halt --timeout --delay --retries -S --sshlogin --block",
    mixed: false,
  });
  const [first, ...more] = operands;
  const argument = unknownWord("an argument of parallel", { single: true });
  const runs: readonly Run[] = !first?.known
    ? []
    : more.length === 0 && /\s/.test(first.value)
      ? [shellText(first)]
      : [
          {
            words: [...operands.map((word) => (word.known && word.value.includes("{") ? argument : word)), argument],
            stdin: { kind: "unknown" },
          },
        ];
  return { ...notUnderstood(name, "it does so in a place or an order of its own"), runs };
}

/** Each of its operands is a text for a shell, and so are some of its options. */
function hyperfine({ args, name }: Invocation): Doing {
  const texts = "-p --prepare -c --cleanup -s --setup --conclude --reference";
  const names: OptionNames = {
    flags: "-N -i --ignore-failure --show-output -h --help -V --version",
    values: `${texts} -w --warmup -m --min-runs -M --max-runs -r --runs -S --shell -n --command-name -u --time-unit --style --output --input --sort --export-json --export-csv --export-markdown --export-asciidoc --export-orgmode`,
    abbreviated: false,
  };
  const parsed = parseOptions(args, names);
  const { options, operands } = parsed.ok ? parsed : seenOptions(args, names);
  const files = valuesOf(options, "--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode").flatMap((path) =>
    fileUses("write", path),
  );
  const doing = { files: seenFiles(files), runs: [...valuesOf(options, texts), ...operands].map(shellText) };
  return parsed.ok ? open(doing) : { ...notUnderstood(name, parsed.problem), ...doing };
}

/** `perf stat PROGRAM …` and its like; the others tell about what was recorded. */
function perf(invocation: Invocation): Doing {
  const [verb, ...args] = invocation.args;
  if (!verb?.known) return verb ? notUnderstood(invocation.name, "what it does is not known") : open();
  if (!/^(?:stat|record|trace|top|mem|kmem|lock|sched|ftrace|c2c)$/.test(verb.value)) return open();
  const run = wrapper({
    flags: "-a -A -B -d -g -i -n -N -q -s -S -T -v --all-cpus --null --verbose --no-inherit --call-graph --big-num --detailed --append",
    values:
      "-c --count -C --cpu -e --event -F --freq -I --interval-print -m -o --output -p --pid -r --repeat -t --tid -x --field-separator",
    writes: "-o --output",
    alone: "open",
  });
  const doing = run({ ...invocation, args });
  const isRecord = verb.value === "record" && doing.files.length === 0;
  return isRecord ? { ...doing, files: fileUses("write", knownWord("perf.data")) } : doing;
}

/** `gdb --args PROGRAM …`, and the commands that it is given. */
function debuggerOf({ args, name }: Invocation): Doing {
  const at = args.findIndex((word) => word.known && /^--?args$/.test(word.value));
  const { options } = seenOptions(at < 0 ? args : args.slice(0, at), {
    values: "-ex --ex --eval-command -ex -iex --init-eval-command -x --command -o -O -s",
  });
  const texts = valuesOf(options, "-ex --ex --eval-command -iex --init-eval-command -o -O").flatMap((word) => {
    const [, text] = (word.known && /^\s*(?:!|(?:shell|platform shell|make|pipe)\s)\s*([\s\S]+)$/.exec(word.value)) || [];
    return text === undefined ? [] : [shellText(knownWord(text))];
  });
  const command = at < 0 ? [] : [{ words: args.slice(at + 1) }];
  return { ...(isAboutItself(args) ? open() : notUnderstood(name, "it runs what it examines")), runs: [...texts, ...command] };
}

/** Texts in which `spawn` starts a program. */
function expect({ args, name }: Invocation): Doing {
  const { options } = seenOptions(args, { flags: "-b -d -i -n -N -v -", values: "-c -f -D" });
  const runs = valuesOf(options, "-c").flatMap((text) =>
    text.known
      ? [...text.value.matchAll(/\b(?:spawn|exec|system)\s+(?:-\w+\s+)*([^;\n"{}[\]$\\]+)/g)].map(([, words = ""]) =>
          shellText(knownWord(words.trim())),
        )
      : [],
  );
  return { ...notUnderstood(name, "its language starts programs"), runs };
}

/** Behind this word, or words, stands the command. */
function behind(verbs: string, spec: Guessed = {}): Program {
  const rest = guessedRunner(spec);
  return (invocation) => {
    const { args } = invocation;
    const at = args.findIndex((word) => word.known && verbs.split(" ").includes(word.value));
    return at < 0 ? open() : rest({ ...invocation, args: args.slice(at + 1) });
  };
}

/** Its words behind `--`. */
function bwrap({ args, name }: Invocation): Doing {
  const at = args.findIndex((word) => word.known && word.value === "--");
  const rest = args.slice(at < 0 ? args.length : at + 1);
  const runs = rest.length > 0 ? [{ words: rest }] : [];
  return { ...notUnderstood(name, "it does so in a place or an order of its own"), runs };
}

/** `entr`: what it watches for stands on its standard input. */
function entr(invocation: Invocation): Doing {
  const { options, operands } = seenOptions(invocation.args, { flags: "-a -c -d -n -p -r -s -x -z", mixed: false });
  const runs: readonly Run[] =
    operands.length === 0 ? [] : given(options, "-s") ? [shellText(joined(operands))] : [{ words: operands, stdin: { kind: "unknown" } }];
  return { ...notUnderstood(invocation.name, "it does so whenever a file changes"), runs };
}

const LOADERS =
  "ld.so ld-linux.so.2 ld-linux.so.3 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 ld64.so.1 ld64.so.2 ld-linux-riscv64-lp64d.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld-musl-armhf.so.1 ld-musl-i386.so.1";

const limits = { flags: "-v -P -0 -1 -2 -V", alone: "unknown" } as const;

const setArchitecture = guessedRunner({ flags: "-R -B -F -I -L -S -T -X -Z -v --addr-no-randomize" });

export const WRAPPERS: Family = {
  prlimit: wrapper({
    flags: "--noheadings --raw --verbose",
    values: "-o --output -p --pid",
    optional:
      "-c -d -e -f -i -l -m -n -q -r -s -t -u -v -x -y --core --data --nice --fsize --sigpending --memlock --rss --nofile --msgqueue --rtprio --stack --cpu --nproc --as --locks --rttime",
    abbreviated: false,
    alone: "open",
  }),
  sg,
  capsh,
  ...Object.fromEntries(LOADERS.split(" ").map((name) => [name, loader])),
  "xvfb-run": wrapper({
    flags: "-a --auto-servernum -l --listen-tcp -h",
    values: "-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait",
    writes: "-e --error-file -f --auth-file",
  }),
  eatmydata: wrapper(),
  nocache: wrapper({ values: "-n" }),
  cpulimit: wrapper({ flags: "-b -f -i -m -q -r -v -z", values: "-c -l -p -e -P --limit --pid --exe --cpu", alone: "open" }),
  timelimit: wrapper({ flags: "-p -q", values: "-S -s -T -t" }),
  perf,
  catchsegv: wrapper(),
  unbuffer: wrapper({ flags: "-p" }),
  valgrind: guessedRunner({ flags: "-q -v", values: "" }),
  gdb: debuggerOf,
  lldb: debuggerOf,
  rr: behind("record", { isSure: true }),
  numactl: wrapper({
    flags: "-a --all -l --localalloc -H --hardware -s --show -b --balancing",
    values: "-i --interleave -w --weighted-interleave -N --cpunodebind -C --physcpubind -m --membind -p --preferred -P --preferred-many",
    abbreviated: false,
    alone: "open",
  }),
  chpst: wrapper({ ...limits, values: "-u -U -b -e -/ -C -n -l -L -m -d -o -p -f -c -r -t -s -a" }),
  softlimit: wrapper({ values: "-a -c -d -f -l -m -o -p -r -s -t" }),
  setuidgid: wrapper({ before: /^[^-]/ }),
  envuidgid: wrapper({ before: /^[^-]/ }),
  gosu: wrapper({ before: /^[^-]/ }),
  "su-exec": wrapper({ before: /^[^-]/ }),
  envdir: guessedRunner({ before: 1 }),
  setlock: guessedRunner({ flags: "-n -N -x -X", before: 1 }),
  pgrphack: wrapper(),
  tini: wrapper({ flags: "-g -s -v -w", values: "-e -p", alone: "open" }),
  "dumb-init": wrapper({ flags: "-c --single-child -v --verbose", values: "-r --rewrite" }),
  faketime: wrapper({ flags: "-m -f --exclude-monotonic --date-prog", values: "-p --pid", before: /[\s\S]/ }),
  torsocks: wrapper({ flags: "-d -q -i --debug --quiet --isolate", values: "-a -P -u -p" }),
  torify: wrapper({ flags: "-v" }),
  tsocks: wrapper(),
  proxychains: wrapper({ flags: "-q", values: "-f" }),
  proxychains4: wrapper({ flags: "-q", values: "-f" }),
  trickle: wrapper({ flags: "-s", values: "-d -u -w -t -l -n -p -P" }),
  rlwrap: wrapper({
    flags: "-c -i -I -j -n -N -o -r -R -s -v -V -W -x",
    values: "-b -C -D -e -f -g -H -l -O -P -q -S -t -w",
    optional: "-a -A -m -M -p",
    writes: "-l -H",
  }),
  chronic: wrapper({ flags: "-e -v" }),
  ifne: wrapper({ flags: "-n" }),
  lckdo: guessedRunner({ flags: "-w -W -e -E -s -x -q -t", before: 1 }),
  pkexec: guessedRunner({ values: "-u --user", flags: "--disable-internal-agent --keep-cwd" }),
  su,
  runuser: RUNUSER,
  parallel,
  sem: parallel,
  hyperfine,
  expect,
  entr,
  watchexec: guessedRunner({
    flags: "-c -n -p -r -v -q -1 --clear --restart --postpone --no-vcs-ignore --no-ignore",
    values: "-e --exts -f --filter -i --ignore -w --watch -s --signal -d --debounce --delay-run --shell -o --on-busy-update --workdir",
    isText: true,
  }),
  inotifywait: () => open(),
  unshare: guessedRunner({
    flags:
      "-m -u -i -n -p -U -C -T -f -r -c --mount --uts --ipc --net --pid --user --cgroup --fork --map-root-user --map-current-user --mount-proc --keep-caps",
    values: "--propagation --setgroups -R --root -w --wd -S --setuid -G --setgid",
  }),
  nsenter: guessedRunner({
    flags: "-a -F -Z -m -u -i -n -p -U -C -T --all --no-fork --mount --uts --ipc --net --pid",
    values: "-t --target -S --setuid -G --setgid",
  }),
  chroot: guessedRunner({ flags: "--skip-chdir", values: "--userspec --groups -u -g -G", before: 1 }),
  proot: guessedRunner({ flags: "-0 --root-id --link2symlink", values: "-r --rootfs -R -S -b --bind -m -q --qemu -w --pwd -v -k -i" }),
  setarch: (invocation) => {
    const [first, ...args] = invocation.args;
    return setArchitecture(first?.known && first.value.startsWith("-") ? invocation : { ...invocation, args });
  },
  "systemd-run": guessedRunner({
    flags:
      "--user --scope --system -r --remain-after-exit -t --pty -P --pipe -S --shell -q --quiet -G --collect -d --same-dir --wait --no-block",
    values:
      "-u --unit -p --property --slice --description --uid --gid --nice --working-directory -E --setenv -H --host -M --machine --on-calendar --on-active --service-type --timer-property",
  }),
  fakeroot: guessedRunner({ flags: "-u -h -v", values: "-l -s -i -b --lib --faked" }),
  fakechroot: guessedRunner({ flags: "-s", values: "-l -d -e -c -b" }),
  "dbus-run-session": guessedRunner({ values: "--config-file --dbus-daemon" }),
  "dbus-launch": guessedRunner({ flags: "--exit-with-session --auto-syntax --sh-syntax" }),
  "ssh-agent": guessedRunner({ flags: "-c -s -d -D -k", values: "-a -E -P -t -O" }),
  firejail: guessedRunner(),
  bwrap,
  daemonize: guessedRunner({ values: "-a -c -e -o -p -l -u -E" }),
  detach: guessedRunner({ flags: "-f", values: "-e -i -o -p" }),
  dtach: guessedRunner({ flags: "-E -z", values: "-e -r", before: 1 }),
  "start-stop-daemon": guessedRunner({ flags: "-S -K -b", values: "-p -u -c -n" }),
  tmux: behind("new new-session neww new-window splitw split-window run run-shell respawn-pane if if-shell popup display-popup", {
    flags: "-d -b -P -A -D -E -h -v -C",
    values: "-s -n -c -t -x -y -F -e -l",
    isText: true,
  }),
  screen: guessedRunner({ flags: "-d -D -m -A -a -L -q -U -R", values: "-S -c -e -h -p -s -t -T -X" }),
  at: guessedRunner({ before: 10_000 }),
  batch: guessedRunner({ before: 10_000 }),
  "run-parts": guessedRunner({ before: 10_000 }),
  crontab: guessedRunner({ before: 10_000 }),
  direnv: behind("exec", { before: 1, isSure: true, assigns: ["PATH"] }),
  ...Object.fromEntries(
    "poetry pipenv pdm hatch rye uv conda mamba op doppler".split(" ").map((name) => [
      name,
      behind("run --", {
        values: "-n -p --env-file --with --python --package",
        isSure: true,
        assigns: ["PATH"],
      }),
    ]),
  ),
  bundle: behind("exec", { isSure: true, assigns: ["PATH"] }),
  mise: behind("exec x --", { isSure: true, assigns: ["PATH"] }),
  asdf: behind("exec", { isSure: true, assigns: ["PATH"] }),
  nix: () => open(),
  "nix-shell": guessedRunner({ values: "-p --packages -A --attr -E --expr", texts: "--run --command", before: 10_000 }),
};
