/** `patch`: `open`, since it may run `ed` or fetch files; which files its words say it reads and writes is told. */
import { type FileUse, open, type Program } from "../doing.ts";
import type { OptionNames } from "../options.ts";
import { fileUses, seenFiles } from "../program.ts";
import { type SeenOptions, seenOptions } from "../seen-options.ts";
import { knownWord, type Word } from "../word.ts";
import { given, valuesOf } from "./given.ts";
import { folderOf, inFolder } from "./path-words.ts";

const NAMES: OptionNames = {
  flags:
    "-b -c -e -E -f -l -n -N -R -s -t -T -u -v -Z --backup --backup-if-mismatch --no-backup-if-mismatch --binary --context --dry-run --ed " +
    "--force --forward --follow-symlinks --help --ignore-whitespace --merge --normal --posix --remove-empty-files --reverse --set-time " +
    "--set-utc --silent --quiet --batch --unified --verbose --version",
  values:
    "-o --output -r --reject-file -i --input -p --strip -d --directory -F --fuzz -D --ifdef -B --prefix -Y --basename-prefix -z --suffix " +
    "-V --version-control -g --get -x --debug --quoting-style --read-only --reject-format",
};

/** Options that say what is put before or behind the name under which the old content is kept. */
const BACKUP = "-B --prefix -Y --basename-prefix -z --suffix";

/** `patch [FILE [PATCH]]`: without a file the names stand in the patch, below the folder in which it works. */
export const patch: Program = ({ args }) => {
  const { options, operands } = seenOptions(args, NAMES);
  // it goes there before it opens any file
  const folder = valuesOf(options, "-d --directory").reduce<Word>((from, path) => inFolder(from, path), knownWord("."));
  const [file, input] = operands.map((path) => inFolder(folder, path));
  const named = (names: string): readonly Word[] => valuesOf(options, names).map((path) => inFolder(folder, path));
  const written = named("-o --output");
  const files = [
    ...[...written, ...named("-r --reject-file")].flatMap((path) => fileUses("write", path)),
    ...[...named("-i --input"), ...(input ? [input] : [])].flatMap((path) => fileUses("read", path)),
  ];
  if (given(options, "--dry-run")) return open({ files: seenFiles(files) });
  // with a slash it may be any path
  const isOdd = valuesOf(options, BACKUP).some((word) => !word.known || word.value.includes("/")) || args.some(mayHoldBackup);
  const patched = !file
    ? written.length > 0
      ? []
      : fileUses("new_tree", folder)
    : patchedUses(file, { options, isKept: written.length > 0 });
  return open({
    files: seenFiles([...files, ...patched]),
    unknown: isOdd ? "where patch keeps what it replaces is not known" : null,
  });
};

interface Patched extends Pick<SeenOptions, "options"> {
  /** What comes of it goes to another file. */
  readonly isKept: boolean;
}

function patchedUses(file: Word, { options, isKept }: Patched): readonly FileUse[] {
  if (!file.known) return [];
  const path = file.value;
  const values = (names: string): readonly string[] => valuesOf(options, names).flatMap((word) => (word.known ? [word.value] : []));
  const name = path.slice(path.lastIndexOf("/") + 1);
  const old = [
    ...values("-B --prefix").map((start) => `${start}${path}`),
    ...values("-Y --basename-prefix").map((start) => `${folderOf(path)}/${start}${name}`),
    ...values("-z --suffix").map((end) => `${path}${end}`),
  ].filter((each) => each !== path);
  const written = isKept ? [] : [path, `${path}.orig`, `${path}.rej`, ...old];
  return [{ access: "read", path: file }, ...written.map((each): FileUse => ({ access: "write", path: knownWord(each) }))];
}

/** True for a word of which only the start is known, and in which such an option may have its value. */
function mayHoldBackup(word: Word): boolean {
  return !word.known && /^-(?:[a-zA-Z]*[BYz]|-(?:p|ba|su))/.test(word.prefix);
}
