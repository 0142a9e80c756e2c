import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { type OptionNames, parseOptions } from "../options.ts";
import { fileUses, seenFiles } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { knownWord, unknownWord, type Word } from "../word.ts";
import { commandsInAwk, readAwkProgram } from "./awk-program.ts";
import { valuesOf } from "./given.ts";
import type { Family } from "./table.ts";
import { shellText } from "./told.ts";

/**
 * `awk`, of any make: its program must be known as text. One in a file (`-f`) is not read, and options of one make that print the program or
 * its variables into a file are not listed. Some makes look at the first letter of an option only: no clusters, and values of long options
 * only in the same word.
 */
const NAMES: OptionNames = {
  flags: "-b -n -P -S --version --posix --csv --re-interval --sandbox --characters-as-bytes",
  values: "-F -v",
  optional: "--assign --field-separator",
  mixed: false,
  abbreviated: false,
};

const SEEN: OptionNames = {
  ...NAMES,
  values: "-F -v -f -e -E -i -l --file --source --exec --include --load -W --assign --field-separator",
};

const awk: Program = ({ args }): Doing => {
  const parsed = parseOptions(args, NAMES);
  const isParsed = parsed.ok && !args.some((word) => /^-[bnPS]./.test(word.known ? word.value : word.prefix));
  const { options, operands } = isParsed ? parsed : seenOptions(args, SEEN);
  const texts = valuesOf(options, "-e --source");
  const files = valuesOf(options, "-f -E --file --exec -i --include");
  const hasText = texts.length + files.length > 0;
  const program = hasText ? undefined : operands[0];
  const others = hasText ? operands : operands.slice(1);
  if (isParsed && !program) return declared();
  const done = program?.known ? readAwkProgram(program.value) : null;
  const uses: readonly FileUse[] = [
    ...(done?.writes ?? []).map((path): FileUse => ({ access: "write", path: knownWord(path) })),
    ...[...files, ...others.filter((word) => !isAssignment(word))].flatMap((word) => fileUses("read", word)),
  ];
  if (isParsed && done) return declared({ files: uses });
  const commands = [...texts, ...(program ? [program] : [])].flatMap((word) => (word.known ? commandsInAwk(word.value) : []));
  return open({
    files: seenFiles(uses),
    runs: [...new Set(commands)].map((text) =>
      shellText(text === null ? unknownWord("what awk makes up", { single: true }) : knownWord(text)),
    ),
  });
};

export const AWK: Family = { awk, gawk: awk, mawk: awk, nawk: awk, "original-awk": awk, bwk: awk };

/** `name=value` among the files sets a variable. */
function isAssignment(word: Word): boolean {
  return /^[A-Za-z_]\w*=/.test(word.known ? word.value : word.prefix) && (word.known || !word.below);
}
