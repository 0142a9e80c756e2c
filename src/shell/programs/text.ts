/** Programs that print files or their standard input, changed or not. */
import { type Doing, declared, type Invocation, open, type Program } from "../doing.ts";
import { parseOptions } from "../options.ts";
import { type PlainCall, plainProgram } from "../program.ts";
import { COMPARE } from "./compare.ts";
import { DUMP } from "./dump.ts";
import { jq } from "./jq.ts";
import { namesFromStdin, someLines } from "./lines.ts";
import { csplit, split } from "./split.ts";
import type { Family } from "./table.ts";
import { namedProgram } from "./told.ts";

const cat = plainProgram({
  flags:
    "-A -b -e -E -l -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting " +
    "--help --version",
  operands: "read",
  prints: ({ options, operands, stdin }) => (operands.length === 0 && options.every(({ name }) => name === "-u") ? stdin : undefined),
});

const tac = plainProgram({
  flags: "-b -r --before --regex --help --version",
  values: { "-s --separator": "text" },
  operands: "read",
  prints: (call) => lines(call, "-"),
});

const head = plainProgram({
  flags: "-q -v -z --quiet --silent --verbose --zero-terminated --help --version",
  values: { "-c -n --bytes --lines": "text" },
  special: /^-\d+[bckmlqvz]*$/,
  operands: "read",
  prints: (call) => lines(call, "-n --lines -q --quiet --silent -z --zero-terminated -N"),
});

const tail = plainProgram({
  flags: "-f -F -q -r -v -z --retry --quiet --silent --verbose --zero-terminated --help --version",
  values: { "-b -c -n -s --bytes --lines --sleep-interval --pid --max-unchanged-stats": "text" },
  optional: { "--follow": "text" },
  special: /^-\d+[bclfrF]*$/,
  operands: "read",
  prints: (call) => lines(call, "-f -F -r -n --lines -q --quiet --silent -z --zero-terminated -N"),
});

const nl = plainProgram({
  flags: "-p --no-renumber --help --version",
  values: {
    "-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering --header-numbering --line-increment": "text",
    "--join-blank-lines --number-format --number-separator --starting-line-number --number-width": "text",
  },
  operands: "read",
});

const wc = namesFromStdin(
  plainProgram({
    flags: "-c -l -L -m -w --bytes --chars --lines --max-line-length --words --help --version",
    values: { "--total": "text" },
    operands: "read",
    prints: ({ options, operands }) =>
      operands.length === 0 && options.every(({ name }) => !/^--(?:help|version)$/.test(name))
        ? { kind: "unknown", numbers: true }
        : undefined,
  }),
);

const cut = plainProgram({
  flags: "-n -s -w -z --only-delimited --complement --zero-terminated --help --version",
  values: { "-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter": "text" },
  operands: "read",
});

const paste = plainProgram({
  flags: "-s -z --serial --zero-terminated --help --version",
  values: { "-d --delimiters": "text" },
  operands: "read",
});

// temporary files that it makes in a folder of its own choice are nobody's; in one that it is told, they are in the way
const sort = namesFromStdin(
  plainProgram({
    flags:
      "-b -c -C -d -f -g -h -i -m -M -n -r -R -s -u -V -z --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort " +
      "--ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --merge --stable --unique " +
      "--zero-terminated --debug --mmap --qsort --heapsort --mergesort --radixsort --help --version",
    values: {
      "-k -S -t --key --sort --buffer-size --field-separator --batch-size --parallel": "text",
      "--random-source": "read",
      "-T --temporary-directory": "new_tree",
      "-o --output": "write",
    },
    opening: { "--compress-program": (program) => namedProgram(program), "--files0-from": "read" },
    optional: { "--check": "text" },
    operands: "read",
    // `+1 -2`, an old way to name a key
    unless: (_, operands) => (operands.some((word) => word.known && /^\+\d/.test(word.value)) ? open() : null),
    prints: (call) => lines(call, "-b -d -f -g -h -i -k -M -n -r -R -s -t -u -V -z --reverse --unique --numeric-sort --version-sort"),
  }),
);

const uniq = plainProgram({
  flags: "-c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated --help --version",
  values: { "-f -s -w --skip-fields --skip-chars --check-chars": "text" },
  optional: { "--all-repeated --group": "text" },
  special: /^-\d+$/,
  operands: ["read", "write"],
  unless: (_, operands) => (operands.length > 2 || operands.some((word) => word.known && /^\+\d/.test(word.value)) ? open() : null),
  prints: (call) => lines(call, "-d -D -i -u -z -f -s -w"),
});

const join = plainProgram({
  flags: "-i -z --ignore-case --check-order --nocheck-order --header --zero-terminated --help --version",
  values: { "-1 -2 -a -e -j -o -t -v": "text" },
  operands: "read",
});

const fold = plainProgram({
  flags: "-b -c -s --bytes --characters --spaces --help --version",
  values: { "-w --width": "text" },
  special: /^-\d+$/,
  operands: "read",
});

const fmt = plainProgram({
  flags: "-c -s -t -u --crown-margin --split-only --tagged-paragraph --uniform-spacing --help --version",
  values: { "-g -p -w --goal --prefix --width": "text" },
  special: /^-\d+$/,
  operands: "read",
});

