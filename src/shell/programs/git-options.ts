/**
 * Options of git that several subcommands share, as git 2.20 to 2.50 have them, without those that run programs (`--ext-diff`,
 * `--show-signature`, `--alternate-refs`), that reach into merge drivers (`--remerge-diff`), and those that no one needs every day.
 */
import type { Role } from "../program.ts";
import type { Word } from "../word.ts";

const words = (...lines: readonly string[]): string => lines.join(" ");

/** Options of everything that shows differences. */
export const DIFF_FLAGS = words(
  "-p -u --patch -s --no-patch -W --function-context --no-function-context --raw --patch-with-raw --patch-with-stat --numstat --shortstat",
  "--cumulative --check --summary --name-only --name-status --compact-summary --no-compact-summary --binary --full-index --no-full-index",
  "--no-color --no-abbrev --no-prefix --default-prefix -D --irreversible-delete --find-copies-harder --no-find-copies-harder --no-renames",
  "--rename-empty --no-rename-empty --follow --no-follow --minimal --no-minimal -w --ignore-all-space -b --ignore-space-change",
  "--ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines --indent-heuristic --no-indent-heuristic --patience --histogram",
  "-a --text --no-text -R --exit-code --no-exit-code -q --quiet --no-quiet --no-ext-diff --textconv --no-textconv",
  "--ita-invisible-in-index --ita-visible-in-index --pickaxe-all --pickaxe-regex -z --no-color-moved --no-color-moved-ws --no-relative",
  "--no-ignore-matching-lines -t -r -m -c --cc --dd --combined-all-paths --no-diff-merges --no-word-diff",
);

/** Those with a value in the next word. */
export const DIFF_VALUES: Readonly<Record<string, Role>> = {
  [words(
    "-l -S -G -I --diff-filter --diff-algorithm --anchored --word-diff-regex --ws-error-highlight --src-prefix --dst-prefix --line-prefix",
    "--inter-hunk-context --output-indicator-new --output-indicator-old --output-indicator-context --color-moved-ws --rotate-to --skip-to",
    "--find-object --ignore-matching-lines --stat-width --stat-name-width --stat-graph-width --stat-count --diff-merges",
  )]: "text",
  "-O": "read",
  "--output": "write",
};

/** Those with a value in the same word. */
export const DIFF_OPTIONAL: Readonly<Record<string, Role>> = {
  [words(
    "-M -C -B -U -X --unified --find-renames --find-copies --break-rewrites --stat --dirstat --dirstat-by-file --color --color-words",
    "--color-moved --word-diff --abbrev --relative --ignore-submodules --submodule",
  )]: "text",
};

/** Values of options of differences that let nothing else run. */
export const DIFF_SAFE: Readonly<Record<string, (value: Word) => boolean>> = {
  "--diff-merges": ({ known, ...word }) =>
    known && "value" in word && /^(?:off|none|on|m|first-parent|1|separate|combined|c|dense-combined|cc)$/.test(word.value),
};

/** Options of what walks through the history, differences aside. */
export const WALK_FLAGS = words(
  "--all --oneline --graph --no-graph --no-decorate --clear-decorations --reverse --first-parent --exclude-first-parent-only --merges",
  "--no-merges --no-min-parents --no-max-parents --topo-order --date-order --author-date-order --full-history --dense --sparse",
  "--simplify-merges --simplify-by-decoration --boundary --left-right --left-only --right-only --cherry --cherry-mark --cherry-pick --not",
  "--do-walk --source --walk-reflogs -g --reflog --abbrev-commit --no-abbrev-commit --relative-date --parents --children --timestamp",
  "--log-size --show-pulls --no-notes --standard-notes --no-standard-notes --mailmap --use-mailmap --no-mailmap --no-use-mailmap",
  "--all-match --invert-grep -i --regexp-ignore-case -E --extended-regexp -F --fixed-strings -P --perl-regexp --basic-regexp",
  "--remove-empty --stdin --bisect --ignore-missing --in-commit-order --count --unpacked --no-expand-tabs --encode-email-headers",
  "--no-encode-email-headers --full-diff --single-worktree --merge --no-commit-header --commit-header --no-show-signature",
);

export const WALK_VALUES: Readonly<Record<string, Role>> = {
  [words(
    "-n --max-count --skip --since --after --until --before --since-as-filter --max-age --min-age --author --committer --grep",
    "--grep-reflog --encoding --glob --exclude --date -L --decorate-refs --decorate-refs-exclude",
  )]: "text",
};

export const WALK_OPTIONAL: Readonly<Record<string, Role>> = {
  [words(
    "--pretty --format --branches --tags --remotes --min-parents --max-parents --exclude-hidden --decorate --no-walk --ancestry-path",
    "--notes --show-notes --expand-tabs --show-linear-break",
  )]: "text",
};

/** `-5`: that many commits. */
export const COUNT = /^-\d+$/;
