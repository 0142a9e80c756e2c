import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { type GivenOption, type OptionNames, parseOptions } from "../options.ts";
import { knownWord, type Word } from "../word.ts";
import { inFolder } from "./path-words.ts";

/**
 * `tar`. Options that run programs (`-I`, `--to-command`, `--checkpoint-action`, `-F`, `--rsh-command` …), lead out of the folder (`-P`,
 * `--transform`), read names from files (`-T`), write other files or remove what was packed are not listed; nor are letters that mean
 * something else to another make. The helpers that it starts by itself to pack or unpack (`gzip`, `xz` …) only do that.
 */
const NAMES: OptionNames = {
  flags:
    "-c -x -t -r -u -a -h -i -j -J -k -m -o -O -p -S -v -z -Z --create --extract --get --list --append --update --auto-compress " +
    "--no-auto-compress --gzip --gunzip --ungzip --bzip2 --xz --lzma --zstd --lz4 --compress --uncompress --dereference --hard-dereference " +
    "--verbose --to-stdout --keep-old-files --skip-old-files --keep-newer-files --overwrite --unlink-first --no-overwrite-dir " +
    "--same-owner --no-same-owner --same-permissions --preserve-permissions --no-same-permissions --touch --numeric-owner --sparse " +
    "--one-file-system --no-recursion --recursion --wildcards --no-wildcards --anchored --no-anchored --wildcards-match-slash " +
    "--no-wildcards-match-slash --no-ignore-case --ignore-case --exclude-vcs --exclude-backups --exclude-caches --ignore-zeros " +
    "--ignore-failed-read --ignore-command-error --full-time --utc --totals --block-number --no-xattrs --xattrs --no-acls --acls " +
    "--no-selinux --selinux --no-mac-metadata --no-fflags --delay-directory-restore --force-local --help --version",
  values:
    "-f -C -b -X --file --directory --blocking-factor --exclude --exclude-from --strip-components --owner --group --mode --sort --format " +
    "--clamp-mtime --owner-map --group-map --warning --uid --gid --uname --gname",
  optional: "--totals --occurrence",
  abbreviated: false,
};

const VERBS: Readonly<Record<string, "create" | "extract" | "list" | "append">> = {
  "-c": "create",
  "--create": "create",
  "-x": "extract",
  "--extract": "extract",
  "--get": "extract",
  "-t": "list",
  "--list": "list",
  "-r": "append",
  "--append": "append",
  "-u": "append",
  "--update": "append",
};

export const tar: Program = ({ args }): Doing => {
  const dashed = withDashes(args);
  const parsed = dashed ? parseOptions(dashed, NAMES) : null;
  if (!parsed?.ok) return open();
  const { options, operands } = parsed;
  if (options.some(({ name }) => name === "--help" || name === "--version")) return declared();
  const verbs = options.flatMap(({ name }) => VERBS[name] ?? []);
  const archives = valuesOf(options, "-f --file");
  const folders = valuesOf(options, "-C --directory");
  const [verb] = verbs;
  const [archive] = archives;
  const [folder = knownWord(".")] = folders;
  // where -C stands among the operands decides what it holds for
  const strict = parseOptions(dashed ?? [], { ...NAMES, mixed: false });
  const isOrdered = folders.length < 2 && strict.ok && valuesOf(strict.options, "-C --directory").length === folders.length;
  if (!verb || verbs.length > 1 || !archive || archives.length > 1 || !isOrdered || isRemote(archive)) return open();
  if (operands.some((word) => /^[@-]/.test(word.known ? word.value : word.prefix))) return open();
  const lists = valuesOf(options, "-X --exclude-from --owner-map --group-map").map((path): FileUse => ({ access: "read", path }));
  const isStream = archive.known && archive.value === "-";
  const reads: FileUse[] = isStream || verb === "create" ? lists : [{ access: "read", path: archive }, ...lists];
  if (verb === "list") return declared({ files: reads });
  if (verb === "extract") {
    const toOutput = options.some(({ name }) => name === "-O" || name === "--to-stdout");
    return declared({ files: toOutput ? reads : [...reads, { access: "write", path: folder, tree: true }] });
  }
  const follows = options.some(({ name }) => name === "-h" || name === "--dereference");
  // a make that ends the options at the first operand packs the values behind it
  const late = options.flatMap((option) => (option.late && option.value ? [option.value] : []));
  const packed = [...operands, ...late].map(
    (path): FileUse => ({
      access: "read",
      path: inFolder(folder, path),
      tree: true,
      ...(follows ? { follows } : {}),
    }),
  );
  return declared({ files: [...reads, ...packed, ...(isStream ? [] : [{ access: "write", path: archive } as const])] });
};

/** The old way, `tar czf FILE …`: letters without a dash, whose values stand behind them in their order. `null`: it is not known. */
function withDashes(args: readonly Word[]): readonly Word[] | null {
  const [first, ...rest] = args;
  if (!first || (first.known ? first.value.startsWith("-") : false)) return args;
  if (!first.known || !/^[A-Za-z]+$/.test(first.value)) return null;
  const options: Word[] = [];
  for (const letter of first.value) {
    options.push(knownWord(`-${letter}`));
    if (!"fCbX".includes(letter)) continue;
    const value = rest.shift();
    if (!value || (!value.known && !value.single)) return null;
    options.push(value);
  }
  return [...options, ...rest];
}

/** `host:file` is on another machine, unless a slash comes first. */
function isRemote(archive: Word): boolean {
  if (archive.known) return /^[^/]*:/.test(archive.value);
  const starts = archive.below ?? [archive.prefix];
  return !starts.every((start) => /^[^/:]*\//.test(start) || (archive.below !== undefined && /^[^/:]+$/.test(start)));
}

function valuesOf(options: readonly GivenOption[], names: string): readonly Word[] {
  return options.flatMap(({ name, value }) => (value && names.split(" ").includes(name) ? [value] : []));
}
