/** Builtins of bash: what each does to the shell, to files, and with its words. */
import type { Builtins } from "./builtin.ts";
import { CONTROL } from "./control.ts";
import { DECLARATIONS } from "./declarations.ts";
import { FOLDERS } from "./folders.ts";
import { INPUTS } from "./inputs.ts";
import { PRINTING } from "./printing.ts";
import { RUNNING } from "./running.ts";
import { TESTING } from "./testing.ts";

export const BUILTINS: Builtins = { ...PRINTING, ...TESTING, ...FOLDERS, ...DECLARATIONS, ...INPUTS, ...CONTROL, ...RUNNING };

/** Those that every `sh` has; what the others are there depends on the shell. */
export const POSIX_BUILTINS: ReadonlySet<string> = new Set(
  ". : [ bg break cd command continue echo eval exec exit export false fg getopts hash jobs kill local printf pwd read readonly return set shift test times trap true type ulimit umask unalias unset wait alias".split(
    " ",
  ),
);
