/** Programs that look for text in files, or for files by their names. */
import { type Input, type LeftOut, open, type Program } from "../doing.ts";
import type { GivenOption } from "../options.ts";
import type { PlainCall, PlainProgram } from "../program.ts";
import { fd } from "./fd.ts";
import { find } from "./find.ts";
import { valuesOf } from "./given.ts";
import { pathsBelow, someLines } from "./lines.ts";
import { plainProgramOfNamed } from "./named-files.ts";
import { plainGlobs, starGlobs } from "./plain-globs.ts";
import { rg } from "./rg.ts";
import type { Family } from "./table.ts";

const grep = grepCalled("grep");

export const SEARCH: Family = {
  grep,
  egrep: grep,
  fgrep: grep,
  rgrep: grepCalled("rgrep"),
  rg,
  fd,
  fdfind: fd,
  find,
  zgrep: () => open(),
  ag: () => open(),
  ack: () => open(),
};

/** `rgrep` is `grep -r`. */
function grepCalled(program: "grep" | "rgrep"): Program {
  const isRecursive = (options: readonly GivenOption[]): boolean =>
    program === "rgrep" ||
    options.some(
      ({ name, value }) =>
        /^(?:-r|-R|--recursive|--dereference-recursive)$/.test(name) ||
        (/^(?:-d|--directories)$/.test(name) && textOf(value) === "recurse"),
    );
  const spec: PlainProgram = {
    flags:
      "-a -b -c -E -F -G -h -H -i -I -l -L -n -o -P -q -r -R -s -T -u -U -v -V -w -x -y -z -Z --basic-regexp --binary --byte-offset --count " +
      "--dereference-recursive --extended-regexp --files-with-matches --files-without-match --fixed-strings --help --ignore-case --initial-tab " +
      "--invert-match --line-buffered --line-number --line-regexp --mmap --no-filename --no-group-separator --no-ignore-case --no-messages " +
      "--null --null-data --only-matching --perl-regexp --quiet --recursive --silent --text --unix-byte-offsets --version --with-filename " +
      "--word-regexp",
    values: {
      "-A -B -C -d -D -e -m --after-context --before-context --binary-files --devices --directories --exclude --exclude-dir": "text",
      "--group-separator --include --label --max-count --regexp": "text",
      "-f --file --exclude-from": "read",
    },
    optional: { "--color --colour --context": "text" },
    special: /^-\d+$/,
    permutes: true,
    byOptions: (options) => {
      const role = isRecursive(options) ? "folder" : "read";
      return { operands: hasNoPattern(options) ? role : ["text", role], ...(role === "folder" ? { withoutOperands: "." } : {}) };
    },
    // `-d` with a value that is not known may be anything
    unless: (options) =>
      options.some(({ name, value }) => /^(?:-d|--directories)$/.test(name) && !/^(?:read|skip|recurse)$/.test(textOf(value)))
        ? open()
        : null,
    follows: "-R --dereference-recursive",
    prints: (call) => printed(call, isRecursive(call.options)),
  };
  return plainProgramOfNamed(spec, { only: included, except: excluded, hasPattern: (options) => !hasNoPattern(options) });
}

/** Where nothing is included by name, which would be a matter of order. */
function excluded(options: readonly GivenOption[]): LeftOut | null {
  const files = valuesOf(options, "--include").length > 0 ? [] : starGlobs(valuesOf(options, "--exclude"));
  const folders = starGlobs(valuesOf(options, "--exclude-dir"));
  return files.length + folders.length > 0 ? { files, folders } : null;
}

/** With `--include`: where another option that chooses names stands first, what matches none of them is included too. */
function included(options: readonly GivenOption[]): readonly string[] | null {
  const choosing = options.filter(({ name }) => /^--(?:include|exclude|exclude-from)$/.test(name));
  return choosing[0]?.name === "--include" ? plainGlobs(valuesOf(choosing, "--include")) : null;
}

/** Options that only choose the lines, or the files. */
const CHOOSING =
  "-a -e -E -F -G -h -i -I -m -P -r -R -s -v -w -x -y --exclude --exclude-dir --extended-regexp --fixed-strings --ignore-case --include " +
  "--invert-match --max-count --recursive --regexp --text --word-regexp";

const LISTS = "-l -L -n -Z --files-with-matches --files-without-match --null";

function printed({ options, operands, stdin }: PlainCall, isRecursive: boolean): Input | undefined {
  const files = hasNoPattern(options) ? operands : operands.slice(1);
  const others = options.map(({ name }) => name).filter((name) => !CHOOSING.split(" ").includes(name));
  const areAll = (names: string): boolean => others.length > 0 && others.every((name) => names.split(" ").includes(name));
  if (files.length === 0 && !isRecursive && (others.length === 0 || areAll("-z"))) return someLines(stdin, areAll("-z") ? "\0" : "\n");
  if (areAll("-c --count") && !isRecursive && files.length < 2 && files.every((word) => word.known || word.single)) {
    return { kind: "unknown", numbers: true };
  }
  if (!areAll(LISTS) || others.every((name) => /^(?:-n|-Z|--null)$/.test(name))) return undefined;
  const end = others.includes("-Z") || others.includes("--null") ? "\0" : "\n";
  if (files.length > 0) return pathsBelow(files, end);
  return isRecursive ? { kind: "paths", below: [""], end } : undefined;
}

function hasNoPattern(options: readonly GivenOption[]): boolean {
  return options.some(({ name }) => /^(?:-e|-f|--regexp|--file)$/.test(name));
}

function textOf(value: GivenOption["value"]): string {
  return value?.known ? value.value : "";
}
