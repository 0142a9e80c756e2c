import { type Doing, declared, type FileUse, open, type Program, type Run } from "../doing.ts";
import { type GivenOption, type OptionNames, parseOptions } from "../options.ts";
import { seenFiles } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { knownWord, type Word } from "../word.ts";
import { given, valuesOf } from "./given.ts";
import { inFolder } from "./path-words.ts";
import { namedProgram, shellText } from "./told.ts";

/**
 * `tar`. Options that lead out of the folder (`-P`, `--transform`), read names from files (`-T`), write other files or remove what was packed
 * are not listed; nor are letters that mean something else to another make. The helpers that it starts by itself to pack or unpack (`gzip`,
 * `xz` …) only do that.
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

/** With these it is `open`: they are given a program, or a text for a shell. */
const RUNNING =
  "-I --use-compress-program --to-command --checkpoint-action -F --info-script --new-volume-script --rsh-command --rmt-command";

const SEEN: OptionNames = {
  ...NAMES,
  flags: `${NAMES.flags} -P --absolute-names --remove-files`,
  values: `${NAMES.values} ${RUNNING} -T --files-from --add-file --transform --xform --index-file --volno-file -g --listed-incremental -V --label -H -K -L -N`,
  optional: `${NAMES.optional} --checkpoint --one-top-level`,
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
  const { options, operands } = parsed?.ok ? parsed : seenOptions(dashed ?? args, SEEN);
  if (parsed?.ok && given(options, "--help --version")) return declared();
  const verbs = options.flatMap(({ name }) => VERBS[name] ?? []);
  const archives = valuesOf(options, "-f --file");
  const folders = valuesOf(options, "-C --directory");
  const [verb] = verbs;
  const [archive] = archives;
  // where -C stands among the operands decides what it holds for
  const strict = parseOptions(dashed ?? [], { ...NAMES, mixed: false });
  const isOrdered = folders.length < 2 && strict.ok && valuesOf(strict.options, "-C --directory").length === folders.length;
  const isPlain =
    parsed?.ok === true &&
    verbs.length === 1 &&
    archives.length === 1 &&
    isOrdered &&
    !archives.some(isRemote) &&
    !operands.some((word) => /^[@-]/.test(word.known ? word.value : word.prefix));
  const files = verb ? used(verb, { options, operands, folder: folders.at(-1) ?? knownWord("."), archive: archive ?? null }) : [];
  if (isPlain) return declared({ files });
  return open({ files: seenFiles(files), runs: runsOf(options) });
};

interface Packing {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Word[];
  readonly folder: Word;
  /** `null`: a tape, or whatever the environment says. */
  readonly archive: Word | null;
}

function used(verb: (typeof VERBS)[string], { options, operands, folder, archive: source }: Packing): readonly FileUse[] {
  const archive = source && !isRemote(source) && !(source.known && source.value === "-") ? source : null;
  const lists = valuesOf(options, "-X --exclude-from --owner-map --group-map -T --files-from").map(
    (path): FileUse => ({ access: "read", path }),
  );
  const written = valuesOf(options, "--index-file --volno-file -g --listed-incremental").map(
    (path): FileUse => ({ access: "write", path }),
  );
  const reads: FileUse[] = verb === "create" || !archive ? lists : [{ access: "read", path: archive }, ...lists];
  if (verb === "list") return [...reads, ...written];
  if (verb === "extract") {
    const toOutput = given(options, "-O --to-stdout --to-command");
    const top = valuesOf(options, "--one-top-level").findLast((word) => word.known);
    const target = top ? inFolder(folder, top) : folder;
    return toOutput ? [...reads, ...written] : [...reads, ...written, { access: "write", path: target, tree: true }];
  }
  const follows = given(options, "-h --dereference");
  // a make that ends the options at the first operand packs the values behind it
  const late = options.flatMap((option) => (option.late && option.value && option.name !== "--add-file" ? [option.value] : []));
  const packed = [...operands, ...valuesOf(options, "--add-file"), ...late].map(
    (path): FileUse => ({
      access: "read",
      path: inFolder(folder, path),
      tree: true,
      ...(follows ? { follows } : {}),
    }),
  );
  const removed = given(options, "--remove-files") ? packed.map(({ path }): FileUse => ({ access: "delete", path, tree: true })) : [];
  return [...reads, ...written, ...packed, ...removed, ...(archive ? [{ access: "write", path: archive } as const] : [])];
}

/** What it is told to run. */
function runsOf(options: readonly GivenOption[]): readonly Run[] {
  const actions = valuesOf(options, "--checkpoint-action");
  return [
    ...valuesOf(options, "-I --use-compress-program --rsh-command --rmt-command").map((text) => namedProgram(text)),
    ...valuesOf(options, "--to-command -F --info-script --new-volume-script").map(shellText),
    ...actions.filter((action) => !action.known || action.value.startsWith("exec=")).map((action) => shellText(withoutStart(action))),
  ];
}

function withoutStart(action: Word): Word {
  return action.known ? knownWord(action.value.slice("exec=".length)) : { ...action, prefix: "" };
}

/** The old way, `tar czf FILE …`: letters without a dash, whose values stand behind them in their order. `null`: it is not known. */
function withDashes(args: readonly Word[]): readonly Word[] | null {
  const [first, ...rest] = args;
  if (!first || (first.known ? first.value.startsWith("-") : false)) return args;
  if (!first.known || !/^[A-Za-z]+$/.test(first.value)) return null;
  const options: Word[] = [];
  for (const letter of first.value) {
    options.push(knownWord(`-${letter}`));
    if (!"fCbXTIFgKLNV".includes(letter)) continue;
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
