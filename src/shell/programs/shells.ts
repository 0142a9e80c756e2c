/** Shells: they run a text, a file, or what they read. */
import { type Doing, declared, type Input, type Invocation, open, type Program, type Run } from "../doing.ts";
import { fileUses } from "../program.ts";
import { knownWord, type Word } from "../word.ts";
import type { Family } from "./table.ts";

/** Letters of `set` that only stop, print or forbid, and `s`, `c`. Others change what words mean (`f`) or read files at the start. */
const LETTERS = /^-[euxvCbnsc]*o?$/;
const NAMES = /^(?:errexit|nounset|xtrace|verbose|noclobber|pipefail|noexec)$/;

/** What stands before the text or file. */
interface Start {
  readonly letters: string;
  readonly rest: readonly Word[];
}

function startOf(args: readonly Word[], isBash: boolean): Start | null {
  let letters = "";
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (!word) break;
    if (!word.known) return /^[^-+]/.test(word.prefix) && word.single ? { letters, rest: args.slice(at) } : null;
    const text = word.value;
    if (text === "--" || text === "-") return { letters, rest: args.slice(at + 1) };
    if (isBash && /^--(?:norc|noprofile)$/.test(text)) continue;
    if (!/^[-+]/.test(text)) return { letters, rest: args.slice(at) };
    if (!LETTERS.test(text)) return null;
    letters += text.slice(1);
    if (!text.endsWith("o")) continue;
    const name = args[at + 1];
    if (!name?.known || !NAMES.test(name.value)) return null;
    if (name.value === "noexec") letters += "n";
    at += 1;
  }
  return { letters, rest: [] };
}

function shell(name: "bash" | "sh" | "dash"): Program {
  return ({ args, stdin }: Invocation): Doing => {
    const isBash = name === "bash";
    if (isBash && args.length === 1 && args[0]?.known && /^--(?:version|help)$/.test(args[0].value)) return declared();
    const start = startOf(args, isBash);
    if (start === null) {
      const why = `\`${name}\` is given options that change what its text means, or what it reads first`;
      return open({ unknown: why, runs: givenText(args) });
    }
    const { letters, rest } = start;
    const [first, ...words] = rest;
    if (letters.includes("c")) {
      if (!first) return open({ unknown: `\`${name} -c\` lacks its text` });
      return letters.includes("n") ? declared() : run(first, { words, isBash });
    }
    const isInput = first?.known === true && /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/0)$/.test(first.value);
    if (first && !letters.includes("s") && !isInput) {
      if (/^\/(?:dev|proc)\//.test(first.known ? first.value : first.prefix)) return open({ unknown: `\`${name}\` runs what it reads` });
      const files = fileUses("read", first);
      if (letters.includes("n")) return declared({ files });
      return declared({ files, runs: [{ words: [asPath(first), ...words] }] });
    }
    if (letters.includes("n")) return declared();
    return fromInput(stdin, { words: isInput ? rest : [knownWord(name), ...rest], isBash, name });
  };
}

interface Around {
  readonly words: readonly Word[];
  readonly isBash: boolean;
}

function run(script: Word, { words, isBash }: Around): Doing {
  return declared({ runs: [{ script, positional: words, ...(isBash ? { shell: "bash" as const } : {}) }] });
}

function fromInput(stdin: Input, around: Around & { readonly name: string }): Doing {
  if (stdin.kind === "empty") return declared();
  if (stdin.kind === "text") return run(knownWord(stdin.text), around);
  return open({ unknown: `\`${around.name}\` runs what it reads from its standard input` });
}

/** A file that a shell is given is a program of its own, and is not looked for as one. */
function asPath(file: Word): Word {
  if (file.known) return file.value.includes("/") ? file : knownWord(`./${file.value}`);
  return { known: false, raw: file.raw, single: file.single, prefix: file.prefix.includes("/") ? file.prefix : `./${file.prefix}` };
}

/** Shells with a language of their own. */
function other({ name, args }: Invocation): Doing {
  if (args.length === 1 && args[0]?.known && args[0].value === "--version") return open();
  return open({ unknown: `\`${name}\` runs text as commands`, runs: givenText(args) });
}

/** Options of some shell whose value is the next word; one that takes none in another shell makes its text no text. */
const WITH_VALUE = /^(?:[-+][A-Za-z]*[oO]|--(?:rcfile|init-file|init-command|config|env-config))$/;

/** The text behind `-c`, whatever else the shell is told, where it is certain which word that is. */
function givenText(args: readonly Word[]): readonly Run[] {
  let hasText = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (!word) break;
    const text = word.known ? word.value : word.prefix;
    const isEnd = text === "--" || text === "-";
    if (isEnd || !/^[-+]/.test(text)) {
      const script = isEnd ? args[at + 1] : word;
      const positional = args.slice(isEnd ? at + 2 : at + 1);
      return hasText && script?.known ? [{ script, positional, shell: "bash", roughly: true }] : [];
    }
    if (!word.known) return [];
    if (/^-[A-Za-z]*c/.test(text)) hasText = true;
    if (WITH_VALUE.test(text)) at += 1;
  }
  return [];
}

const OTHERS = "ash csh elvish fish ksh ksh93 mksh nu oksh osh pwsh rbash rksh tcsh xonsh yash zsh";

export const SHELLS: Family = {
  bash: shell("bash"),
  sh: shell("sh"),
  dash: shell("dash"),
  ...Object.fromEntries(OTHERS.split(" ").map((name) => [name, other])),
};
