import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { type OptionNames, parseOptions } from "../options.ts";
import { fileUses, seenFiles } from "../program.ts";
import { type SeenOptions, seenOptions } from "../seen-options.ts";
import { type KnownWord, knownWord, unknownWord, type Word } from "../word.ts";
import { valuesOf } from "./given.ts";
import { readSedScript } from "./sed-script.ts";
import type { Family } from "./table.ts";
import { shellText } from "./told.ts";

// a script in a file (-f) is not read
const NAMES: OptionNames = {
  flags:
    "-n -E -r -s -u -z --quiet --silent --regexp-extended --separate --unbuffered --null-data --zero-terminated --debug --posix --sandbox " +
    "--follow-symlinks --help --version",
  values: "-e --expression",
  optional: "-i --in-place",
};

// some versions have -I for -i, with a value
const SEEN: OptionNames = {
  ...NAMES,
  flags: `${NAMES.flags} -a -b --binary`,
  values: `${NAMES.values} -f --file -l --line-length -I`,
};

/** `sed`: reads its files, and those that its script names; writes the ones that its script names, and with `-i` its files. */
const sed: Program = ({ args }): Doing => {
  const parsed = parseOptions(args, NAMES);
  const strict = parseOptions(args, { ...NAMES, mixed: false });
  const isParsed = parsed.ok && strict.ok;
  const given = isParsed ? parsed : seenOptions(args, SEEN);
  const inPlace = given.options.filter(({ name }) => /^-(?:[iI]|-in-place)$/.test(name));
  const suffixes = inPlace.flatMap(({ value }) => (value === null ? [] : [value]));
  const isBare = inPlace.some(({ value }) => value === null);
  const isOdd = !suffixes.every(isPlainSuffix) || args.some(mayHoldSuffix);
  const { script, files } = scriptOf(given, isBare);
  const done = readPieces(script);
  const uses: readonly FileUse[] = [
    ...valuesOf(given.options, "-f --file").flatMap((path) => fileUses("read", path)),
    ...(done?.reads ?? []).map((path): FileUse => ({ access: "read", path: knownWord(path) })),
    ...(done?.writes ?? []).map((path): FileUse => ({ access: "write", path: knownWord(path) })),
    ...files.flatMap((file) => fileUses("read", file)),
    ...(inPlace.length > 0 ? files.map((path): FileUse => ({ access: "write", path })) : []),
    ...suffixes.filter(isPlainSuffix).flatMap((suffix) => files.flatMap((file) => backup(file, suffix))),
  ];
  // some versions take options behind the first operand for files, and then that operand for the script
  const isSame = isParsed && JSON.stringify(scriptOf(strict, isBare).script) === JSON.stringify(script);
  const isPlain =
    isSame &&
    done !== null &&
    done.runs === undefined &&
    !(isBare && files.length > 1 && files.slice(0, 1).some(mayBeScript)) &&
    !isOdd &&
    (suffixes.length === 0 || files.every((file) => file.known));
  if (isPlain) return declared({ files: uses });
  const runs = (done?.runs ?? []).map((text) =>
    shellText(text === null ? unknownWord("what sed makes of its input", { single: true }) : knownWord(text)),
  );
  return open({ files: seenFiles(uses), runs, unknown: isOdd ? "where sed keeps what it replaces is not known" : null });
};

export const SED: Family = { sed, gsed: sed };

interface Script {
  /** As the words in which it stands. */
  readonly script: readonly Word[];
  readonly files: readonly Word[];
}

/** A bare `-i` takes the next word for a suffix in some versions: `-i ''` is how it is written for those. */
function scriptOf({ options, operands }: SeenOptions, isBare: boolean): Script {
  const pieces = valuesOf(options, "-e --expression");
  const [first] = operands;
  const given = isBare && first?.known && first.value === "" ? operands.slice(1) : operands;
  if (valuesOf(options, "-f --file").length > 0) return { script: pieces, files: given };
  return pieces.length > 0 ? { script: pieces, files: given } : { script: given.slice(0, 1), files: given.slice(1) };
}

function readPieces(script: readonly Word[]): ReturnType<typeof readSedScript> {
  const pieces = script.flatMap((word) => (word.known ? [word.value] : []));
  return pieces.length === script.length ? readSedScript(pieces.join("\n")) : null;
}

/** True for a file whose name would be a script that reads or writes files, where a version takes it for the script. */
function mayBeScript(file: Word): boolean {
  const starts = file.known ? [file.value] : (file.below ?? [file.prefix]);
  return starts.some((start) => {
    const [, mark = "", rest = ""] = /^s(.)(.*)$/s.exec(start) ?? [];
    return start === "" || /^[\s;wr\d/\\{$!]/.test(start) || (mark !== "" && /^[gp\d]*w/.test(rest.split(mark)[2] ?? ""));
  });
}

/** Stands behind the name of the file; with `*` or `/` it says where the old content goes, which may be any path. */
function isPlainSuffix(suffix: Word): suffix is KnownWord {
  return suffix.known && !/[/*]/.test(suffix.value);
}

/** True for a word of which only the start is known, and in which `-i` may have a suffix. */
function mayHoldSuffix(word: Word): boolean {
  return !word.known && /^-(?:[a-zA-Z]*[iI]|-i)/.test(word.prefix);
}

function backup(file: Word, { value }: KnownWord): readonly FileUse[] {
  return file.known && value !== "" ? [{ access: "write", path: knownWord(`${file.value}${value}`) }] : [];
}
