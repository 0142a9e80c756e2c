import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { type OptionNames, type ParsedOptions, parseOptions } from "../options.ts";
import { fileUses } from "../program.ts";
import { knownWord, type Word } from "../word.ts";
import { readSedScript } from "./sed-script.ts";
import type { Family } from "./table.ts";

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
  if (!parsed.ok || !strict.ok) return open();
  const { options } = parsed;
  const inPlace = options.findLast(({ name }) => name === "-i" || name === "--in-place");
  const isBare = inPlace !== undefined && inPlace.value === null;
  const { script, files } = scriptOf(parsed, isBare);
  // some versions take options behind the first operand for files, and then that operand for the script
  const isSame = JSON.stringify(scriptOf(strict, isBare).script) === JSON.stringify(script);
  if (!isSame || (isBare && files.length > 1 && files.slice(0, 1).some(mayBeScript))) return open();
  const done = readPieces(script);
  if (!done) return open();
  const suffix = inPlace?.value ?? null;
  if (suffix !== null && (!suffix.known || /[/*]/.test(suffix.value))) return open();
  const uses: FileUse[] = [
    ...done.reads.map((path): FileUse => ({ access: "read", path: knownWord(path) })),
    ...done.writes.map((path): FileUse => ({ access: "write", path: knownWord(path) })),
    ...files.flatMap((file) => fileUses("read", file)),
  ];
  if (!inPlace) return declared({ files: uses });
  uses.push(...files.map((path): FileUse => ({ access: "write", path })));
  if (suffix === null) return declared({ files: uses });
  if (!files.every((file) => file.known)) return open({ files: uses });
  return declared({ files: [...uses, ...files.map((file) => backup(file, suffix.value))] });
};

export const SED: Family = { sed, gsed: sed };

interface Script {
  /** As the words in which it stands. */
  readonly script: readonly Word[];
  readonly files: readonly Word[];
}

/** A bare `-i` takes the next word for a suffix in some versions: `-i ''` is how it is written for those. */
function scriptOf({ options, operands }: Extract<ParsedOptions, { ok: true }>, isBare: boolean): Script {
  const pieces = options.flatMap(({ name, value }) => ((name === "-e" || name === "--expression") && value ? [value] : []));
  const [first] = operands;
  const given = isBare && first?.known && first.value === "" ? operands.slice(1) : operands;
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

function backup(file: Word, suffix: string): FileUse {
  return { access: "write", path: knownWord(`${file.known ? file.value : ""}${suffix}`) };
}
