/**
 * Programs that build, convert and patch. They are `open`, since they run helpers, plug-ins or what a file of the project says; which files their
 * words say they read and write is told.
 */
import { type FileUse, open, type Program } from "../doing.ts";
import type { OptionNames } from "../options.ts";
import { fileUses, operandUses, type Role, seenFiles } from "../program.ts";
import { type SeenOptions, seenOptions } from "../seen-options.ts";
import { knownWord, type Word } from "../word.ts";
import { given, valuesOf } from "./given.ts";
import { patch } from "./outputs-patch.ts";
import type { Family } from "./table.ts";

interface Output extends Pick<OptionNames, "flags" | "mixed"> {
  /** By names such as `-o --output`: what the option's value is; names with one dash may have several letters. */
  readonly values?: Readonly<Record<string, Role>>;
  /** What each operand is, the last for all that follow. Default `read`. */
  readonly operands?: readonly Role[];
  /** What else it writes. */
  readonly also?: (seen: SeenOptions) => readonly FileUse[];
}

/** A row of what can be seen. */
export function outputs({ values = {}, operands = ["read"], also, ...rest }: Output): Program {
  const names: OptionNames = { ...rest, values: Object.keys(values).join(" "), abbreviated: false };
  return ({ args }) => {
    const seen = seenOptions(args, names);
    const files = [
      ...Object.entries(values).flatMap(([options, role]) => valuesOf(seen.options, options).flatMap((value) => fileUses(role, value))),
      ...operandUses(seen.operands, operands),
      ...(also?.(seen) ?? []),
    ];
    return open({ files: seenFiles(files) });
  };
}

/** The last operand is what is written, the others are read. */
const lastIsWritten = (spec: Output = {}): Program =>
  outputs({
    ...spec,
    operands: ["text"],
    also: ({ operands, options }) => [
      ...operands.slice(0, -1).flatMap((path) => fileUses("read", path)),
      ...operands.slice(-1).flatMap((path) => fileUses("write", path)),
      ...(spec.also?.({ operands, options }) ?? []),
    ],
  });

function writes(...paths: readonly string[]): readonly FileUse[] {
  return paths.map((path) => ({ access: "write", path: knownWord(path) }));
}

function knownOf(words: readonly Word[]): readonly string[] {
  return words.flatMap((word) => (word.known ? [word.value] : []));
}

