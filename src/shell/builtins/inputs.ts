import { assign } from "../assign.ts";
import { declared } from "../doing.ts";
import { parseOptions } from "../options.ts";
import { flowOf } from "../state.ts";
import { ANYTHING, UNKNOWN_LIST, type Value } from "../value.ts";
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
  return setting(names.length === 0 ? ["REPLY"] : names.map(({ value }) => value), array ? UNKNOWN_LIST : ANYTHING, call);
};

/** `-C` would run a command for the lines. */
const mapfile: Builtin = (call) => {
  const parsed = parseOptions(call.args, { flags: "-t", values: "-d -n -O -s -u" });
  if (!parsed.ok || !parsed.operands.every(isName) || parsed.operands.length > 1) {
    return anything(call, `\`${call.name}\` may run a command, or sets a variable whose name is not known`);
  }
  const [name] = parsed.operands;
  return setting([isName(name) ? name.value : "MAPFILE"], UNKNOWN_LIST, call);
};

const getopts: Builtin = (call) => {
  const [, name] = call.args;
  if (!isName(name)) return anything(call, "`getopts` sets a variable whose name is not known");
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
      for (const text of texts) await machine.runText(`((${text}))`, state);
      return flowOf(state);
    },
  };
};

export const INPUTS: Builtins = { read, mapfile, readarray: mapfile, getopts, let: computing };
