import type { Input, LeftOut } from "../doing.ts";
import type { GivenOption } from "../options.ts";
import type { PlainCall, PlainProgram } from "../program.ts";
import { knownWord, unknownWord } from "../word.ts";
import { given as has, valuesOf } from "./given.ts";
import { pathsBelow } from "./lines.ts";
import { plainProgramOfNamed } from "./named-files.ts";
import { plainGlobs, starGlobs } from "./plain-globs.ts";
import { namedProgram } from "./told.ts";

/**
 * `rg`. `--pre`, `--hostname-bin` and `--search-zip` (`-z`) run other programs, and so are not listed. What is ignored is said
 * to be read all the same.
 */
const SPEC: PlainProgram = {
  flags:
    "-0 -a -b -c -F -h -H -i -I -l -L -n -N -o -p -P -q -s -S -u -U -v -V -w -x -. --auto-hybrid-regex --no-auto-hybrid-regex --binary --no-binary " +
    "--block-buffered --no-block-buffered --byte-offset --no-byte-offset --case-sensitive --column --no-column --count --count-matches --crlf " +
    "--no-crlf --debug --encoding-none --no-encoding --files --files-with-matches --files-without-match --fixed-strings --no-fixed-strings " +
    "--follow --no-follow --glob-case-insensitive --no-glob-case-insensitive --heading --no-heading --help --hidden --no-hidden --ignore " +
    "--ignore-case --ignore-dot --ignore-exclude --ignore-file-case-insensitive --no-ignore-file-case-insensitive --ignore-files " +
    "--ignore-global --ignore-messages --ignore-parent --ignore-vcs --include-zero --no-include-zero --invert-match --no-invert-match --json " +
    "--no-json --line-buffered --no-line-buffered --line-number --no-line-number --line-regexp --max-columns-preview " +
    "--no-max-columns-preview --messages --mmap --no-mmap --multiline --no-multiline --multiline-dotall --no-multiline-dotall --no-config " +
    "--no-context-separator --no-filename --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global " +
    "--no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages --no-pcre2-unicode --pcre2-unicode --no-pre --no-require-git " +
    "--require-git --no-search-zip --no-sort-files --sort-files --no-stats --stats --no-text --text --no-trim --trim --no-unicode --unicode " +
    "--null --null-data --one-file-system --no-one-file-system --only-matching --passthru --passthrough --pcre2 --no-pcre2 --pcre2-version " +
    "--pretty --quiet --smart-case --stop-on-nonmatch --trace --type-list --unrestricted --version --vimgrep --with-filename --word-regexp",
  values: {
    "-A -B -C -d -e -E -g -j -m -M -r -t -T --after-context --before-context --color --colors --context --context-separator": "text",
    "--dfa-size-limit --encoding --engine --field-context-separator --field-match-separator --glob --hyperlink-format --iglob": "text",
    "--max-columns --max-count --max-depth --maxdepth --max-filesize --path-separator --pre-glob --regex-size-limit --regexp": "text",
    "--replace --sort --sortr --threads --type --type-add --type-clear --type-not": "text",
    "-f --file --ignore-file": "read",
  },
  // both are given no words but one that is not known
  opening: { "--pre --hostname-bin": (program) => namedProgram(program, [unknownWord("a file", { single: true })]) },
  abbreviated: false,
  permutes: true,
  byOptions: (options, stdin) => {
    if (has(options, "--type-list")) return { operands: "text" };
    const operands = hasNoPattern(options) ? "folder" : (["text", "folder"] as const);
    // a standard input of which nothing is known may be one that it does not look through, such as /dev/null
    const isPiped = stdin.kind === "text" || stdin.kind === "paths" || (stdin.kind === "unknown" && stdin.numbers === true);
    return isPiped && !has(options, "--files -f --file") ? { operands } : { operands, withoutOperands: "." };
  },
  follows: "-L --follow",
  prints: printed,
};

