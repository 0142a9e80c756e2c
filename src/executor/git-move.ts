/** Calls in which nothing but git, in forms that run nothing of the workspace, brings tracked files from one version to another. */
import type { CommandEffect, Effect } from "../base/effect.ts";
import { isWithin } from "../base/real-path.ts";

/**
 * `versions`: what is in the index before and after is what was and is in the files. `stash`: what was changed and not added is put away.
 * `pop`: what was put away comes again, and is not in the index.
 */
export type GitMove = "versions" | "stash" | "pop";

/** What git does in a call. */
export interface GitMoves {
  readonly move: GitMove;
  /** True when it makes commits as a person does, and so runs the hooks for that. */
  readonly commits: boolean;
}

interface Form {
  readonly move: GitMove | null;
  /** Options that run nothing and write nothing else, with or without dash; all that is not here ends the matter. */
  readonly options: ReadonlySet<string>;
  /** Those of them that take the next word, whatever it is. */
  readonly valued: ReadonlySet<string>;
  /** How many words that are no options, at most: none where a second one would be a path. */
  readonly maxWords: number;
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** @param valued options that take a word. */
function form(move: GitMove | null, options: string, valued = ""): Form {
  return {
    move,
    options: setOf(`-q --quiet --progress --no-progress ${options}`),
    valued: setOf(valued),
    maxWords: Number.POSITIVE_INFINITY,
  };
}

const MERGING = "--ff --no-ff --ff-only --no-edit --stat -n --no-stat --no-verify-signatures -v --verbose --autostash --no-autostash";
const PICKING = "--no-edit --no-commit -n --ff --allow-empty --abort --skip --quit -x";
const STASHED = { ...form("pop", "--index"), maxWords: 1 };

/** Nothing here continues what was begun, opens an editor, runs a command, or writes what is in no version (`apply`, `am`, `update-index`). */
const FORMS: Readonly<Record<string, Form>> = {
  checkout: { ...form("versions", "-f --force -d --detach -t --track --no-track --guess --no-guess", "-b -B"), maxWords: 1 },
  switch: form("versions", "-f --force --discard-changes -d --detach -t --track --no-track --guess --no-guess", "-c -C --create"),
  merge: form("versions", `${MERGING} --squash --no-squash --no-commit --abort --quit`, "-m"),
  pull: form("versions", `${MERGING} -r --rebase --no-rebase -p --prune --tags --no-tags --all`),
  rebase: form("versions", "--abort --skip --quit --autostash --no-autostash --root --no-ff -f --keep-base -v --verbose", "--onto"),
  "cherry-pick": form("versions", PICKING, "-m --mainline"),
  revert: form("versions", PICKING, "-m --mainline"),
  reset: form("versions", "--hard --merge --keep"),
  add: form(null, "-A --all -u --update -v --verbose --"),
  commit: form(null, "-a --all --allow-empty --amend --no-edit -n --no-verify", "-m --message -am -qm -qam -aqm"),
  fetch: form(null, "-p --prune -t --tags --no-tags --all -v --verbose --depth --unshallow"),
  branch: form(null, "-d -D -m -M -f --force -v -vv -a -r --all --list --show-current -u --unset-upstream"),
  "stash push": { ...form("stash", "-u --include-untracked", "-m --message"), maxWords: 0 },
  "stash pop": STASHED,
  "stash apply": STASHED,
  "stash drop": form(null, ""),
};

/** How git moves the files; `null` when something else in the call may change files that are not named, or git is told to run something. */
export function gitMovesOf(effects: readonly Effect[], roots: readonly string[]): GitMoves | null {
  const moves = new Set<GitMove>();
  let commits = false;
  for (const effect of effects) {
    if (effect.kind === "unknown" || effect.kind === "agent") return null;
    // what git itself writes is as open as git
    if ((effect.kind === "file.write" || effect.kind === "file.delete") && effect.sure !== "open") return null;
    if (effect.kind !== "command" || effect.sure === "declared") continue;
    const found = isInstalledGit(effect, roots) && !effect.dynamic?.length ? formOf(effect.argv.slice(1)) : null;
    if (found === null) return null;
    if (found.move) moves.add(found.move);
    commits ||= found === FORMS.commit;
  }
  if (moves.size === 0) return null;
  const move = moves.has("pop") ? "pop" : moves.has("versions") ? "versions" : "stash";
  return { move, commits };
}

function isInstalledGit({ program }: CommandEffect, roots: readonly string[]): boolean {
  return program?.at(-1)?.endsWith("/git") === true && !program.some((place) => roots.some((root) => isWithin(place, root)));
}

function formOf(words: readonly string[]): Form | null {
  const [first = "", ...rest] = words[0] === "--no-pager" ? words.slice(1) : words;
  const isStash = first === "stash";
  const isBare = isStash && (rest[0] === undefined || rest[0].startsWith("-"));
  const name = isStash ? `stash ${isBare ? "push" : rest[0]}` : first;
  const found = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  return found && isOfForm(isStash && !isBare ? rest.slice(1) : rest, found) ? found : null;
}

function isOfForm(words: readonly string[], { options, valued, maxWords }: Form): boolean {
  let count = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (valued.has(word)) at += 1;
    else if (word.startsWith("-") && word !== "-") {
      if (!options.has(word)) return false;
    } else {
      count += 1;
      // `ext::` and the like are programs
      if (count > maxWords || word.includes("::")) return false;
    }
  }
  return true;
}
