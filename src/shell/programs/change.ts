/** Programs that write, move or delete files. */
import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { parseOptions } from "../options.ts";
import { plainProgram, seenFiles } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { knownWord, type UnknownWord, type Word } from "../word.ts";
import { COMPRESS } from "./compress.ts";
import { COPY } from "./copy.ts";
import { given, valuesOf } from "./given.ts";
import { folderOf, inFolder, plainUse } from "./path-words.ts";
import type { Family } from "./table.ts";
import { tar } from "./tar.ts";
import { unzip, zip, zipinfo } from "./zip.ts";

const rm = dashIsFile(
  plainProgram({
    flags: "-d -f -i -I -P -r -R -v -x --dir --force --no-preserve-root --one-file-system --recursive --verbose --help --version",
    optional: { "--interactive --preserve-root": "text" },
    operands: "delete",
    recursive: "-r -R --recursive",
  }),
);

/** With `-p` the folders above go too, once they are empty. */
const rmdir: Program = ({ args }) => {
  const names = { flags: "-p -v --ignore-fail-on-non-empty --parents --verbose --help --version" };
  const parsed = parseOptions(args, names);
  if (!parsed.ok) return open({ files: seenFiles(seenOptions(args, names).operands.map((path) => plainUse("delete", path))) });
  const withParents = parsed.options.some(({ name }) => name === "-p" || name === "--parents");
  if (withParents && !parsed.operands.every((word) => word.known)) return open();
  const folders = parsed.operands.flatMap((word) => (withParents && word.known ? chain(word.value) : [word]));
  return declared({ files: folders.map((path) => plainUse("delete", path)) });
};

function chain(path: string): readonly Word[] {
  const parent = folderOf(path);
  return parent === "." || parent === "/" || parent === path ? [knownWord(path)] : [knownWord(path), ...chain(parent)];
}

const mkdir = dashIsFile(
  plainProgram({
    flags: "-p -v -Z --parents --verbose --help --version",
    values: { "-m --mode": "text" },
    optional: { "--context": "text" },
    operands: "write",
  }),
);

/** Only `-u`, which makes nothing, says all it does: the name that is made is not known before, but for the folder in which it is. */
const mktemp: Program = ({ args }) => {
  const names = { flags: "-d -q -t -u --directory --dry-run --quiet", values: "-p --suffix", optional: "--tmpdir" };
  const parsed = parseOptions(args, names);
  const { options, operands } = parsed.ok ? parsed : seenOptions(args, names);
  if (parsed.ok && given(options, "-u --dry-run")) return declared();
  const folder = valuesOf(options, "-p --tmpdir").at(-1);
  // with -t a name is one in the folder for temporary files
  const templates = given(options, "-t") ? [] : operands.map((word) => (word.known ? knownWord(folderOf(word.value)) : word));
  const folders = folder ? [folder, ...templates.map((path) => inFolder(folder, path))] : templates;
  return open({ files: seenFiles(folders.map((path): FileUse => ({ ...plainUse("write", path), tree: true }))) });
};

/** Makes pipes and devices. */
const mkfifo = dashIsFile(
  plainProgram({ flags: "-Z --help --version", values: { "-m --mode": "text" }, optional: { "--context": "text" }, operands: "write" }),
);
const mknod = dashIsFile(
  plainProgram({
    flags: "-Z --help --version",
    values: { "-m --mode": "text" },
    optional: { "--context": "text" },
    operands: ["write", "text"],
  }),
);

const touch = dashIsFile(
  plainProgram({
    flags: "-a -c -f -h -m --no-create --no-dereference --help --version",
    values: { "-A -d -t --date --time": "text", "-r --reference": "stat" },
    operands: "write",
  }),
);

const tee = dashIsFile(
  plainProgram({
    flags: "-a -i -p --append --ignore-interrupts --help --version",
    optional: { "--output-error": "text" },
    operands: "write",
  }),
);

const truncate = dashIsFile(
  plainProgram({
    flags: "-c -o --no-create --io-blocks --help --version",
    values: { "-s --size": "text", "-r --reference": "stat" },
    operands: "write",
  }),
);

/** With `-u` what is overwritten goes as well. */
const shred: Program = (invocation) => {
  const row = plainProgram({
    flags: "-f -u -v -x -z --exact --force --verbose --zero --help --version",
    values: { "-n -s --iterations --size": "text", "--random-source": "read" },
    optional: { "--remove": "text" },
    operands: "write",
  });
  const doing = row(invocation);
  const deletes = invocation.args.some((word) => word.known && /^(?:-[a-zA-Z]*u|--r)/.test(word.value));
  if (!deletes) return doing;
  return {
    ...doing,
    files: [
      ...doing.files,
      ...doing.files.filter(({ access }) => access === "write").map((use): FileUse => ({ ...use, access: "delete" })),
    ],
  };
};

const TEXT_OPERANDS = /^(?:bs|cbs|conv|count|ibs|iflag|iseek|obs|oflag|oseek|seek|skip|status|speed)=/;

/** `dd if=FILE of=FILE`. */
const dd: Program = ({ args }): Doing => {
  const files: FileUse[] = [];
  let isPlain = true;
  for (const word of args) {
    const text = word.known ? word.value : word.single && !word.below ? word.prefix : "";
    if (TEXT_OPERANDS.test(text) || text === "--help" || text === "--version") continue;
    const path: Word = word.known ? knownWord(text.slice(3)) : withoutStart(word, 3);
    if (/^[io]f=/.test(text) && !(path.known && path.value === "")) files.push(plainUse(text.startsWith("i") ? "read" : "write", path));
    else isPlain = false;
  }
  return isPlain ? declared({ files }) : open({ files: seenFiles(files) });
};

function withoutStart(word: UnknownWord, length: number): Word {
  return { ...word, prefix: word.prefix.slice(length) };
}

/** A mode such as `-x` or `-w,+r` looks like an option, and then no operand is a mode. */
function changingRights(kind: "mode" | "owner"): Program {
  const mode = /^-(?:[rwxXst]+|[ugo]|\d+)(?:,[ugoa]*[-+=][rwxXstugo]*)*$/;
  return dashIsFile(
    plainProgram({
      flags:
        "-c -f -h -H -L -P -R -v --changes --dereference --no-dereference --no-preserve-root --preserve-root --quiet --recursive --silent " +
        "--verbose --help --version",
      values: { "--from": "text", "--reference": "stat" },
      ...(kind === "mode" ? { special: mode } : {}),
      byOptions: (options) => ({
        operands: options.some(({ name }) => name === "--reference" || (kind === "mode" && mode.test(name))) ? "write" : ["text", "write"],
      }),
      recursive: "-R --recursive",
      follows: "-L",
    }),
  );
}

/** A program to which `-` is a file of that name. */
function dashIsFile(program: Program): Program {
  return (invocation) =>
    program({ ...invocation, args: invocation.args.map((word) => (word.known && word.value === "-" ? knownWord("./-") : word)) });
}

const owner = changingRights("owner");

export const CHANGE: Family = {
  ...COPY,
  rm,
  unlink: rm,
  rmdir,
  mkdir,
  mktemp,
  mkfifo,
  mknod,
  touch,
  tee,
  dd,
  truncate,
  shred,
  chmod: changingRights("mode"),
  chown: owner,
  chgrp: owner,
  chattr: () => open(),
  rsync: () => open(),
  tar,
  gtar: tar,
  bsdtar: tar,
  zip,
  unzip,
  zipinfo,
  ...COMPRESS,
  cpio: () => open(),
  sync: plainProgram({ flags: "-d -f --data --file-system --help --version", operands: "stat" }),
};
