import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { fileUses } from "../program.ts";
import { isSurelyNoOption, type Word } from "../word.ts";

const FLAGS = new Set(
  (
    "--null-input --raw-output --raw-output0 --join-output --ascii-output --sort-keys --color-output --monochrome-output --compact-output " +
    "--exit-status --raw-input --slurp --tab --unbuffered --stream --stream-errors --seq --binary --help --version"
  ).split(" "),
);

/** Options that take the next word, or the next two: what the last of them is. */
const VALUES = new Map<string, readonly ["text" | "read", 1 | 2]>([
  ["--indent", ["text", 1]],
  ["--arg", ["text", 2]],
  ["--argjson", ["text", 2]],
  ["--slurpfile", ["read", 2]],
  ["--rawfile", ["read", 2]],
  ["--argfile", ["read", 2]],
]);

/**
 * `jq`: reads its files and prints. A program in a file (`-f`), or one that imports another, reads more than its words say; nothing in the
 * language of `jq` writes or runs anything.
 */
export const jq: Program = ({ args }): Doing => {
  const files: FileUse[] = [];
  let filter: Word | null = null;
  let areFiles = true;
  let mayBeOption = true;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (!word) break;
    const text = word.known ? word.value : "";
    if (mayBeOption && text === "--") {
      mayBeOption = false;
      continue;
    }
    if (mayBeOption && !isPositional(word)) {
      if (text === "--args" || text === "--jsonargs") {
        areFiles = false;
        continue;
      }
      const [role, count] = VALUES.get(text) ?? ["text", 0];
      if (count === 0 && !FLAGS.has(text) && !/^-[abcCeEhjMnrRsSV]+$/.test(text)) return open();
      const taken = args.slice(at + 1, at + 1 + count);
      if (taken.length < count || taken.some((value) => !value.known && !value.single)) return open();
      const last = taken.at(-1);
      if (last) files.push(...fileUses(role, last));
      at += count;
      continue;
    }
    if (!word.known && !word.single && !word.below) return open();
    if (filter === null) filter = word;
    else if (areFiles) files.push(...fileUses("read", word));
  }
  if (filter !== null && !(filter.known && isSelfContained(filter.value))) return open({ files });
  return declared({ files });
};

function isPositional(word: Word): boolean {
  return word.known ? !/^-./.test(word.value) : isSurelyNoOption(word);
}

/** Imports stand at the front of a program; a comment can hide where that is. */
function isSelfContained(filter: string): boolean {
  if (/\bmodulemeta\b/.test(filter)) return false;
  return !/^\s*(?:module|import|include)\b/.test(filter) && !(/^\s*#/.test(filter) && /\b(?:import|include)\b/.test(filter));
}
