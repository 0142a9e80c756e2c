/** Subcommands of git that name files in their words, beside those that change the work tree or reach other repositories. */
import type { FileUse } from "../doing.ts";
import { knownWord, type Word } from "../word.ts";
import { changes, type Effects, type Sorted, sort, uses } from "./git-sorted.ts";
import { folderOf } from "./path-words.ts";
import type { Family } from "./table.ts";

const HERE = [knownWord(".")];

const MESSAGE = "-m --message -F --file";

/** Of what takes its message from a file. */
function fromFile(more = "") {
  return changes(`${MESSAGE} ${more}`, ({ values }) => ({ files: uses("read", values("-F --file")) }));
}

const report = changes("-o --output-directory -s --suffix", ({ values }) => {
  const folders = values("-o --output-directory");
  return { files: uses("new_tree", folders.length > 0 ? folders : HERE) };
});

/** What is put away is read, and taken from the work tree. */
function stash(sorted: Sorted): Effects {
  const [first] = sorted.operands;
  const isSpelled = first !== undefined && !sorted.after.includes(first);
  // without a subcommand it is `push`
  const verb = !isSpelled ? "push" : first.known ? first.value : "";
  if (verb !== "push" && verb !== "save") return {};
  // what stands behind `save` is a message
  const paths = verb === "save" ? [] : isSpelled ? sorted.operands.slice(1) : sorted.operands;
  const named = uses("read", sorted.values("--pathspec-from-file"));
  const isAll = sorted.has("-a --all");
  const takesNew = isAll || sorted.has("-u --include-untracked");
  if (paths.length === 0) return { files: [...named, ...(isAll ? uses("folder", HERE) : []), ...(isAll ? uses("delete_tree", HERE) : [])] };
  return { files: [...named, ...uses("folder", paths), ...uses("new_tree", paths), ...(takesNew ? uses("delete_tree", paths) : [])] };
}

/** The folder in which names with a prefix stand: the prefix is put before them as it is. */
function prefixFolder(prefix: Word): Word {
  if (!prefix.known || prefix.value === "") return prefix;
  return knownWord(prefix.value.endsWith("/") ? prefix.value.replace(/(?<=[^/])\/+$/, "") : folderOf(prefix.value));
}

function checkoutIndex(sorted: Sorted): Effects {
  const folder = sorted.values("--prefix").at(-1);
  if (folder) return { files: uses("new_tree", [prefixFolder(folder)]) };
  return { files: uses("new_tree", sorted.has("-a --all") ? HERE : sorted.operands) };
}

/** `merge-file A BASE B` leaves what comes of it in the first. */
function mergeFile(sorted: Sorted): Effects {
  if (sorted.has("--object-id")) return {};
  const [first] = sorted.operands;
  const written: readonly FileUse[] = first && !sorted.has("-p --stdout") ? uses("write", [first]) : [];
  return { files: [...uses("read", sorted.operands), ...written] };
}

export const GIT_FILES: Family = {
  tag: fromFile("-u --local-user --cleanup --trailer --sort --format --points-at"),
  notes: fromFile("-C -c --reuse-message --reedit-message --ref -s --strategy"),
  merge: fromFile("-s --strategy -X --strategy-option --cleanup --into-name"),
  "commit-tree": fromFile("-p"),
  stash: changes("-m --message --pathspec-from-file", stash),
  "merge-file": changes("-L --marker-size --diff-algorithm", mergeFile),
  "interpret-trailers": changes("--trailer --where --if-exists --if-missing", (sorted) => ({
    files: [...uses("read", sorted.operands), ...(sorted.has("--in-place") ? uses("write", sorted.operands) : [])],
  })),
  "hash-object": changes("-t --path", ({ operands }) => ({ files: uses("read", operands) })),
  "update-index": changes("--chmod --cacheinfo --index-version", ({ operands }) => ({ files: uses("read", operands) })),
  "checkout-index": changes("--prefix --stage", checkoutIndex),
  "read-tree": changes("--prefix --index-output --exclude-per-directory", ({ values }) => ({
    files: uses("write", values("--index-output")),
  })),
  bugreport: report,
  diagnose: report,
  mailinfo: changes("--encoding --quoted-cr", ({ operands }) => ({ files: uses("write", operands) })),
  mailsplit: changes("-o -d -f", ({ operands, values }) => ({
    files: [...uses("new_tree", values("-o")), ...uses("read", operands)],
  })),
  "fast-export": changes("--export-marks --import-marks --import-marks-if-exists --refspec --anonymize-map", ({ values }) => ({
    files: [...uses("write", values("--export-marks")), ...uses("read", values("--import-marks --import-marks-if-exists"))],
    tracked: { all: true },
  })),
  "fast-import": changes("--export-marks --import-marks --import-marks-if-exists --export-pack-edges", ({ values }) => ({
    files: [
      ...uses("write", values("--export-marks --export-pack-edges")),
      ...uses("read", values("--import-marks --import-marks-if-exists")),
    ],
  })),
};

/** The file of `--output`, which everything that shows differences has. */
export function outputUses(args: readonly Word[]): readonly FileUse[] {
  return uses("write", sort(args, "--output").values("--output"));
}
