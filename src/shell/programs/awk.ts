import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { parseOptions } from "../options.ts";
import { fileUses } from "../program.ts";
import { knownWord, type Word } from "../word.ts";
import { readAwkProgram } from "./awk-program.ts";
import type { Family } from "./table.ts";

/**
 * `awk`, of any make: its program must be known as text. One in a file (`-f`) is not read, and options of one make that print the program or
 * its variables into a file are not listed. Some makes look at the first letter of an option only: no clusters, and values of long options
 * only in the same word.
 */
const awk: Program = ({ args }): Doing => {
  const parsed = parseOptions(args, {
    flags: "-b -n -P -S --version --posix --csv --re-interval --sandbox --characters-as-bytes",
    values: "-F -v",
    optional: "--assign --field-separator",
    mixed: false,
    abbreviated: false,
  });
  if (!parsed.ok || args.some((word) => /^-[bnPS]./.test(word.known ? word.value : word.prefix))) return open();
  const [program, ...operands] = parsed.operands;
  if (!program) return declared();
  const done = program.known ? readAwkProgram(program.value) : null;
  if (!done) return open();
  const files: FileUse[] = [
    ...done.writes.map((path): FileUse => ({ access: "write", path: knownWord(path) })),
    ...operands.filter((word) => !isAssignment(word)).flatMap((word) => fileUses("read", word)),
  ];
  return declared({ files });
};

export const AWK: Family = { awk, gawk: awk, mawk: awk, nawk: awk, "original-awk": awk, bwk: awk };

/** `name=value` among the files sets a variable. */
function isAssignment(word: Word): boolean {
  return /^[A-Za-z_]\w*=/.test(word.known ? word.value : word.prefix) && (word.known || !word.below);
}
