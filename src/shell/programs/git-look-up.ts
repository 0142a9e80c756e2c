/** Subcommands of git that answer a question about names, objects and files. */
import { open } from "../doing.ts";
import { fileUses } from "../program.ts";
import { gitRead } from "./git-read.ts";
import { shownByCatFile, shownByStatus } from "./git-shown.ts";
import { given } from "./given.ts";
import type { Family } from "./table.ts";

export const GIT_LOOK_UP: Family = {
  status: gitRead({
    flags:
      "-s --short -b --branch --show-stash --ahead-behind --no-ahead-behind --long -v --verbose -z --null --renames --no-renames --no-column",
    optional: { "--porcelain -u --untracked-files --ignored --ignore-submodules --column -M --find-renames": "text" },
    narrows: true,
    shows: shownByStatus,
  }),
  "rev-parse": gitRead({
    flags:
      "--revs-only --no-revs --flags --no-flags --verify -q --quiet --sq --not --symbolic --symbolic-full-name --all --local-env-vars --git-dir " +
      "--git-common-dir --show-toplevel --show-superproject-working-tree --shared-index-path --absolute-git-dir --is-inside-git-dir " +
      "--is-inside-work-tree --is-bare-repository --is-shallow-repository --show-cdup --show-prefix --show-ref-format --sq-quote",
    values: { "--default --prefix --git-path --resolve-git-dir": "text" },
    optional: {
      "--short --abbrev-ref --branches --tags --remotes --glob --exclude --exclude-hidden --disambiguate --path-format": "text",
      "--show-object-format --since --after --until --before --max-age --min-age": "text",
    },
    files: () => [],
  }),
  "ls-files": gitRead({
    flags:
      "-z -t -v -f -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -k --killed --directory --no-directory --eol " +
      "--empty-directory --no-empty-directory -u --unmerged --resolve-undo --exclude-standard --full-name --recurse-submodules --error-unmatch " +
      "--debug --deduplicate --sparse",
    values: { "-x --exclude --exclude-per-directory --with-tree --format": "text", "-X --exclude-from": "read" },
    optional: { "--abbrev": "text" },
    files: (_, operands) => operands.flatMap((word) => fileUses("names", word)),
  }),
  "ls-tree": gitRead({
    flags: "-d -r -t -l --long -z --name-only --name-status --object-only --full-name --full-tree",
    values: { "--format": "text" },
    optional: { "--abbrev": "text" },
    files: () => [],
  }),
  // not `--filters`: filters of the user, such as that of large files, fetch from where the repository says
  "cat-file": gitRead({
    flags:
      "-e -p -t -s -z -Z --allow-unknown-type --use-mailmap --no-use-mailmap --mailmap --no-mailmap --batch-all-objects --buffer --no-buffer " +
      "--follow-symlinks --unordered --textconv",
    values: { "--path": "text" },
    optional: { "--batch --batch-check --batch-command": "text" },
    shows: shownByCatFile,
  }),
  "merge-base": gitRead({ flags: "-a --all --octopus --independent --is-ancestor --fork-point", files: () => [] }),
  "name-rev": gitRead({
    flags: "--name-only --tags --all --annotate-stdin --stdin --undefined --no-undefined --always",
    values: { "--refs --exclude": "text" },
  }),
  "count-objects": gitRead({ flags: "-v --verbose -H --human-readable", most: 0 }),
  "check-ignore": gitRead({ flags: "-q --quiet -v --verbose --stdin -z -n --non-matching --no-index", files: () => [] }),
  "check-attr": gitRead({ flags: "-a --all --cached --stdin -z", values: { "--source": "text" }, files: () => [] }),
  "check-mailmap": gitRead({ flags: "--stdin" }),
  "check-ref-format": gitRead({
    flags: "--normalize --print --allow-onelevel --no-allow-onelevel --refspec-pattern --branch",
    files: () => [],
  }),
  "hash-object": gitRead({
    flags: "--stdin --no-filters --literally",
    values: { "-t --path": "text" },
    files: (_, operands) => operands.flatMap((word) => fileUses("read", word)),
  }),
  "symbolic-ref": gitRead({ flags: "-q --quiet --short --recurse --no-recurse", most: 1 }),
  "verify-pack": gitRead({
    flags: "-v --verbose -s --stat-only",
    files: (_, operands) => operands.flatMap((word) => fileUses("read", word)),
  }),
  var: gitRead({ flags: "-l", most: 1 }),
  version: gitRead({ flags: "--build-options", most: 0 }),
  clean: gitRead({
    flags: "-n --dry-run -d -x -X -f --force -q --quiet",
    values: { "-e --exclude": "text" },
    files: () => [],
    unless: (options) => (given(options, "-n --dry-run") ? null : open()),
  }),
};
