import { assign } from "../assign.ts";
import { declared } from "../doing.ts";
import { flowOf } from "../state.ts";
import { ANYTHING, joinValues, NUMBER } from "../value.ts";
import type { Word } from "../word.ts";
import { anything, type Builtin, type BuiltinCall, type BuiltinDoing, type Builtins, isName, plain } from "./builtin.ts";

const echo: Builtin = ({ args, machine }) => {
  const texts = knownTexts(args);
  const isOption = /^-[neE]+$/.test(texts?.[0] ?? "");
  // other shells take backslashes for escapes
  const isPlain =
    texts && !(isOption && texts[0] !== "-n") && !(machine.dialect === "sh" && texts.some((text) => text.includes("\\") || isOption));
  if (!texts || !isPlain) return plain();
  return plain({ prints: { kind: "text", text: isOption ? texts.slice(1).join(" ") : `${texts.join(" ")}\n` } });
};

const printf: Builtin = (call) => {
  const { args, state, machine } = call;
  const [first, second] = args;
  const couldBeOption = first && !(first.known ? !first.value.startsWith("-") || first.value === "--" : /^[^-]/.test(first.prefix));
  if (!couldBeOption) {
    const words = first?.known && first.value === "--" ? args.slice(1) : args;
    const [format, ...values] = words;
    if (values.length > 0 && !(format?.known && !/%[^%a-zA-Z(]*[hjlLqtz]*n/.test(format.value))) return counting(values, call);
    const texts = knownTexts(words);
    const text = texts && formatted(texts);
    return plain(text === null || text === undefined ? {} : { prints: { kind: "text", text } });
  }
  if (args.length === 1 && (first.known || first.single)) return plain();
  // `-v NAME` sets a variable, whose subscript would be computed
  const name =
    first.known && first.value === "-v"
      ? second
      : first.known && first.value.startsWith("-v")
        ? { known: true as const, value: first.value.slice(2) }
        : undefined;
  if (!isName(name)) return anything(call, "`printf` may set a variable whose name is not known");
  return {
    doing: declared(),
    after: () => {
      assign(name.value, ANYTHING, { state, machine });
      return flowOf(state);
    },
  };
};

const MAX_FORMATTED = 1 << 20;

/** `%n` sets the variable that its value names, whose subscript would be computed. */
function counting(values: readonly Word[], call: BuiltinCall): BuiltinDoing {
  const isPlain = values.every((value) => (value.known ? !/[[\]]/.test(value.value) : value.number));
  if (!isPlain) return anything(call, "`printf` may set a variable whose name is not known");
  const names = values.filter(isName).map(({ value }) => value);
  return {
    doing: declared(),
    after: () => {
      for (const name of names) assign(name, joinValues(call.state.get(name), NUMBER), call);
      return flowOf(call.state);
    },
  };
}

/** What `printf` prints for a format of plain text and `%s`; `null`: it is not told here. */
function formatted([format = "", ...values]: readonly string[]): string | null {
  const pieces = format.match(/%%|%s|\\[nt\\]|[^%\\]+/g) ?? [];
  if (pieces.join("") !== format) return null;
  const slots = pieces.filter((piece) => piece === "%s").length;
  if (slots === 0 && values.length > 0) return null;
  // the format is printed again for each of them
  if (format.length * values.length > MAX_FORMATTED) return null;
  const ESCAPES: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", "\\\\": "\\", "%%": "%" };
  let text = "";
  let at = 0;
  do {
    for (const piece of pieces) {
      if (piece === "%s") text += values[at++] ?? "";
      else text += ESCAPES[piece] ?? piece;
    }
  } while (at < values.length);
  return text;
}

function knownTexts(words: readonly Word[]): readonly string[] | null {
  const texts = words.flatMap((word) => (word.known ? [word.value] : []));
  return texts.length === words.length ? texts : null;
}

export const PRINTING: Builtins = {
  ":": () => plain({ prints: { kind: "empty" } }),
  true: () => plain({ prints: { kind: "empty" } }),
  false: () => plain({ prints: { kind: "empty" } }),
  echo,
  printf,
  times: () => plain(),
  help: () => plain(),
  caller: () => plain(),
  umask: () => plain(),
  ulimit: () => plain(),
};
