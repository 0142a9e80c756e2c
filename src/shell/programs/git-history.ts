/** Subcommands of git that show history, differences and content. */
import { type FileUse, open } from "../doing.ts";
import { isSurelyPathspec } from "../git-pathspec.ts";
import type { GivenOption } from "../options.ts";
import { fileUses } from "../program.ts";
import { knownWord, unknownWord, type Word } from "../word.ts";
import { COUNT, DIFF_FLAGS, DIFF_OPTIONAL, DIFF_SAFE, DIFF_VALUES, WALK_FLAGS, WALK_OPTIONAL, WALK_VALUES } from "./git-options.ts";
import { type GitRead, gitRead, isSafeCommitFormat, isSafeRefFormat, pathUses } from "./git-read.ts";
import { shownByGrep, shownByShow, shownPatch, shownWhole } from "./git-shown.ts";
import { given, valuesOf } from "./given.ts";
import type { Family } from "./table.ts";

const FORMATS = { ...DIFF_SAFE, "--pretty --format": isSafeCommitFormat };

const LOG: GitRead = {
  flags: `${WALK_FLAGS} ${DIFF_FLAGS}`,
  values: { ...WALK_VALUES, ...DIFF_VALUES },
  optional: { ...WALK_OPTIONAL, ...DIFF_OPTIONAL },
  special: COUNT,
  safe: FORMATS,
  narrows: true,
  shows: (call) => (valuesOf(call.options, "-L").some((word) => word?.known === false) ? { all: true } : shownPatch({})(call)),
  files: (options, operands, args) => [...pathUses(args, operands), ...lineUses(options)],
};

const REV_LIST: GitRead = {
  flags:
    `${WALK_FLAGS} --objects --objects-edge --objects-edge-aggressive --indexed-objects --header --use-bitmap-index --object-names --quiet ` +
    "--no-object-names --filter-provided-objects --filter-print-omitted --no-filter --exclude-promisor-objects --bisect-vars --bisect-all",
  values: WALK_VALUES,
  optional: { ...WALK_OPTIONAL, "--abbrev --disk-usage --filter --missing": "text" },
  special: COUNT,
  safe: FORMATS,
};

const DIFF: GitRead = {
  flags: `${DIFF_FLAGS} --cached --staged --merge-base --no-index --base --ours --theirs -0 -1 -2 -3`,
  values: DIFF_VALUES,
  optional: DIFF_OPTIONAL,
  safe: DIFF_SAFE,
  narrows: true,
  // it writes the index when times of files changed and nothing else did
  quiet: "git_without_hooks",
  unasked: true,
  shows: shownPatch({ unasked: true, blobs: true, changes: (options) => !given(options, "--cached --staged --merge-base") }),
  files: (options, operands) => {
    if (given(options, "--no-index")) return operands.flatMap((word) => fileUses("folder", word));
    // two paths, one of them outside of the repository, are compared as files
    return operands.length === 2 && operands.some(mayLeadOut) ? operands.flatMap((word) => fileUses("folder", word)) : null;
  },
};

const GREP: GitRead = {
  flags:
    "--cached --no-index --untracked --exclude-standard --no-exclude-standard --recurse-submodules -v --invert-match -i --ignore-case -w --word-regexp " +
    "-a --text -I --textconv --no-textconv -r --recursive --no-recursive -E --extended-regexp -G --basic-regexp -F --fixed-strings -P --perl-regexp " +
    "-n --line-number --no-line-number --column --no-column -h -H --full-name --no-full-name -l --files-with-matches --name-only -L " +
    "--files-without-match -z --null -o --only-matching -c --count --no-color --break --no-break --heading --no-heading -p --show-function -W " +
    "--function-context --and --or --not -q --quiet --all-match",
  values: { "--max-depth -C --context -B --before-context -A --after-context --threads -e -m --max-count": "text", "-f": "read" },
  optional: { "--color": "text" },
  special: COUNT,
  unasked: true,
  shows: shownByGrep,
  files: (options, operands, args) => {
    const rest = given(options, "-e -f") ? operands : operands.slice(1);
    if (!given(options, "--no-index --untracked")) return pathUses(args, rest);
    return (rest.length === 0 ? [knownWord(".")] : rest).flatMap((word) => fileUses("folder", searched(word)));
  },
};

const BLAME: GitRead = {
  flags:
    "--incremental -b --root --show-stats --progress --no-progress --score-debug -f --show-name -n --show-number -p --porcelain --line-porcelain " +
    "-c -t -l -s -e --show-email --no-show-email -w --color-lines --color-by-age --minimal --first-parent --no-ignore-revs-file --reverse",
  values: { "-L --ignore-rev --date --encoding --since": "text", "-S --contents --ignore-revs-file": "read" },
  optional: { "-C -M --abbrev": "text" },
  // content of the work tree is shown too
  files: (_, operands) => operands.flatMap((word) => fileUses("read", word)),
};

