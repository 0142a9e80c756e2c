import { assign } from "../assign.ts";
import { declared, type Input } from "../doing.ts";
import { perhaps } from "../machine.ts";
import { parseOptions } from "../options.ts";
import { flowOf } from "../state.ts";
import { ANYTHING, EMPTY, joinValues, scalar, UNKNOWN_LIST, type Value } from "../value.ts";
import { knownWord, unknownWord, wordsOfPaths } from "../word.ts";
import { COST } from "../work.ts";
import { anything, type Builtin, type BuiltinCall, type BuiltinDoing, type Builtins, isName } from "./builtin.ts";

/** Sets variables to what nobody knows beforehand. */
function setting(names: readonly string[], value: Value, { state, machine }: BuiltinCall): BuiltinDoing {
  return {
    doing: declared(),
    after: () => {
      for (const name of names) assign(name, value, { state, machine });
      return flowOf(state);
    },
  };
}

const read: Builtin = (call) => {
  const parsed = parseOptions(call.args, { flags: "-r -s -e", values: "-d -n -N -p -t -u -a -i" });
  const array = parsed.ok ? parsed.options.find(({ name }) => name === "-a") : undefined;
  const names = parsed.ok ? (array ? [array.value ?? undefined] : parsed.operands) : null;
  if (!names?.every(isName)) return anything(call, "`read` sets a variable whose name is not known");
  const [name, more] = names;
  const isLine = parsed.ok && !array && !more && parsed.options.every((option) => /^-[rsep]$/.test(option.name));
  if (isLine && call.state.stdin.kind === "text") call.machine.work.spend(call.state.stdin.text.length * COST.word);
  const value = array ? UNKNOWN_LIST : isLine ? lineOf(call.state.stdin) : ANYTHING;
  // by other ends than those of lines
  if (!parsed.ok || parsed.options.some((option) => !/^-[rsepat]$/.test(option.name))) call.state.stdin = notLines(call.state.stdin);
  return setting(name ? names.map((each) => each.value) : ["REPLY"], value, call);
};

function notLines(input: Input): Input {
  return input.kind === "empty" ? input : { kind: "unknown" };
}

/** Any line of what is read; after the last, nothing. */
function lineOf(input: Input): Value {
  if (input.kind === "paths" && input.plain) {
    const path = unknownWord("a path that is read", { single: true, prefix: "", ...wordsOfPaths(input) });
    return joinValues(scalar([path]), EMPTY);
  }
  if (input.kind !== "text" || input.text.includes("\\") || input.text.length > MAX_TEXT) return ANYTHING;
  const lines = input.text.split("\n");
  // blanks at the edges go or stay, by IFS
  return scalar(["", ...lines, ...lines.map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ""))].map(knownWord));
}

/** Longer texts have more lines than a variable is followed through. */
const MAX_TEXT = 4096;

/** `-C` would run a command for the lines. */
const mapfile: Builtin = (call) => {
  const parsed = parseOptions(call.args, { flags: "-t", values: "-d -n -O -s -u" });
  if (!parsed.ok || !parsed.operands.every(isName) || parsed.operands.length > 1) {
    return anything(call, `\`${call.name}\` may run a command, or sets a variable whose name is not known`);
  }
  const [name] = parsed.operands;
  call.state.stdin = notLines(call.state.stdin);
  return setting([isName(name) ? name.value : "MAPFILE"], UNKNOWN_LIST, call);
};

const getopts: Builtin = (call) => {
  const [options, name] = call.args;
  const isPlaced = options !== undefined && (options.known || options.single);
  if (!isPlaced || !isName(name)) return anything(call, "`getopts` sets a variable whose name is not known");
  return setting([name.value, "OPTARG", "OPTIND"], ANYTHING, call);
};

/** Computes each of its words. */
const computing: Builtin = (call) => {
  const { args, state, machine } = call;
  const texts = args.flatMap((word) => (word.known ? [word.value] : []));
  if (texts.length < args.length) return anything(call, "`let` computes what is not known");
  return {
    doing: declared(),
    after: async () => {
      // one that fails ends it
      for (const [index, text] of texts.entries()) {
        const compute = (): Promise<unknown> => machine.runText(`((${text}))`, state);
        await (index === 0 ? compute() : perhaps(state, compute));
      }
      return flowOf(state);
    },
  };
};

export const INPUTS: Builtins = { read, mapfile, readarray: mapfile, getopts, let: computing };
