import { declared, open } from "../doing.ts";
import { brief } from "../not-understood.ts";
import { flowOf, PRINTS_ANYTHING } from "../state.ts";
import type { Word } from "../word.ts";
import { anything, type Builtin, type BuiltinCall, type BuiltinDoing, type Builtins, plain } from "./builtin.ts";

const evaluate: Builtin = (call) => {
  const { args, state, machine } = call;
  const words = args[0]?.known && args[0].value === "--" ? args.slice(1) : args;
  const texts = words.flatMap((word) => (word.known ? [word.value] : []));
  if (texts.length < words.length) return anything(call, "`eval` runs what is not known");
  return { doing: declared(), after: () => machine.runText(texts.join(" "), state) };
};

/** A script that is read in is a program of its own, and may change everything in the shell. */
const source: Builtin = (call) => {
  const { args, state, machine } = call;
  const [file, ...rest] = args[0]?.known && args[0].value === "--" ? args.slice(1) : args;
  const isFile = file?.known && file.value.includes("/") && !/^-|^\/(?:dev|proc)\//.test(file.value);
  if (!isFile) {
    const unknown = anything(call, `which file \`${call.name}\` runs is not known`);
    // a bare name that the PATH lacks is one in the folder
    const files = file && !(file.known && /^-|^\/(?:dev|proc)\//.test(file.value)) ? [{ access: "read", path: file } as const] : [];
    return { ...unknown, doing: { ...unknown.doing, files: [...unknown.doing.files, ...files] } };
  }
  return {
    doing: open({ files: [{ access: "read", path: file }], runs: [{ words: [file, ...rest] }] }),
    after: () => {
      state.lose();
      machine.everFolders = null;
      return flowOf(state, PRINTS_ANYTHING);
    },
  };
};

const exec: Builtin = (call) => {
  const { args, state, machine } = call;
  const [first] = args;
  if (!first) return { doing: declared() };
  if (first.known && first.value.startsWith("-") && first.value !== "--")
    return anything(call, "`exec` is given options that change how a program starts");
  const words = first.known && first.value === "--" ? args.slice(1) : args;
  return { doing: declared(), after: () => machine.runWords(words, state, "programs") };
};

const command: Builtin = (call) => {
  const { args, state, machine } = call;
  const [first] = args;
  if (!first) return plain();
  if (first.known && /^-[pvV]*[vV][pvV]*$/.test(first.value)) return plain();
  // `-p` looks in the system's own folders
  if (first.known && first.value.startsWith("-") && first.value !== "--")
    return anything(call, "`command` is given options that change what it finds");
  const words = first.known && first.value === "--" ? args.slice(1) : args;
  return words.length === 0 ? plain() : { doing: declared(), after: () => machine.runWords(words, state, "no_functions") };
};

const builtin: Builtin = (call) => {
  const { args, state, machine } = call;
  if (args.length === 0) return plain();
  return { doing: declared(), after: () => machine.runWords(args, state, "builtins") };
};

const END = /^(?:EXIT|0)$/i;

/** What it runs is looked at when all of the script is known; when it runs between any two commands, nothing is certain from here on. */
const trap: Builtin = (call) => {
  const { args, state, machine } = call;
  const words = args[0]?.known && args[0].value === "--" ? args.slice(1) : args;
  const [action, ...signals] = words;
  if (!action || (action.known && (/^-[lp]*$/.test(action.value) || action.value === ""))) return plain();
  if (!action.known || !signals.every((word) => word.known)) return anything(call, "`trap` runs what is not known");
  if (signals.length === 0) return plain();
  return {
    doing: declared(),
    after: () => {
      machine.traps.push(action.value);
      if (!signals.every((word) => word.known && END.test(word.value))) state.lose();
      return flowOf(state);
    },
  };
};

const type: Builtin = () => plain();

const hash: Builtin = (call) =>
  call.args.every((word) => word.known && (word.value === "-r" || !word.value.startsWith("-")))
    ? plain()
    : anything(call, "`hash` can change which program a name stands for");

/** `-p` would set a variable, whose subscript is computed. */
const wait: Builtin = (call) => {
  const isPlain = call.args.every((word) =>
    word.known ? /^(?:-[nf]+|[^-].*|)$/.test(word.value) : word.single && /^"?\$[!{\w]/.test(word.raw),
  );
  return isPlain && call.args.length < 2 ? plain({ prints: { kind: "empty" } }) : anything(call, "`wait` may set a variable");
};

const jobs: Builtin = (call) =>
  call.args.some((word) => !word.known || /^-.*x/.test(word.value))
    ? anything(call, "`jobs -x` runs the command that it is given")
    : plain();

function always(what: string): Builtin {
  return (call) => (call.args.length === 0 ? plain() : anything(call, `\`${call.name} ${brief(rawOf(call.args[0]))}\` ${what}`));
}

function rawOf(word: Word | undefined): string {
  return word?.known ? word.value : (word?.raw ?? "");
}

function quiet({ args }: BuiltinCall): BuiltinDoing {
  return args.every((word) => word.known) ? plain() : { doing: open() };
}

/** Options that only change which names a wildcard finds, or what is equal to what. */
const FINDING = /^(?:extglob|nullglob|globstar|dotglob|nocaseglob|globskipdots|inherit_errexit|checkwinsize)$/;

const shopt: Builtin = (call) => {
  const { args, state } = call;
  const [flag, ...names] = args.map(rawOf);
  if (!args.every((word) => word.known)) return anything(call, "`shopt` is given what is not known");
  if (flag === undefined || /^-[qp]+$/.test(flag)) return plain();
  if (!/^-[suq]+$/.test(flag) || names.length === 0 || !names.every((name) => FINDING.test(name))) return always(OTHERWISE)(call);
  // patterns that were read before would mean themselves
  if (flag.includes("u") && names.includes("extglob")) return always(OTHERWISE)(call);
  return {
    doing: declared({ prints: { kind: "empty" } }),
    after: () => {
      // with it alone others find what they found
      if (names.some((name) => name !== "extglob")) state.stale = true;
      return flowOf(state);
    },
  };
};

const OTHERWISE = "changes what later commands mean";

export const RUNNING: Builtins = {
  eval: evaluate,
  source,
  ".": source,
  exec,
  command,
  builtin,
  trap,
  type,
  hash,
  wait,
  jobs,
  kill: () => ({ doing: open() }),
  bg: quiet,
  fg: quiet,
  disown: quiet,
  suspend: () => ({ doing: open() }),
  history: (call) => (call.args.every((word) => word.known && /^\d+$/.test(word.value)) ? plain() : { doing: open() }),
  unalias: () => plain(),
  alias: always(OTHERWISE),
  enable: always(OTHERWISE),
  shopt,
  bind: always("can run commands"),
  complete: always("can run commands"),
  compgen: always("can run commands"),
  compopt: always("can run commands"),
  fc: (call) => anything(call, "`fc` runs commands again"),
};
