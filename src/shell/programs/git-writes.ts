/**
 * Subcommands of git that change something. All are `open`: hooks, filters and helpers of the repository may run with them. What can be said
 * of them is said, so that rules for files, hosts and commands hold.
 */
import { isHarmlessGitSetting } from "../../base/harmless-git-setting.ts";
import { type Address, type Doing, type FileUse, open, type Run } from "../doing.ts";
import { knownWord, type Word } from "../word.ts";
import { GIT_FILES } from "./git-files.ts";
import { changes, type Effects, type Sorted, sort, uses } from "./git-sorted.ts";
import { addressOfAuthority, addressOfUrl, hostOfCopy } from "./network-address.ts";
import type { Family } from "./table.ts";

const HERE = [knownWord(".")];
const orHere = (words: readonly Word[]): readonly Word[] => (words.length === 0 ? HERE : words);

/** Where a repository is: an address, a folder (`local`), a program (`odd`), or the name of a remote (`name`). */
type Place = { readonly kind: "address"; readonly address: Address } | { readonly kind: "local" | "odd" | "name" };

function placeOf(word: Word): Place {
  if (!word.known) return { kind: "odd" };
  const url = word.value;
  if (/^[a-z0-9+.-]+::/i.test(url)) return { kind: "odd" };
  if (/^file:\/\//i.test(url)) return { kind: "local" };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
    const address = addressOfUrl(url);
    return address ? { kind: "address", address } : { kind: "odd" };
  }
  const host = hostOfCopy(url);
  if (host !== null) {
    const address = addressOfAuthority(host, 22);
    return address ? { kind: "address", address } : { kind: "odd" };
  }
  return { kind: /^[./~]|\//.test(url) ? "local" : "name" };
}

/** Effects of a transfer: from (`read`) or to (`write`) a place. `isPath`: what is no URL is a folder, and no name of a remote. */
function transfer(sorted: Sorted, place: Word | undefined, { to, isPath = false }: { to: "read" | "write"; isPath?: boolean }): Effects {
  const runs = sorted.has("--upload-pack --receive-pack --exec --config --template --server-option") || (isPath && sorted.has("-u -c"));
  if (runs) return { unknown: "git is given a program to run, or settings that can run one" };
  if (!place) return {};
  const found = placeOf(place);
  if (found.kind === "address") return { network: [found.address] };
  if (found.kind === "odd") return { unknown: `it cannot be told what \`${place.known ? place.value : place.raw}\` leads to` };
  if (found.kind === "name" && !isPath) return {};
  const folder = place.known ? knownWord(place.value.replace(/^file:\/\//i, "")) : place;
  return { files: to === "read" ? uses("read", [folder]) : uses("new_tree", [folder]) };
}

/** Options of transfers whose value stands in the next word. */
const TRANSFER =
  "-o --origin -b --branch -u --upload-pack -c --config --depth --reference --reference-if-able --separate-git-dir -j --jobs --template " +
  "--shallow-since --shallow-exclude --deepen --refmap --server-option --push-option --receive-pack --exec --repo -s --strategy -X --filter";

const fetch = changes(TRANSFER.replace("-u ", "").replace("-b ", ""), (sorted) => transfer(sorted, sorted.operands[0], { to: "read" }));

function clone(sorted: Sorted): Effects {
  const [from, into] = sorted.operands;
  const names = from?.known ? from.value.split(/[/:]/).filter((name) => name !== "" && name !== ".git") : [];
  const named = names.at(-1)?.replace(/\.git$/, "");
  const target = into ?? (named ? knownWord(named) : HERE[0]);
  const effects = transfer(sorted, from, { to: "read", isPath: true });
  return {
    ...effects,
    files: [...(effects.files ?? []), ...uses("new_tree", [...(target ? [target] : []), ...sorted.values("--separate-git-dir")])],
  };
}

/** The command that the words after the first are, when the first is `name`. */
function told(sorted: Sorted, args: readonly Word[], name: string): readonly Run[] {
  const at = args.findIndex((word) => word.known && word.value === name);
  return at === -1 || sorted.operands[0] !== args[at] ? [] : [{ words: args.slice(at + 1) }];
}

const commitMessages = (sorted: Sorted): readonly FileUse[] => uses("read", sorted.values("-F --file -t --template --pathspec-from-file"));

export const GIT_WRITES: Family = {
  ...GIT_FILES,
  add: changes("--chmod --pathspec-from-file", (sorted) => ({
    files: [...uses("read", sorted.operands), ...uses("read", sorted.values("--pathspec-from-file"))],
  })),
  commit: changes(
    "-m --message -F --file -t --template -C -c --author --date --fixup --squash --trailer --cleanup --pathspec-from-file",
    (sorted) => ({
      files: commitMessages(sorted),
    }),
  ),
  restore: changes("-s --source --conflict --pathspec-from-file", (sorted) => ({
    files: sorted.has("-S --staged") && !sorted.has("-W --worktree") ? [] : uses("new_tree", sorted.operands),
  })),
  checkout: changes("-b -B --orphan --conflict --pathspec-from-file", (sorted) => {
    const makes = sorted.has("-b -B --orphan -t --track --detach");
    const paths = sorted.after.length > 0 ? sorted.after : makes ? [] : sorted.operands.slice(1);
    const dot = sorted.operands.filter((word) => word.known && /^\.{1,2}(?:\/|$)/.test(word.value) && !paths.includes(word));
    return { files: uses("new_tree", [...paths, ...dot]) };
  }),
  reset: changes("--pathspec-from-file", (sorted) => ({ files: sorted.has("--hard --merge --keep") ? uses("new_tree", HERE) : [] })),
  rm: changes("--pathspec-from-file", (sorted) => ({
    files: sorted.has("--cached -n --dry-run") ? [] : uses(sorted.has("-r") ? "delete_tree" : "delete", sorted.operands),
  })),
  mv: changes("", ({ operands }) => ({ files: [...uses("delete_tree", operands.slice(0, -1)), ...uses("new_tree", operands.slice(-1))] })),
  clean: changes("-e --exclude", ({ operands }) => ({ files: uses("delete_tree", orHere(operands)) })),
  apply: changes("-p -C --exclude --include --directory --whitespace --build-fake-ancestor", (sorted) => ({
    files: [...uses("read", sorted.operands), ...uses("write", sorted.values("--build-fake-ancestor"))],
    unknown: sorted.has("--unsafe-paths") ? "it may write any path that the patch names" : null,
  })),
  am: changes("-p -C --exclude --include --directory --whitespace --patch-format --resolvemsg", ({ operands }) => ({
    files: uses("read", operands),
  })),
  init: changes("--template --separate-git-dir --object-format -b --initial-branch --shared --ref-format", (sorted) => ({
    files: uses("new_tree", [...sorted.operands, ...sorted.values("--separate-git-dir")]),
    unknown: sorted.has("--template") ? "hooks are copied from the folder that it is given" : null,
  })),
  clone: changes(TRANSFER, clone),
  fetch,
  pull: fetch,
  "ls-remote": changes("--upload-pack --exec -o --server-option --sort", (sorted) => transfer(sorted, sorted.operands[0], { to: "read" })),
  push: changes("-o --push-option --repo --receive-pack --exec", (sorted) =>
    transfer(sorted, sorted.values("--repo")[0] ?? sorted.operands[0], { to: "write" }),
  ),
  worktree: changes("-b -B --reason --expire", ({ operands: [first, path] }) => {
    if (!first?.known || !path) return {};
    return { files: first.value === "add" ? uses("new_tree", [path]) : first.value === "remove" ? uses("delete_tree", [path]) : [] };
  }),
  "format-patch": changes("-o --output-directory --output --signature-file --description-file", (sorted) => ({
    tracked: { all: true },
    files: [
      ...uses("new_tree", sorted.has("--stdout --output") ? [] : orHere(sorted.values("-o --output-directory"))),
      ...uses("read", sorted.values("--signature-file --description-file")),
    ],
  })),
  archive: changes("-o --output --format --prefix --add-file --remote --exec", (sorted) => ({
    ...transfer(sorted, sorted.values("--remote")[0], { to: "read" }),
    files: [...uses("write", sorted.values("-o --output")), ...uses("read", sorted.values("--add-file"))],
    tracked: { all: true },
  })),
  bundle: changes("--version", ({ operands: [first, file] }) => ({
    files: file ? uses(first?.known && first.value === "create" ? "write" : "read", [file]) : [],
  })),
  rebase: changes("-x --exec --onto -s --strategy -X --strategy-option -C --whitespace", (sorted) => ({
    runs: sorted.values("-x --exec").map((script) => ({ script })),
  })),
  bisect: ({ args }) => open({ runs: told(sort(args, ""), args, "run") }),
  submodule: ({ args }) => {
    const commands = told(sort(args, ""), args, "foreach").length > 0;
    return open({ unknown: commands ? "it runs a command in every submodule" : null });
  },
  grep: ({ args }) => {
    const opens = args.some((word) => word.known && /^(?:-[^-]*O|--o)/.test(word.value));
    return open({ tracked: { all: true }, unknown: opens ? "it opens what it finds with a program" : null });
  },
  config: ({ args }) => gitConfigChange(args),
  "filter-branch": unknownRun,
  difftool: unknownRun,
  mergetool: unknownRun,
};

function unknownRun(): Doing {
  return open({ unknown: "it runs commands that it is given, or that the repository names" });
}

/** A change of settings: of the repository's, of a file's, or of the user's own. */
function gitConfigChange(args: readonly Word[]): Doing {
  const sorted = sort(args, "-f --file --type --default --value --url --blob --comment");
  const files = sorted.values("-f --file");
  if (sorted.has("--global --system")) return open({ unknown: "it changes settings of git for all repositories" });
  if (files.length === 0 && isHarmlessChange(sorted)) return open();
  return open({ files: uses("write", files.length > 0 ? files : [knownWord(".git/config")]) });
}

/** Of the repository's own settings one that makes git run nothing: what else changes is looked at when it is done. */
function isHarmlessChange(sorted: Sorted): boolean {
  if (sorted.has("-e --edit --rename-section --remove-section")) return false;
  const [first] = sorted.operands;
  const isNamed = first?.known === true && /^(?:set|unset)$/.test(first.value);
  const [key, value] = isNamed ? sorted.operands.slice(1) : sorted.operands;
  if (!key?.known) return false;
  const [, section = "", subsection, name = ""] = /^([^.]+)\.(?:(.*)\.)?([^.]+)$/s.exec(key.value) ?? [];
  const removes = sorted.has("--unset --unset-all") || (isNamed && first.value === "unset");
  const set = removes ? "" : value?.known ? value.value : null;
  return isHarmlessGitSetting({
    section: section.toLowerCase(),
    subsection: subsection ?? null,
    name: name.toLowerCase(),
    value: set,
  });
}
