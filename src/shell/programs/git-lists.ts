/** Subcommands of git that list when they are asked to, and change something when they are not. */
import { type Doing, open, type Program } from "../doing.ts";
import type { GivenOption } from "../options.ts";
import type { Word } from "../word.ts";
import { COUNT, DIFF_FLAGS, DIFF_OPTIONAL, DIFF_SAFE, DIFF_VALUES, WALK_FLAGS, WALK_OPTIONAL, WALK_VALUES } from "./git-options.ts";
import { type GitRead, gitRead, isSafeCommitFormat, isSafeRefFormat } from "./git-read.ts";
import { shownByConfig, shownWhole } from "./git-shown.ts";
import { given } from "./given.ts";
import type { Family } from "./table.ts";

/** Of `branch` and `tag`: any of these makes operands patterns, commits to compare with, or nothing. */
const LISTING = "-l --list --contains --no-contains --with --without --merged --no-merged --points-at";

const REFS: GitRead = {
  flags: "-l --list -i --ignore-case --no-column --no-color --omit-empty",
  values: { "--format --sort": "text" },
  optional: { "--contains --no-contains --with --without --merged --no-merged --points-at --color --column --abbrev": "text" },
  safe: { "--format --sort": isSafeRefFormat },
  files: () => [],
};

const STASH_DIFF: GitRead = {
  flags: `${DIFF_FLAGS} --include-untracked --no-include-untracked --only-untracked`,
  values: DIFF_VALUES,
  optional: DIFF_OPTIONAL,
  safe: DIFF_SAFE,
  quiet: "git_without_hooks",
  most: 1,
  // one of its settings makes it show content unasked
  shows: shownWhole({ unasked: true }),
};

const STASH_LOG: GitRead = {
  flags: `${WALK_FLAGS} ${DIFF_FLAGS}`,
  values: { ...WALK_VALUES, ...DIFF_VALUES },
  optional: { ...WALK_OPTIONAL, ...DIFF_OPTIONAL },
  special: COUNT,
  safe: { ...DIFF_SAFE, "--pretty --format": isSafeCommitFormat },
  shows: shownWhole({}),
};

/** `gitRead` by the first word, which chooses; others are `open`. */
function chosen(rows: Readonly<Record<string, Program>>, otherwise: Program = () => open()): Program {
  return (invocation) => {
    const [first, ...args] = invocation.args;
    const row = first?.known && Object.hasOwn(rows, first.value) ? rows[first.value] : undefined;
    return row ? row({ ...invocation, args }) : otherwise(invocation);
  };
}

const CONFIG = gitRead({
  flags:
    "--global --system --local --worktree -l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --bool --int " +
    "--bool-or-int --bool-or-str --path --expiry-date --no-type -z --null --name-only --includes --no-includes --show-origin --show-scope " +
    "--show-names --no-show-names --all --regexp --fixed-value",
  values: { "--type --default --value --url --blob": "text", "-f --file": "read" },
  files: () => [],
  shows: shownByConfig,
  unless: (options, operands) => (isConfigRead(options, operands) ? null : open()),
});

function isConfigRead(options: readonly GivenOption[], [first, second, third]: readonly Word[]): boolean {
  if (given(options, "-l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool")) return true;
  if (!first?.known || third) return false;
  if (first.value === "list") return second === undefined;
  // to an older git this is to set `get`, which it refuses, for it is in no section
  if (first.value === "get") return second !== undefined;
  return second === undefined && first.value.includes(".");
}

/** Without operands, or with an option that makes them patterns. */
function isListing(options: readonly GivenOption[], operands: readonly Word[]): Doing | null {
  return operands.length === 0 || given(options, LISTING) ? null : open();
}

const NOTHING_ELSE = gitRead({ most: 0 });

export const GIT_LISTS: Family = {
  branch: gitRead({
    ...REFS,
    flags: `${REFS.flags} -a --all -r --remotes -v --verbose -vv --show-current --no-abbrev`,
    unless: (options, operands) => isListing(options, operands),
  }),
  tag: gitRead({ ...REFS, optional: { ...REFS.optional, "-n": "text" }, unless: isListing }),
  remote: chosen(
    {
      "get-url": gitRead({ flags: "--push --all", most: 1 }),
      // without it the remote is asked
      show: gitRead({ flags: "-n", unless: (options, operands) => (operands.length === 0 || given(options, "-n") ? null : open()) }),
      "-v": NOTHING_ELSE,
      "--verbose": NOTHING_ELSE,
    },
    ({ args, ...rest }) => (args.length === 0 ? NOTHING_ELSE({ ...rest, args }) : open()),
  ),
  stash: chosen({ list: gitRead(STASH_LOG), show: gitRead(STASH_DIFF) }),
  worktree: chosen({ list: gitRead({ flags: "-v --verbose --porcelain -z", values: { "--expire": "text" }, most: 0 }) }),
  notes: chosen({ list: gitRead({ most: 1 }), show: gitRead({ most: 1 }), "get-ref": NOTHING_ELSE }, ({ args, ...rest }) =>
    args.length === 0 ? NOTHING_ELSE({ ...rest, args }) : open(),
  ),
  submodule: chosen({ status: gitRead({ flags: "--cached --recursive -q --quiet" }) }, ({ args, ...rest }) =>
    args.length === 0 ? NOTHING_ELSE({ ...rest, args }) : open(),
  ),
  config: CONFIG,
};
