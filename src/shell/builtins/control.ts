import { declared } from "../doing.ts";
import { flowOf, type State } from "../state.ts";
import type { Word } from "../word.ts";
import { anything, type Builtin, type BuiltinCall, type BuiltinDoing, type Builtins } from "./builtin.ts";

/** Leaves a loop or function: what holds here may hold behind it. What follows is looked at as if it did not leave. */
function leave({ state }: BuiltinCall, to: State[]): BuiltinDoing {
  return {
    doing: declared({ prints: { kind: "empty" } }),
    after: () => {
      to.push(state.copy());
      return flowOf(state);
    },
  };
}

const shift: Builtin = (call) => {
  const { args, state } = call;
  const [count] = args;
  const by = count === undefined ? 1 : count.known && /^\d+$/.test(count.value) ? Number(count.value) : null;
  return {
    doing: declared({ prints: { kind: "empty" } }),
    after: () => {
      const isPlain = state.positional !== null && by !== null && by <= state.positional.length;
      state.positional = isPlain ? (state.positional?.slice(by ?? 1) ?? null) : null;
      return flowOf(state);
    },
  };
};

/** Options of the shell that stop it, print, or forbid: they let no other command run. */
const HARMLESS = /^(?:errexit|nounset|xtrace|verbose|noclobber|pipefail|noglob|errtrace|functrace)$/;

const set: Builtin = (call) => {
  const { args, state } = call;
  let at = 0;
  let hasEnd = false;
  let names = false;
  for (; at < args.length; at += 1) {
    const word = args[at];
    if (!word?.known) break;
    if (names) {
      if (!HARMLESS.test(word.value)) return anything(call, `\`set -o ${word.value}\` changes what later commands mean`);
      names = false;
    } else if (word.value === "--") {
      hasEnd = true;
      at += 1;
      break;
    } else if (/^[-+][eufxvCET]*o?$/.test(word.value) && word.value.length > 1) names = word.value.endsWith("o");
    else if (/^[-+]/.test(word.value)) return anything(call, `\`set ${word.value}\` changes what later commands mean`);
    else break;
  }
  const rest = args.slice(at);
  if (!hasEnd && rest.some((word, index) => index === 0 && !word.known && !/^[^-+]/.test(word.prefix)))
    return anything(call, "`set` is given options that are not known");
  return {
    doing: declared(),
    after: () => {
      if (rest.length > 0 || hasEnd) state.positional = rest.every(isOne) ? rest : null;
      if (args.some((word) => word.known && /^-\w*f|^noglob$/.test(word.value))) state.stale = true;
      return flowOf(state);
    },
  };
};

function isOne(word: Word): boolean {
  return word.known || word.single;
}

export const CONTROL: Builtins = {
  exit: (call) => leave(call, []),
  logout: (call) => leave(call, []),
  return: (call) => leave(call, call.machine.jumps.function),
  break: (call) => leave(call, call.machine.jumps.loop),
  continue: (call) => leave(call, call.machine.jumps.loop),
  shift,
  set,
};