export const rg = plainProgramOfNamed(SPEC, { only: chosen, except: leftOut, hasPattern: (options) => !hasNoPattern(options) });

/**
 * Hidden names are left out, unless a file of the repository shows them, or a wildcard or type that is given; and what wildcards that begin with
 * `!` name, when there is none of the others, by which the order would count.
 */
function leftOut(options: readonly GivenOption[]): LeftOut | null {
  if (has(options, "-t --type --type-add --type-clear")) return null;
  const globs = valuesOf(options, "-g --glob --iglob");
  if (!globs.every((word) => word.known && word.value.startsWith("!"))) return null;
  const texts = globs.flatMap((word) => (word.known ? [word.value.slice(1)] : []));
  // a slash at the end is for folders alone
  const files = starGlobs(texts.filter((text) => !text.endsWith("/")).map(knownWord));
  const folders = starGlobs(texts.map(knownWord));
  const unrestricted = options.filter(({ name }) => name === "-u" || name === "--unrestricted").length;
  const shows = has(options, "-. --hidden --ignore-file") || unrestricted > 1;
  const isIgnoring = !has(options, "--no-ignore") && unrestricted === 0;
  const isMixed = options.some(({ name }) => /^--(?:no-)?ignore-(?!case$|messages$)/.test(name)) || has(options, "--ignore");
  const hidden = shows ? null : isIgnoring || isMixed ? "unless_shown" : "always";
  return { files, folders, ...(hidden ? { hidden } : {}) };
}

/** What the names of types that are used every day stand for, in all versions together, and where they differ more than that. */
const TYPES: Readonly<Record<string, string>> = {
  c: "*.c* *.h*",
  cpp: "*.c* *.h* *.inl",
  css: "*.css *.scss",
  go: "*.go",
  html: "*.htm *.html *.ejs",
  java: "*.java *.jsp *.jspx *.properties",
  js: "*.js *.jsx *.vue *.cjs *.mjs",
  markdown: "*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn",
  md: "*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn",
  py: "*.py *.pyi",
  python: "*.py *.pyi",
  rust: "*.rs",
  toml: "*.toml cargo.lock",
  ts: "*.ts *.tsx *.cts *.mts",
  typescript: "*.ts *.tsx *.cts *.mts",
  yaml: "*.yaml *.yml",
};

/** By the wildcards that it is given, of which one that begins with `!` leaves out; they go before the types. */
function chosen(options: readonly GivenOption[]): readonly string[] | null {
  const globs = valuesOf(options, "-g --glob --iglob").filter((word) => !(word?.known && word.value.startsWith("!")));
  if (globs.length > 0) return plainGlobs(globs);
  const types = valuesOf(options, "-t --type");
  if (types.length === 0 || has(options, "--type-add --type-clear")) return null;
  const known = types.map((type) => (type?.known && Object.hasOwn(TYPES, type.value) ? TYPES[type.value] : undefined));
  return known.every((names) => names !== undefined) ? known.flatMap((names) => names.split(" ")) : null;
}

/** Options that leave a list of files a list of files. */
const LISTING =
  "-l --files --files-with-matches --files-without-match -0 --null -. -d -e -F -g -i -n -s -S -t -T -u -v -w -x --fixed-strings --glob --hidden " +
  "--iglob --ignore-case --max-depth --no-ignore --no-messages --smart-case --sort --type --type-not --word-regexp";

function printed({ options, operands }: PlainCall): Input | undefined {
  if (!has(options, "-l --files --files-with-matches --files-without-match")) return undefined;
  if (!options.every(({ name }) => LISTING.split(" ").includes(name))) return undefined;
  const end = has(options, "-0 --null") ? "\0" : "\n";
  const files = hasNoPattern(options) ? operands : operands.slice(1);
  return files.length > 0 ? pathsBelow(files, end) : { kind: "paths", below: [""], end };
}

function hasNoPattern(options: readonly GivenOption[]): boolean {
  return has(options, "-e -f --regexp --file --files");
}
