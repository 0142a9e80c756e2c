import { type Input, open, type Program } from "../doing.ts";
import type { GivenOption } from "../options.ts";
import { type PlainCall, plainProgram } from "../program.ts";
import { knownWord, unknownWord } from "../word.ts";
import { given, valuesOf } from "./given.ts";
import { pathsBelow } from "./lines.ts";
import { plainGlobs } from "./plain-globs.ts";

/** `fd`. `-x` and `-X` run the words behind them, up to `;`, with what is found in the place of a mark, or at the end. */
export const fd: Program = (invocation) => {
  const { args } = invocation;
  const at = args.findIndex((word) => word.known && /^(?:-[a-zA-Z0-9]*[xX]|--exec(?:-batch)?)(?:=|$)/.test(word.value));
  if (at < 0) return fdByNames(invocation);
  const end = args.findIndex((word, index) => index > at && word.known && word.value === ";");
  const [option] = args.slice(at, at + 1);
  const attached = option?.known && option.value.includes("=") ? [knownWord(option.value.slice(option.value.indexOf("=") + 1))] : [];
  const command = [...attached, ...args.slice(at + 1, end < 0 ? args.length : end)];
  const found = unknownWord("what fd finds", { single: true, prefix: "./" });
  const words = command.map((word) => (word.known && /\{(?:\/\/?|\.|\/\.)?\}/.test(word.value) ? found : word));
  const more = words.some((word) => word === found) ? [] : [{ ...found, single: false }];
  const doing = fdByNames({ ...invocation, args: [...args.slice(0, at), ...(end < 0 ? [] : args.slice(end + 1))] });
  return open({ files: doing.files, runs: command.length > 0 ? [{ words: [...words, ...more] }] : [] });
};

const fdByNames = plainProgram({
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
  opening: { "--base-directory": "names" },
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