/** The name of a source in the folder where it is built, with another ending. */
function builtHere(path: string, ending: string): string {
  return path.replace(/^.*\//s, "").replace(/\.[^.]*$/, "") + ending;
}

const compiler = outputs({
  flags: "-c -S -E -g -w -v -s -P -C",
  values: {
    "-o -MF -dumpbase -save-temps": "write",
    "-dumpdir": "new_tree",
    "-D -U -I -L -l -x -u -T -z -A -B -idirafter -iquote -isystem -isysroot -Xlinker -Xassembler -Xpreprocessor -Xclang -arch -target -MT -MQ -e -O -W -f -m":
      "text",
    "-include -imacros": "read",
  },
  also: ({ options, operands }) => {
    const isPart = given(options, "-c -S");
    if (given(options, "-o -E")) return [];
    const ending = given(options, "-c") ? ".o" : ".s";
    return isPart ? writes(...knownOf(operands).map((path) => builtHere(path, ending))) : operands.length > 0 ? writes("a.out") : [];
  },
});

const rustc = outputs({
  flags: "-g -O -v",
  values: {
    "-o": "write",
    "--out-dir": "new_tree",
    "-L -l -C -A -W -D -F --crate-type --crate-name --edition --emit --print --cfg --target --extern": "text",
  },
  also: ({ options, operands }) => (given(options, "-o --out-dir") ? [] : writes(...knownOf(operands).map((path) => builtHere(path, "")))),
});

/** `go build -o FILE`: its options have one dash or two. */
const go: Program = (invocation) =>
  goByWords({
    ...invocation,
    args: invocation.args.flatMap((word) => {
      const [, name, value] = (word.known && /^(--?\w+)=(.*)$/s.exec(word.value)) || [];
      return name === undefined ? [word] : [knownWord(name), knownWord(value ?? "")];
    }),
  });

const goByWords = outputs({
  values: {
    "-o --o -coverprofile --coverprofile -cpuprofile --cpuprofile -memprofile --memprofile -trace --trace": "write",
    "-C --C -p -tags --tags -ldflags --ldflags -gcflags --gcflags -mod --mod -run --run -count --count -timeout --timeout": "text",
  },
  operands: ["text"],
});

const tsc = outputs({
  values: {
    "--outFile --tsBuildInfoFile": "write",
    "--outDir --declarationDir": "new_tree",
    "-p --project": "text",
    "--target -t --module -m --lib --jsx --rootDir": "text",
  },
});

/** `ar rcs ARCHIVE FILE…`: the letters stand first, with or without a dash. */
const ar: Program = ({ args }) => {
  const [verb, ...rest] = args.filter((word) => !(word.known && /^--/.test(word.value)));
  const letters = verb?.known ? verb.value.replace(/^-/, "") : "";
  // a member that others stand before or behind
  const [archive, ...members] = /[abi]/.test(letters) && /[mr]/.test(letters) ? rest.slice(1) : rest;
  if (!archive) return open();
  const changes = !/^[tp]/.test(letters);
  const files = [
    ...fileUses("read", archive),
    ...(changes ? fileUses("write", archive) : []),
    ...(letters.includes("x") ? fileUses("new_tree", knownWord(".")) : members.flatMap((path) => fileUses("read", path))),
  ];
  return open({ files: seenFiles(files) });
};

/** `sqlite3 FILE TEXT`. */
const sqlite = outputs({
  values: { "-cmd --cmd -separator -newline -nullvalue -vfs -mmap -lookaside": "text", "-init --init": "read" },
  operands: ["write", "text"],
  also: ({ operands: [file] }) =>
    file?.known ? [{ access: "read", path: file }, ...writes(...["-journal", "-wal", "-shm"].map((end) => `${file.value}${end}`))] : [],
});

const magick = lastIsWritten();

/** `ffmpeg … OUTPUT`: what is read stands behind `-i`, and most options have a value. */
const ffmpeg: Program = ({ args }) => {
  const files = args.flatMap((word, at): readonly FileUse[] => {
    const before = args[at - 1];
    const text = before?.known ? before.value : "";
    if (text === "-i") return fileUses("read", word);
    if (at === args.length - 1 && word.known && !word.value.startsWith("-")) return fileUses("write", word);
    return /^-(?:passlogfile|report|vstats_file|progress|dump_attachment)/.test(text) ? fileUses("write", word) : [];
  });
  return open({ files: seenFiles(files) });
};

const objcopy = outputs({
  values: {
    "--add-section --update-section --add-gnu-debuglink": "text",
    "-I --input-target -O --output-target -F -B -j -R -N -K -L -G -W --set-section-flags --rename-section --redefine-sym": "text",
    "--dump-section": "text",
    "--split-dwo": "text",
  },
  operands: ["read", "write"],
  also: ({ options, operands }) => [
    ...(operands.length === 1 ? operands.flatMap((path) => fileUses("write", path)) : []),
    ...knownOf(valuesOf(options, "--dump-section")).flatMap((value) => writes(value.replace(/^[^=]*=/, ""))),
  ],
});

const strip = outputs({
  values: { "-o": "write", "-F -I -O -R -K -N --remove-section --strip-symbol --keep-symbol": "text" },
  also: ({ options, operands }) => (given(options, "-o") ? [] : operands.flatMap((path) => fileUses("write", path))),
});

/** Writes its standard input when that has ended. */
const sponge = outputs({ flags: "-a", operands: ["write"] });

export const OUTPUTS: Family = {
  rustc,
  go,
  ar,
  patch,
  objcopy,
  strip,
  sponge,
  ffmpeg,
  pandoc: outputs({
    flags: "-s -N -S",
    values: {
      "-o --output --log --extract-media": "write",
      "-f -r -t -w --from --to --read --write -V -M -T -H -B -A --variable --metadata --toc-depth": "text",
      "-F -L --filter --lua-filter --template -c --css --bibliography --csl -d --defaults --metadata-file": "read",
    },
  }),
  sqlite3: sqlite,
  sqlite,
  magick,
  convert: magick,
  mogrify: outputs({ values: { "-path": "new_tree", "-resize -quality -format -crop -rotate -strip": "text" }, operands: ["write"] }),
  ld: outputs({ values: { "-o -Map": "write", "-L -l -T -e -m -z -I -rpath -soname": "text" } }),
  as: outputs({ values: { "-o --MD": "write", "-I": "text" } }),
  nasm: outputs({ values: { "-o -l -MF -E": "write", "-f -I -D -p": "text" } }),
  ranlib: outputs({ operands: ["write"] }),
  protoc: outputs({ values: { "-o --descriptor_set_out": "write", "-I --proto_path": "text" } }),
  xsltproc: outputs({ values: { "-o --output": "write", "--param --stringparam": "text" } }),
  xmllint: outputs({
    values: { "--output -o": "write", "--xpath --encode --pretty --shell": "text", "--schema --relaxng --dtdvalid": "read" },
  }),
  dot: outputs({ values: { "-o": "write", "-T -K -G -N -E -l": "text" } }),
  bison: outputs({ values: { "-o --output --defines": "write" } }),
  flex: outputs({ values: { "-o --outfile": "write" } }),
  m4: outputs({ values: { "-o --debugfile --error-output -F --freeze-state": "write", "-D -I -U": "text", "-R --reload-state": "read" } }),
  wkhtmltopdf: lastIsWritten(),
  pdftotext: outputs({ values: { "-f -l -r -enc -eol": "text" }, operands: ["read", "write"] }),
  qpdf: lastIsWritten(),
  gs: outputs({ values: { "-o": "write" } }),
  "7z": archive7z,
  "7za": archive7z,
  "7zr": archive7z,
};

/** Those that `languages.ts` knows more of. */
export const COMPILERS = {
  compiler,
  tsc,
  javac: outputs({ values: { "-d -h -s": "new_tree", "-cp -classpath --class-path -source -target --release -encoding": "text" } }),
} as const;

/** `7z x ARCHIVE -oFOLDER`, `7z a ARCHIVE FILE…`. */
function archive7z({ args }: Parameters<Program>[0]): ReturnType<Program> {
  const operands = args.filter((word) => !(word.known && word.value.startsWith("-")));
  const [verb, archive, ...files] = operands;
  const folder = args.flatMap((word) => (word.known && /^-o./.test(word.value) ? [knownWord(word.value.slice(2))] : [])).at(-1);
  if (!verb?.known || !archive) return open();
  const unpacks = /^[xe]$/.test(verb.value);
  const changes = /^(?:a|d|u|rn)$/.test(verb.value);
  return open({
    files: seenFiles([
      ...fileUses("read", archive),
      ...(unpacks ? fileUses("new_tree", folder ?? knownWord(".")) : []),
      ...(changes ? [...fileUses("write", archive), ...files.flatMap((path) => fileUses("folder", path))] : []),
    ]),
  });
}