const PLUMBING: GitRead = {
  flags: `${DIFF_FLAGS} --root --always --merge-base --stdin --cached --no-commit-id --base --ours --theirs -0 -1 -2 -3 -v`,
  values: DIFF_VALUES,
  optional: { ...DIFF_OPTIONAL, "--pretty --format": "text" },
  safe: FORMATS,
  shows: shownPatch({}),
};

export const GIT_HISTORY: Family = {
  log: gitRead(LOG),
  show: gitRead({ ...LOG, unasked: true, shows: shownByShow }),
  diff: gitRead(DIFF),
  "diff-tree": gitRead(PLUMBING),
  "diff-files": gitRead({ ...PLUMBING, shows: shownPatch({ changes: () => true }) }),
  "diff-index": gitRead({ ...PLUMBING, shows: shownPatch({ changes: () => false }) }),
  "rev-list": gitRead(REV_LIST),
  reflog: gitRead({
    ...LOG,
    shows: shownWhole({}),
    // other first words are subcommands, some of which change it, or will be in a later git
    unless: (_, [first]) => (first === undefined || (first.known && /^(?:show|HEAD|@)$|[~^@{}/]/.test(first.value)) ? null : open()),
  }),
  shortlog: gitRead({
    flags: `${WALK_FLAGS} -n --numbered -s --summary -e --email -c --committer`,
    values: { "--group": "text", ...WALK_VALUES },
    optional: { "-w --pretty --format": "text", ...WALK_OPTIONAL },
    special: COUNT,
    safe: { ...FORMATS, "--group": isSafeCommitGroup },
  }),
  grep: gitRead(GREP),
  blame: gitRead(BLAME),
  annotate: gitRead(BLAME),
  "range-diff": gitRead({
    ...LOG,
    shows: shownPatch({ unasked: true }),
    flags: `${DIFF_FLAGS} --no-dual-color --dual-color --left-only --right-only --no-notes`,
    values: { ...DIFF_VALUES, "--creation-factor": "text" },
    optional: { ...DIFF_OPTIONAL, "--notes": "text" },
  }),
  cherry: gitRead({ flags: "-v --verbose", optional: { "--abbrev": "text" }, most: 3 }),
  describe: gitRead({
    flags: "--contains --debug --all --tags --long --first-parent --exact-match --always --no-contains",
    values: { "--candidates --match --exclude": "text" },
    optional: { "--abbrev --dirty --broken": "text" },
    // with `--dirty` it writes the index
    quiet: "git_without_hooks",
  }),
  "show-branch": gitRead({
    flags:
      "-r --remotes -a --all --current --topo-order --date-order --sparse --more --no-more --list --merge-base --independent --no-name --sha1-name --topics " +
      "--no-color",
    optional: { "--more --reflog -g --color": "text" },
  }),
  "for-each-ref": gitRead({
    flags: "--shell -s --perl -p --python --tcl --ignore-case --omit-empty --include-root-refs --stdin",
    values: { "--count --format --sort --points-at --exclude --start-after": "text" },
    optional: { "--color --merged --no-merged --contains --no-contains": "text" },
    safe: { "--format --sort": isSafeRefFormat },
  }),
  "show-ref": gitRead({
    flags: "--head --tags --heads --branches -d --dereference --verify -q --quiet --exists",
    optional: { "-s --hash --abbrev --exclude-existing": "text" },
  }),
};

/** The files of `-L 1,5:a` and `-L :name:a`: a name or a pattern may hold colons too. */
function lineUses(options: readonly GivenOption[]): readonly FileUse[] {
  return valuesOf(options, "-L").flatMap((word) => {
    if (!word?.known) return [];
    const [, ...ends] = word.value.split(":").map((_, at, all) => all.slice(at).join(":"));
    return ends.flatMap((end) => fileUses("read", knownWord(end)));
  });
}

/** Where a pathspec of files that need not be tracked is searched for: with wildcards in this folder, with magic anywhere. */
function searched(word: Word): Word {
  if (word.known && word.value.startsWith(":")) return unknownWord(word.value, { single: true });
  return word.known && isSurelyPathspec(word.value) ? knownWord(".") : word;
}

function isSafeCommitGroup(value: Word): boolean {
  return value.known && !/G/.test(value.value);
}

/** May name something outside of the repository. */
function mayLeadOut(word: Word): boolean {
  if (!word.known) return !word.below || word.below.some((path) => /^\/|(?:^|\/)\.\.(?:\/|$)/.test(path));
  return /^\/|(?:^|\/)\.\.(?:\/|$)/.test(word.value);
}
