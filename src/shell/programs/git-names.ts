import { open, type Program } from "../doing.ts";
import { knownWord } from "../word.ts";
import type { Family } from "./table.ts";

/** Subcommands of git that also are, or once were, programs of their own: `git-push`, in git's own folder or in the PATH. */
const NAMES =
  "add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout " +
  "checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects credential credential-cache " +
  "credential-store daemon describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch " +
  "fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc grep gui hash-object help hook http-backend http-fetch http-push imap-send " +
  "index-pack init init-db instaweb interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file " +
  "merge-index merge-one-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes p4 pack-objects pack-refs patch-id prune " +
  "prune-packed pull push quiltimport range-diff read-tree rebase receive-pack reflog remote remote-ext remote-fd repack replace request-pull " +
  "rerere reset restore rev-list rev-parse revert rm send-email send-pack shell shortlog show show-branch show-index show-ref sparse-checkout " +
  "stage stash status stripspace submodule svn switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info " +
  "upload-archive upload-pack var verify-commit verify-pack verify-tag version web--browse whatchanged worktree write-tree";

/** A program that is a subcommand of git: whatever it is, it does at least what `git` does with that, and rules for that hold. */
const subcommand: Program = ({ name, args }) =>
  open({ runs: [{ words: [knownWord("git"), knownWord(name.slice("git-".length)), ...args] }] });

export const GIT_NAMES: Family = Object.fromEntries(NAMES.split(" ").map((name) => [`git-${name}`, subcommand]));
