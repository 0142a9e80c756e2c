/**
 * Rows for git's subcommands that only read. Options must be written out: git lets them be cut short, and then an option of another version
 * of git may be meant.
 */
import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { pathInRevision } from "../git-revision.ts";
import { type GivenOption, parseOptions } from "../options.ts";
import { fileUses, type PlainProgram, seenFiles } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { knownWord, type Word } from "../word.ts";
import type { Shown } from "./git-shown.ts";
import { given } from "./given.ts";

/** A subcommand that reads. Operands are revisions and paths; what is not in it makes the call `open`. */
export interface GitRead extends Pick<PlainProgram, "flags" | "values" | "optional" | "special" | "unless"> {
  /** Operands beyond these make it `open`. Default: any number. */
  readonly most?: number;
  /** The environment that it needs (see GIT_QUIET). Default `git`. */
  readonly quiet?: Doing["quiet"];
  /** Whether values of these options can make git run a program, each by its own test. */
  readonly safe?: Readonly<Record<string, (value: Word) => boolean>>;
  /** It shows less of what it shows in any case when it is given paths, and so a path behind `--` that is not known may be any. */
  readonly narrows?: true;
  /** What it shows of the files that are tracked. Default: no content of any. */
  readonly shows?: Shown;
  /** It shows content without being asked to, and so also with options that are not known. */
  readonly unasked?: true;
  /** Files that its operands name, in place of those that `pathUses` finds in them; `null`: those. */
  readonly files?: (options: readonly GivenOption[], operands: readonly Word[], args: readonly Word[]) => readonly FileUse[] | null;
}

/** A row from the options of a subcommand. */
export function gitRead(spec: GitRead): Program {
  const { values = {}, optional = {}, safe = {}, most = Number.POSITIVE_INFINITY, quiet = "git" } = spec;
  const roles = Object.entries({ ...values, ...optional }).flatMap(([names, role]) =>
    names.split(" ").map((name) => [name, role] as const),
  );
  const roleOf = new Map(roles);
  const tests = new Map(Object.entries(safe).flatMap(([names, test]) => names.split(" ").map((name) => [name, test] as const)));
  const names = { ...spec, values: Object.keys(values).join(" "), optional: Object.keys(optional).join(" "), abbreviated: false };
  const seenIn = (args: readonly Word[]): readonly FileUse[] => {
    const { options, operands } = seenOptions(args, names);
    const named = options.flatMap(({ name, value }) => (value === null ? [] : fileUses(roleOf.get(name) ?? "text", value)));
    return seenFiles([...named, ...(spec.shows ? pathUses(args, operands) : [])]);
  };
  return ({ args, stdin }) => {
    // alone it prints how the subcommand is used, before git looks for a repository
    if (args.length === 1 && args[0]?.known && args[0].value === "-h") return declared();
    const parsed = parseOptions(args, names);
    const otherwise = open({ files: seenIn(args), ...(spec.unasked ? { tracked: { all: true } as const } : {}) });
    if (!parsed.ok || parsed.operands.length > most) return otherwise;
    const { options, operands } = parsed;
    const other = spec.unless?.(options, operands) ?? null;
    if (other !== null) return other;
    const isCertain = options.every(
      ({ name, value }) => value === null || (isPlainValue(name, value) && (tests.get(name)?.(value) ?? true)),
    );
    if (!isCertain) return otherwise;
    const named = options.flatMap(({ name, value }) => (value === null ? [] : fileUses(roleOf.get(name) ?? "text", value)));
    const [told, words] = spec.narrows ? withoutPath(args, { options, operands }) : [operands, args];
    const tracked = spec.shows?.({ options, operands, args, stdin }) ?? null;
    const files = [...named, ...(spec.files?.(options, told, words) ?? pathUses(words, told))];
    return declared({ quiet, files, ...(tracked ? { tracked } : {}) });
  };
}

interface Told {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Word[];
}

/**
 * The operands and the words without a single path behind `--` that is not known: what lies outside of the repository git refuses, and of the
 * rest it shows with any path less than with none. Two paths it may compare as files, wherever they are.
 */
function withoutPath(args: readonly Word[], { options, operands }: Told): readonly [readonly Word[], readonly Word[]] {
  const path = args.at(-1);
  const dashes = args.findIndex((word) => word.known && word.value === "--");
  const isOnly = dashes !== -1 && dashes === args.length - 2;
  if (!path || path.known || !path.single || !isOnly || given(options, "--no-index") || operands.at(-1) !== path) return [operands, args];
  return [operands.slice(0, -1), args.slice(0, -1)];
}

/**
 * Reads for operands that name files: all after `--`, and before it those that are written as no revision is. The content may come from the
 * history; it is judged as that of the file.
 */
export function pathUses(args: readonly Word[], operands: readonly Word[]): readonly FileUse[] {
  const dashes = args.findIndex((word) => word.known && word.value === "--");
  const after = new Set(dashes === -1 ? [] : args.slice(dashes + 1));
  return operands.flatMap((word) => {
    // patterns with magic, such as `:(exclude)x` and `:!x`, and `:/text of a commit`
    if (word.known && /^:[(!/^]/.test(word.value)) return withoutMagic(word.value);
    if (after.has(word)) return fileUses("read", word);
    // a path in a revision may be any
    if (!word.known) return word.below || word.prefix.includes(":") ? fileUses("read", word) : [];
    const inHistory = pathInRevision(word.value);
    if (inHistory !== null) return inHistory.startsWith("/") ? [] : fileUses("read", knownWord(inHistory));
    return /^\/|^\.(?!\.[^/])|\/\./.test(word.value) ? fileUses("read", word) : [];
  });
}

/** The path behind magic that is no more than where it begins, in case that the file is tracked no more. */
function withoutMagic(text: string): readonly FileUse[] {
  const path = /^:(?:\((?:top|icase|literal|,)*\)|\/)([^*?[\\]+)$/.exec(text)?.[1];
  return path === undefined ? [] : fileUses("read", knownWord(path));
}

/** A value that begins like an option may be one for another version of git, which takes no value there. `--sort=-x` sorts downward. */
function isPlainValue(name: string, value: Word): boolean {
  const text = value.known ? value.value : value.prefix;
  return !text.startsWith("-") || (name === "--sort" && /^-[a-z]/.test(text));
}

/** A format of commits that runs no signature checker and is no name from the configuration. */
export function isSafeCommitFormat(value: Word): boolean {
  if (!value.known) return false;
  const names = /^(?:|oneline|short|medium|full|fuller|reference|email|mboxrd|raw)$/;
  return names.test(value.value) || (/%|^t?format:/.test(value.value) && !/%[-+ ]*G/.test(value.value));
}

/** A format, or a key to sort by, of references that runs no signature checker, and does not show an object as it is. */
export function isSafeRefFormat(value: Word): boolean {
  return value.known && !/signature|raw/i.test(value.value);
}