const expand = plainProgram({
  flags: "-a -i --all --initial --first-only --help --version",
  values: { "-t --tabs": "text" },
  special: /^-\d[\d,]*$/,
  operands: "read",
});

// -n is a name to one version and a flag before a file to another
const column = plainProgram({
  flags:
    "-d -e -i -J -L -m -t -x --fillrows --json --keep-empty-lines --table --table-header-repeat --table-header-as-columns --table-noheadings " +
    "--table-maxout --help --version",
  values: {
    "-c -C -E -H -l -N -o -O -p -r -R -s -S -T -W --output-width --separator --output-separator --table-columns --table-column": "text",
    "--table-columns-limit --table-hide --table-right --table-truncate --table-wrap --table-noextreme --table-order --tree --tree-id":
      "text",
    "--tree-parent --use-spaces": "text",
    "-n --table-name": "read",
  },
  operands: "read",
});

const shuf = plainProgram({
  flags: "-e -r -z --echo --repeat --zero-terminated --help --version",
  values: { "-i -n --input-range --head-count": "text", "-o --output": "write", "--random-source": "read" },
  operands: "read",
  prints: (call) => lines(call, "-n --head-count -z --zero-terminated -r --repeat"),
});

const iconv = plainProgram({
  flags: "-c -l -s --list --silent --verbose --help --version",
  values: { "-f -t --from-code --to-code": "text", "-o --output": "write" },
  operands: "read",
});

const pr = plainProgram({
  flags: "-a -c -d -f -F -J -m -r -t -T -v --help --version",
  values: { "-D -h -l -N -o -w -W": "text" },
  optional: { "-e -i -n -s -S": "text" },
  special: /^-\d+$/,
  operands: "read",
});

const look = plainProgram({
  flags: "-a -d -f --alternative --alphanum --ignore-case",
  values: { "-t --terminate": "text" },
  operands: ["text", "read"],
});

// one version hands a line that begins with `!` to a shell
function isPlainInput({ stdin, args }: Invocation): boolean {
  const isText = stdin.kind === "empty" || (stdin.kind === "text" && !/^\s*!/m.test(stdin.text));
  return isText && args.every((word) => word.known && word.value.startsWith("-"));
}

const bcByFiles = plainProgram({
  flags: "-h -i -l -q -s -v -w --interactive --mathlib --quiet --standard --warn --help --version",
  operands: "read",
});
const bc: Program = (invocation) => (isPlainInput(invocation) ? bcByFiles(invocation) : open({ files: bcByFiles(invocation).files }));

/** Text in, text out, whatever the words are. */
const printer: Program = () => declared();

export const TEXT: Family = {
  cat,
  tac,
  head,
  tail,
  nl,
  wc,
  cut,
  paste,
  tr: translate,
  sort,
  uniq,
  join,
  fold,
  fmt,
  expand,
  unexpand: expand,
  column,
  rev: plainProgram({ flags: "-0 -h -V --zero --help --version", operands: "read" }),
  split,
  csplit,
  shuf,
  iconv,
  jq,
  yq: () => open(),
  pr,
  tsort: plainProgram({ flags: "-d -l -q -w --help --version", operands: "read" }),
  look,
  numfmt: printer,
  factor: printer,
  expr: printer,
  bc,
  dc: () => open(),
  ...COMPARE,
  ...DUMP,
};

/** Lines of the standard input, when nothing but these options is given and no operand; `-N` stands for a number as an option of its own. */
function lines({ options, operands, stdin }: PlainCall, allowed: string): ReturnType<typeof someLines> {
  const names = allowed.split(" ");
  const isAllowed = ({ name }: { readonly name: string }): boolean => names.includes(/^-\d+$/.test(name) ? "-N" : name);
  if (operands.length > 0 || !options.every(isAllowed)) return undefined;
  return someLines(stdin, options.some(({ name }) => name === "-z" || name === "--zero-terminated") ? "\0" : "\n");
}

/** `tr` reads no file. Paths that end otherwise stay paths, and numbers without some characters numbers. */
function translate({ args, stdin }: Invocation): Doing {
  const parsed = parseOptions(args, { flags: "-c -C -d -s -t -u" });
  if (!parsed.ok) return declared();
  const { options, operands } = parsed;
  const [from, to, more] = operands.map((word) => (word.known ? word.value : null));
  if (stdin.kind === "unknown" && stdin.numbers && options.length === 1 && options[0]?.name === "-d" && operands.length === 1) {
    return declared({ prints: stdin });
  }
  if (stdin.kind !== "paths" || options.length > 0 || more !== undefined) return declared();
  if (endOf(from) !== stdin.end || endOf(to) === null) return declared();
  return declared({ prints: { ...stdin, end: endOf(to) ?? stdin.end } });
}

/** The character that a set of `tr` names, when paths can end with it. */
function endOf(set: string | null | undefined): "\n" | "\0" | null {
  if (set === "\\n" || set === "\n") return "\n";
  return set === "\\0" || set === "\\000" ? "\0" : null;
}
