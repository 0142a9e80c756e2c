import { assign } from "../assign.ts";
import { declared } from "../doing.ts";
import { computedValue, isSetByBash } from "../environment.ts";
import type { Machine } from "../machine.ts";
import { flowOf, type State } from "../state.ts";
import { ANYTHING, joinValues, scalar, UNKNOWN_LIST, UNSET, type Value } from "../value.ts";
import { knownWord, type Word } from "../word.ts";
import { anything, type Builtin, type BuiltinCall, type BuiltinDoing, type Builtins, isName, plain } from "./builtin.ts";

/** True for a builtin whose arguments bash reads as assignments. */
export function isDeclaration(name: string): boolean {
  return /^(?:export|declare|typeset|local|readonly)$/.test(name);
}

/** Options that change nothing but how a value is shown or kept: no integers, which are computed, no references, no attributes of functions. */
const OPTIONS = /^-[aAxrgpltuc]+$/;

const declare: Builtin = (call) => {
  const { name: builtin, args, state, machine } = call;
  const isOption = (word: Word): boolean => word.known && /^[-+]./.test(word.value) && word.value !== "--";
  const end = args.findIndex((word) => !isOption(word));
  const options = args.slice(0, end < 0 ? args.length : end).map(textOf);
  const behind = args.slice(options.length);
  const rest = textOf(behind[0]) === "--" ? behind.slice(1) : behind;
  const flags = options.join("");
  if (options.some((option) => option === "-f" || option === "-F" || option === "-fF") && builtin !== "export") return plain();
  if (builtin === "export" && options.every((option) => option === "-n" || option === "-p" || option === "-f") && /[nf]/.test(flags))
    return exportOtherwise(call, flags);
  if (options.some((option) => !OPTIONS.test(option))) return anything(call, `\`${builtin} ${flags}\` changes how variables are read`);
  const settings = rest.map((word) => settingOf(word, flags));
  if (settings.includes(null)) return anything(call, `\`${builtin}\` is given a name that is not known`);
  const exported = builtin === "export" || flags.includes("x") ? "yes" : "as_before";
  const frame = machine.locals.at(-1);
  if (builtin === "local" && !frame) return plain();
  const isLocal = frame !== undefined && !flags.includes("g") && builtin !== "export" && builtin !== "readonly";
  return {
    doing: declared(),
    after: () => {
      for (const setting of settings) {
        if (!setting) continue;
        const { name, value, appends } = setting;
        // what is in the environment is exported already, and what is not set is nothing to export
        if (builtin === "export" && flags === "" && value === null && isOfEnvironment(name, state)) {
          state.exportedNames.add(name);
          continue;
        }
        const old = state.get(name);
        if (isLocal) frame.push({ name, value: old });
        const isList = /[aA]/.test(flags) || old.kind === "list";
        const fresh = builtin === "local" || builtin === "declare" || builtin === "typeset" ? joinValues(old, UNSET) : old;
        const next = isList ? { ...UNKNOWN_LIST, keyed: flags.includes("A") || (old.kind === "list" && old.keyed) } : (value ?? fresh);
        if (/[luc]/.test(flags)) state.changingNames.add(name);
        const sets: Value = appends ? ANYTHING : next;
        const hidden = flags.includes("g") && hidesOuter(name, machine);
        assign(name, hidden ? joinValues(old, sets) : sets, { state, machine, exported });
        // what the function hides is what it sets
        if (hidden)
          for (const each of machine.locals)
            for (const [at, local] of each.entries()) if (local.name === name) each[at] = { name, value: joinValues(local.value, sets) };
        if (builtin === "readonly" || flags.includes("r")) state.readonlyNames.add(name);
      }
      return flowOf(state);
    },
  };
};

/** True for a name that is as the host gave it, or not set. */
function isOfEnvironment(name: string, state: State): boolean {
  return state.isUntouched(name) && computedValue(name, state) === null && !isSetByBash(name) && !OWN.test(name);
}

/** Set by bash when it starts, and not exported. */
const OWN = /^(?:HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|OPT\w+|SHLVL)$/;

function hidesOuter(name: string, { locals }: Machine): boolean {
  return locals.some((frame) => frame.some((local) => local.name === name));
}

interface Setting {
  readonly name: string;
  /** `null`: only named. */
  readonly value: Value | null;
  readonly appends: boolean;
}

/** `null`: it cannot be told what is set. */
function settingOf(word: Word, flags: string): Setting | null {
  const text = word.known ? word.value : word.prefix;
  const [, name, plus, value] = /^([A-Za-z_]\w*)(?:(\+?)=([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) return null;
  if (!word.known) {
    if (value === undefined || !word.single) return null;
    return { name, value: flags === "" && /^\w+\+?=\(/.test(word.raw) ? UNKNOWN_LIST : ANYTHING, appends: plus === "+" };
  }
  return { name, value: value === undefined ? null : scalar([knownWord(value)]), appends: plus === "+" };
}

/** `-n` takes out of the environment what programs got; `-f` gives them functions. */
function exportOtherwise({ state }: BuiltinCall, flags: string): BuiltinDoing {
  return {
    doing: declared(),
    after: () => {
      if (flags !== "-p") state.open = true;
      return flowOf(state);
    },
  };
}

const unset: Builtin = (call) => {
  const { args, state, machine } = call;
  const [first] = args;
  const flag = first?.known && /^-[vf]$/.test(first.value) ? first.value : "";
  const names = flag === "" ? args : args.slice(1);
  if (!names.every(isName)) return anything(call, "`unset` takes away a variable whose name is not known");
  return {
    doing: declared(),
    after: () => {
      for (const { value: name } of names) {
        const defined = state.functions.get(name);
        if (flag !== "-v" && defined) state.functions.set(name, { ...defined, sure: false });
        // that of a function that called this one: what it hid is seen again
        const outer = machine.locals
          .slice(0, -1)
          .flat()
          .filter((local) => local.name === name);
        if (flag !== "-f")
          assign(
            name,
            outer.reduce((value: Value, local) => joinValues(value, local.value), UNSET),
            { state, machine },
          );
      }
      return flowOf(state);
    },
  };
};

function textOf(word: Word | undefined): string {
  return word?.known ? word.value : "";
}

export const DECLARATIONS: Builtins = { export: declare, declare, typeset: declare, local: declare, readonly: declare, unset };
