/** What reads of git show of the files that the repository tracks, by their options. */
import type { Input } from "../doing.ts";
import { pathInRevision } from "../git-revision.ts";
import type { GivenOption } from "../options.ts";
import type { TrackedUse } from "../tracked-use.ts";
import type { Word } from "../word.ts";
import { given, valuesOf } from "./given.ts";

/** A call of a subcommand of git. */
export interface GitCall {
  readonly args: readonly Word[];
  readonly options: readonly GivenOption[];
  readonly operands: readonly Word[];
  readonly stdin: Input;
}

/** `null`: no content. */
export type Shown = (call: GitCall) => TrackedUse | null;

/** Any of these shows content, or finds out what is in it. */
const CONTENT =
  "-p -u --patch -U --unified --binary --patch-with-raw --patch-with-stat -c --cc --dd -m --diff-merges --check -S -G -I " +
  "--ignore-matching-lines --word-diff --word-diff-regex --color-words -W --function-context";

/** Any of these takes the place of content where that is shown unasked. */
const SUMMARY =
  "--stat --shortstat --numstat --name-only --name-status --raw --dirstat --dirstat-by-file -X --cumulative --summary --compact-summary -s " +
  "--no-patch -q --quiet";

interface Patch {
  /** It shows content without being asked to. */
  readonly unasked?: true;
  readonly blobs?: true;
  /** Whether it compares the files with what was added, when it is given no revision. */
  readonly changes?: (options: readonly GivenOption[]) => boolean;
}

/** Of what shows differences of its operands, revisions and paths. */
export function shownPatch({ unasked, blobs, changes }: Patch): Shown {
  return (call) => {
    const { options } = call;
    if (given(options, "--no-index")) return null;
    const isContent = given(options, CONTENT) || (unasked === true && !given(options, SUMMARY));
    if (!isContent) return null;
    const use = namedUse(call);
    // others than the paths are shown, or paths come in another way
    const isAll = given(options, "--full-diff --stdin") || (changes && use.objects?.length === 1);
    if (isAll) return { ...use, all: true };
    return { ...use, ...(blobs ? { blobs } : {}), ...(changes?.(options) ? { changes: true } : {}) };
  };
}

/** `show` shows what is no commit whatever its options are. */
export function shownByShow(call: GitCall): TrackedUse {
  return shownPatch({ unasked: true, blobs: true })(call) ?? { ...namedUse(call), blobs: true, objectsOnly: true };
}

/** Differences of what no operand narrows. */
export function shownWhole({ unasked }: Pick<Patch, "unasked">): Shown {
  return ({ options }) => (given(options, CONTENT) || (unasked === true && !given(options, SUMMARY)) ? { all: true } : null);
}

export function shownByStatus({ options, operands }: GitCall): TrackedUse | null {
  return given(options, "-v --verbose") ? { paths: operands } : null;
}

export function shownByGrep(call: GitCall): TrackedUse | null {
  const { options, operands } = call;
  // the files themselves are read
  if (given(options, "--no-index --untracked")) return null;
  return { ...namedUse({ ...call, operands: given(options, "-e -f") ? operands : operands.slice(1) }), here: true, blobs: true };
}

export function shownByCatFile({ options, operands, stdin }: GitCall): TrackedUse | null {
  if (given(options, "--batch --batch-command")) return { all: true, objects: objectsIn(stdin) };
  const [type] = operands;
  const isOfNoFile = type?.known === true && /^(?:commit|tag|tree)$/.test(type.value);
  if (given(options, "-e -t -s --batch-check") || (isOfNoFile && operands.length === 2)) return null;
  const named = given(options, "-p --textconv") ? operands : operands.slice(1);
  return { ...revisionUse(named), blobs: true, objectsOnly: true };
}

export function shownByConfig({ options }: GitCall): TrackedUse | null {
  const blobs = valuesOf(options, "--blob").filter((word) => word !== null);
  return blobs.length === 0 ? null : { ...revisionUse(blobs), blobs: true, objectsOnly: true };
}

/** Paths in the revisions that a batch is given, one a line, some behind a word. */
function objectsIn(stdin: Input): readonly string[] {
  if (stdin.kind !== "text") return [];
  const lines = stdin.text.split(/[\n\0]/).flatMap((line) => [line, line.replace(/^\S+\s+/, ""), line.replace(/\s.*$/, "")]);
  return [...new Set(lines.flatMap((line) => pathInRevision(line) ?? []))];
}

function namedUse({ args, operands }: GitCall): TrackedUse {
  const dashes = args.findIndex((word) => word.known && word.value === "--");
  const after = new Set(dashes === -1 ? [] : args.slice(dashes + 1));
  const paths = operands.filter((word) => after.has(word));
  const others = operands.filter((word) => !after.has(word));
  const named = revisionUse(others);
  return dashes === -1 ? { paths, perhaps: named.revisions, objects: named.objects } : { paths, ...named };
}

function revisionUse(words: readonly Word[]): Pick<TrackedUse, "revisions" | "objects"> {
  const path = (word: Word): string | null => (word.known ? pathInRevision(word.value) : null);
  return { revisions: words.filter((word) => path(word) === null), objects: words.flatMap((word) => path(word) ?? []) };
}
