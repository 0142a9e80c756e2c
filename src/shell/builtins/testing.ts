import type { Doing, FileUse } from "../doing.ts";
import { declared } from "../doing.ts";
import type { Word } from "../word.ts";
import { anything, type Builtin, type Builtins, isName } from "./builtin.ts";

/** Operators that look at a file; of the others `-v` and `-R` compute a subscript. */
const FILE = /^-[abcdefghkprsuwxGLNOS]$/;
const TEXT = /^-[znto]$/;
const VARIABLE = /^-[vR]$/;
const BINARY = /^(?:=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

/** `test` and `[`. Words that are not known may be operators, unless their place says that they are not. */
const test: Builtin = (call) => {
  const { name, args } = call;
  const inner = name === "[" && args.at(-1)?.known && textOf(args.at(-1)) === "]" ? args.slice(0, -1) : args;
  const read = readTest(inner);
  return read ? { doing: read } : anything(call, `\`${name}\` may compute what is not known`);
};

/** `null`: it may hold an operator that computes. */
function readTest(words: readonly Word[]): Doing | null {
  if (words.some((word) => !word.known && !word.single && !word.number)) return null;
  const files: FileUse[] = [];
  let at = 0;
  while (at < words.length) {
    if (isText(words[at], /^[!()]$/) && words.length > 1) {
      at += 1;
      continue;
    }
    const [first, second, third] = words.slice(at);
    if (first && third && isText(second, BINARY)) {
      if (isText(second, /^-(?:nt|ot|ef)$/)) files.push({ access: "stat", path: first }, { access: "stat", path: third });
      at += 3;
    } else if (second && isText(first, FILE)) {
      files.push({ access: "stat", path: second });
      at += 2;
    } else if (second && isText(first, TEXT)) at += 2;
    else if (isText(first, VARIABLE)) {
      if (second && !isName(second)) return null;
      at += 2;
    } else if (isText(first, /^-[ao]$/) || !second || isText(second, /^(?:-[ao]|\))$/)) at += 1;
    // nobody can tell what it is, or what the words behind it are
    else if (words.every((word) => word.known) && !words.some((word) => isText(word, VARIABLE))) return declared({ files });
    else return null;
  }
  return declared({ files });
}

function isText(word: Word | undefined, pattern: RegExp): boolean {
  return word?.known === true && pattern.test(word.value);
}

function textOf(word: Word | undefined): string {
  return word?.known ? word.value : "";
}

export const TESTING: Builtins = { test, "[": test };
