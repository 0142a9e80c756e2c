import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { type OptionNames, parseOptions } from "../options.ts";
import { fileUses, seenFiles } from "../program.ts";
import { type SeenOptions, seenOptions } from "../seen-options.ts";
import { knownWord, unknownWord, type Word } from "../word.ts";
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

/** `sed`: reads its files, and those that its script names; writes the ones that its script names, and with `-i` its files. */
const sed: Program = ({ args }): Doing => {
  const parsed = parseOptions(args, NAMES);
  const strict = parseOptions(args, { ...NAMES, mixed: false });
  const isParsed = parsed.ok && strict.ok;
  const given = isParsed ? parsed : seenOptions(args, { ...NAMES, values: `${NAMES.values} -f --file -l --line-length` });
  const inPlace = given.options.findLast(({ name }) => name === "-i" || name === "--in-place");
  const isBare = inPlace !== undefined && inPlace.value === null;
  const { script, files } = scriptOf(given, isBare);
  const done = readPieces(script);
  const suffix = inPlace?.value ?? null;
  const uses: readonly FileUse[] = [
    ...valuesOf(given.options, "-f --file").flatMap((path) => fileUses("read", path)),
    ...(done?.reads ?? []).map((path): FileUse => ({ access: "read", path: knownWord(path) })),
    ...(done?.writes ?? []).map((path): FileUse => ({ access: "write", path: knownWord(path) })),
    ...files.flatMap((file) => fileUses("read", file)),
    ...(inPlace ? files.map((path): FileUse => ({ access: "write", path })) : []),
    ...(suffix?.known && !/[/*]/.test(suffix.value) ? files.flatMap((file) => backup(file, suffix.value)) : []),
  ];
  // some versions take options behind the first operand for files, and then that operand for the script
  const isSame = isParsed && JSON.stringify(scriptOf(strict, isBare).script) === JSON.stringify(script);
  const isPlain =
    isSame &&
    done !== null &&
    done.runs === undefined &&
    !(isBare && files.length > 1 && files.slice(0, 1).some(mayBeScript)) &&
    (suffix === null || (suffix.known && !/[/*]/.test(suffix.value) && files.every((file) => file.known)));
  if (isPlain) return declared({ files: uses });
  const runs = (done?.runs ?? []).map((text) =>
    shellText(text === null ? unknownWord("what sed makes of its input", { single: true }) : knownWord(text)),
  );
  return open({ files: seenFiles(uses), runs });
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

function backup(file: Word, suffix: string): readonly FileUse[] {
  return file.known ? [{ access: "write", path: knownWord(`${file.value}${suffix}`) }] : [];
}
