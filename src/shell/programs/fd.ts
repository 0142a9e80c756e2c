import type { Input } from "../doing.ts";
import type { GivenOption } from "../options.ts";
import { type PlainCall, plainProgram } from "../program.ts";
import { knownWord } from "../word.ts";
import { given, valuesOf } from "./given.ts";
import { pathsBelow } from "./lines.ts";
import { plainGlobs } from "./plain-globs.ts";

/** `fd`. `-x` and `-X` run a command, `-l` runs `ls`. */
export const fd = plainProgram({
  flags:
    "-0 -1 -a -F -g -h -H -i -I -L -p -q -s -u -V --absolute-path --case-sensitive --fixed-strings --follow --full-path --glob --help --hidden " +
    "--ignore --ignore-case --no-follow --no-hidden --no-ignore --no-ignore-parent --no-ignore-vcs --no-require-git --one-file-system --print0 " +
    "--prune --quiet --regex --relative-path --show-errors --unrestricted --version",
  values: {
    "-c -d -e -E -j -o -S -t --and --changed-before --changed-within --color --exact-depth --exclude --extension --format --max-depth":
      "text",
    "--max-results --min-depth --newer --older --owner --path-separator --size --threads --type": "text",
    "--ignore-file": "read",
    "--search-path": "names",
  },
  optional: { "--strip-cwd-prefix": "text" },
  abbreviated: false,
  permutes: true,
  operands: ["text", "names"],
  withoutOperands: ".",
  follows: "-L --follow",
  prints: printed,
});

/** Options that leave what it prints paths as they are found. */
const LISTING =
  "-0 -1 -d -e -E -F -g -H -i -I -j -p -s -S -t -u --case-sensitive --changed-before --changed-within --exact-depth --exclude --extension " +
  "--fixed-strings --full-path --glob --hidden --ignore-case --max-depth --max-results --min-depth --newer --no-follow --no-ignore " +
  "--no-ignore-vcs --older --print0 --regex --size --threads --type --unrestricted";

function printed({ options, operands }: PlainCall): Input | undefined {
  if (!options.every(({ name }) => LISTING.split(" ").includes(name))) return undefined;
  const end = given(options, "-0 --print0") ? "\0" : "\n";
  const [, ...folders] = operands;
  const paths = folders.length > 0 ? pathsBelow(folders, end) : ({ kind: "paths", below: [""], end } as const);
  if (paths?.kind !== "paths") return undefined;
  const types = valuesOf(options, "-t --type");
  const areFiles = types.length > 0 && types.every((type) => type?.known && /^f(?:ile)?$/.test(type.value));
  const only =
    extensions(options) ?? (given(options, "-g --glob") && !given(options, "-p --full-path") ? plainGlobs(operands.slice(0, 1)) : null);
  return { ...paths, ...(only ? { only } : {}), ...(areFiles ? { regular: true } : {}) };
}

function extensions(options: readonly GivenOption[]): readonly string[] | null {
  const given = valuesOf(options, "-e --extension");
  return plainGlobs(given.map((word) => (word?.known ? knownWord(`*.${word.value.replace(/^\.+/, "")}`) : null)));
}
