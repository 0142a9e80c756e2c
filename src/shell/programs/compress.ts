/** Programs that pack and unpack single files, each in its own place. */
import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { type GivenOption, type OptionNames, parseOptions } from "../options.ts";
import { seenFiles } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { knownWord, type Word } from "../word.ts";
import { valuesOf } from "./given.ts";
import { plainUse } from "./path-words.ts";
import type { Family } from "./table.ts";

interface Packer extends OptionNames {
  /** What a packed file's name ends with, the first one when it packs; what the name ends with then. */
  readonly endings: readonly (readonly [packed: string, plain: string])[];
  /** Options with which it prints, tests or lists only. */
  readonly reading: string;
  readonly unpacking: string;
  readonly keeping: string;
  /** True when it removes the source only if it is told to (`--rm`). */
  readonly keeps?: boolean;
}

// a suffix of one's own (-S) and the name that stands in the file (-N) can lie anywhere
const GZIP: Packer = {
  flags:
    "-1 -2 -3 -4 -5 -6 -7 -8 -9 -a -c -d -f -h -k -l -n -q -t -v -V --ascii --stdout --to-stdout --decompress --uncompress --force --keep --list " +
    "--no-name --quiet --test --verbose --fast --best --rsyncable --synchronous --help --version",
  values: "-b",
  endings: [
    [".gz", ""],
    [".tgz", ".tar"],
    [".taz", ".tar"],
    [".Z", ""],
    [".z", ""],
  ],
  reading: "-c --stdout --to-stdout -t --test -l --list",
  unpacking: "-d --decompress --uncompress",
  keeping: "-k --keep",
};

const BZIP2: Packer = {
  flags:
    "-1 -2 -3 -4 -5 -6 -7 -8 -9 -c -d -f -h -k -q -s -t -v -V -z --stdout --decompress --compress --force --keep --quiet --test --verbose --small --fast " +
    "--best --help --version",
  abbreviated: false,
  endings: [
    [".bz2", ""],
    [".bz", ""],
    [".tbz2", ".tar"],
    [".tbz", ".tar"],
  ],
  reading: "-c --stdout -t --test",
  unpacking: "-d --decompress",
  keeping: "-k --keep",
};

const XZ: Packer = {
  flags:
    "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -c -d -e -f -h -H -k -l -q -Q -t -v -V -z --stdout --to-stdout --decompress --uncompress --compress --extreme --force " +
    "--keep --list --quiet --test --verbose --no-warn --no-sparse --single-stream --no-adjust --robot --fast --best --help --version",
  values: "-C -M -T --check --memlimit --memory --memlimit-compress --memlimit-decompress --threads --block-size",
  abbreviated: false,
  endings: [
    [".xz", ""],
    [".txz", ".tar"],
    [".lzma", ""],
    [".tlz", ".tar"],
  ],
  reading: "-c --stdout --to-stdout -t --test -l --list",
  unpacking: "-d --decompress --uncompress",
  keeping: "-k --keep",
};

const ZSTD: Packer = {
  flags:
    "-c -d -f -h -k -l -q -t -v -V --stdout --decompress --uncompress --force --keep --list --quiet --test --verbose --ultra --rm --no-progress --help --version",
  values: "-o --output-dir-flat --output-dir-mirror",
  special: /^(?:-\d{1,2}|-T\d+|--long(?:=\d+)?|--fast(?:=\d+)?)$/,
  abbreviated: false,
  endings: [
    [".zst", ""],
    [".tzst", ".tar"],
  ],
  reading: "-c --stdout -t --test -l --list",
  unpacking: "-d --decompress --uncompress",
  keeping: "-k --keep",
  keeps: true,
};

export const COMPRESS: Family = {
  gzip: packing(GZIP),
  gunzip: packing(GZIP, "-d"),
  zcat: packing(GZIP, "-c"),
  gzcat: packing(GZIP, "-c"),
  bzip2: packing(BZIP2),
  bunzip2: packing(BZIP2, "-d"),
  bzcat: packing(BZIP2, "-c"),
  xz: packing(XZ),
  unxz: packing(XZ, "-d"),
  xzcat: packing(XZ, "-c"),
  lzcat: packing(XZ, "-c"),
  zstd: packing(ZSTD),
  unzstd: packing(ZSTD, "-d"),
  zstdcat: packing(ZSTD, "-c"),
};

/** `implied`: the option that the name of the program stands for. */
function packing(packer: Packer, implied?: "-d" | "-c"): Program {
  return ({ args }): Doing => {
    const parsed = parseOptions(args, packer);
    const { ok } = parsed;
    const seen = ok ? parsed : seenOptions(args, packer);
    const options: readonly GivenOption[] = [...seen.options, ...(implied ? [{ name: implied, value: null }] : [])];
    const has = (names: string): boolean => options.some(({ name }) => names.split(" ").includes(name));
    const operands = seen.operands.filter((word) => !(word.known && word.value === "-"));
    if (ok && has("-h --help -V --version")) return declared();
    const isReading = implied !== undefined || has(packer.unpacking) || has("-t --test -l --list");
    const sources = isReading ? operands.flatMap((path) => [path, ...otherNames(path, packer)]) : operands;
    const reads = sources.map((path) => plainUse("read", path));
    const output = valuesOf(options, "-o").at(-1);
    const folder = valuesOf(options, "--output-dir-flat --output-dir-mirror").at(-1);
    const told = [
      ...(output && !(output.known && output.value === "-") ? [plainUse("write", output)] : []),
      ...(folder ? [{ ...plainUse("write", folder), tree: true } as const] : []),
    ];
    if (has(packer.reading)) return ok && told.length === 0 ? declared({ files: reads }) : open({ files: seenFiles([...reads, ...told]) });
    const files: FileUse[] = [...reads, ...told];
    let isPlain = ok && !folder && !(has("-z --compress") && has(packer.unpacking));
    for (const word of operands) {
      const target = word.known ? targetOf(word.value, { packer, isUnpacking: has(packer.unpacking) }) : null;
      if (target === null && !output) isPlain = false;
      if (target && !output) files.push(plainUse("write", target));
      if (packer.keeps ? has("--rm") : !has(packer.keeping)) files.push(plainUse("delete", word));
    }
    return isPlain ? declared({ files }) : open({ files: seenFiles(files) });
  };
}

/** A name without an ending is tried with each of them when it is not there. */
function otherNames(path: Word, { endings }: Packer): readonly Word[] {
  if (!path.known || endings.some(([ending]) => path.value.endsWith(ending))) return [];
  return endings.map(([ending]) => knownWord(`${path.value}${ending}`));
}

/** `null`: the name does not say. */
function targetOf(path: string, { packer, isUnpacking }: { readonly packer: Packer; readonly isUnpacking: boolean }): Word | null {
  const [[ending] = [""]] = packer.endings;
  if (!isUnpacking) return knownWord(`${path}${ending}`);
  const found = packer.endings.find(([packed]) => path.endsWith(packed) && !path.endsWith(`/${packed}`) && path !== packed);
  return found ? knownWord(`${path.slice(0, -found[0].length)}${found[1]}`) : null;
}
