import type { GitSetting } from "./git-config-text.ts";

/**
 * Settings that make git run nothing, and read and write nowhere else than before: what `git remote add`, `git branch -u`, `git submodule add`
 * or `git config user.email` write. Each is `section.name` or `section.*.name` for one with a subsection, in lower case; `*` at the end
 * stands for every name. Whatever is not here may run a command: `core.hooksPath`, `alias.*`, `filter.*.clean`, `include.path` …
 */
const HARMLESS = new Set(
  (
    "core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode core.symlinks core.autocrlf " +
    "core.eol core.safecrlf core.compression core.loosecompression core.quotepath core.abbrev core.commentchar core.commentstring " +
    "core.bigfilethreshold core.preloadindex core.untrackedcache core.splitindex core.longpaths " +
    "core.sparsecheckout core.sparsecheckoutcone core.whitespace core.notesref core.commitgraph core.multipackindex core.maxtreedepth " +
    "user.name user.email user.signingkey user.useconfigonly author.name author.email committer.name committer.email " +
    "remote.*.fetch remote.*.push remote.*.mirror remote.*.tagopt remote.*.prune remote.*.prunetags remote.*.skipdefaultupdate " +
    "remote.*.skipfetchall remote.*.followremotehead remote.*.gh-resolved remote.pushdefault " +
    "branch.*.remote branch.*.pushremote branch.*.merge branch.*.rebase branch.*.description branch.*.vscode-merge-base " +
    "branch.*.github-pr-owner-number branch.*.gh-merge-base branch.autosetupmerge branch.autosetuprebase branch.sort " +
    "submodule.*.active submodule.*.branch submodule.*.path submodule.*.ignore submodule.*.fetchrecursesubmodules submodule.*.shallow " +
    "submodule.active submodule.recurse submodule.fetchjobs submodule.propagatebranches " +
    "extensions.worktreeconfig extensions.objectformat extensions.compatobjectformat extensions.refstorage extensions.preciousobjects " +
    "extensions.relativeworktrees extensions.noop lfs.repositoryformatversion lfs.*.access lfs.*.locksverify " +
    "pull.rebase pull.ff push.default push.autosetupremote push.followtags push.recursesubmodules fetch.prune fetch.prunetags fetch.parallel " +
    "fetch.recursesubmodules fetch.writecommitgraph fetch.all merge.ff merge.conflictstyle merge.renames merge.log merge.autostash " +
    "rebase.autostash rebase.autosquash rebase.updaterefs rebase.stat rebase.rebasemerges rerere.enabled rerere.autoupdate " +
    "commit.verbose commit.status commit.cleanup tag.sort diff.renames diff.algorithm diff.colormoved diff.mnemonicprefix diff.noprefix " +
    "diff.context diff.renamelimit diff.submodule diff.ignoresubmodules status.* color.* advice.* column.* index.* feature.* gc.auto " +
    "gc.autodetach gc.pruneexpire gc.worktreepruneexpire gc.reflogexpire maintenance.auto maintenance.strategy init.defaultbranch " +
    "worktree.guessremote worktree.userelativepaths stash.showpatch log.date log.decorate log.follow log.abbrevcommit apply.whitespace"
  ).split(" "),
);

/**
 * True for a setting that makes git run nothing.
 * @param moduleDepth of a submodule's own settings: how many folders its git folder lies below the workspace, which `core.worktree` climbs.
 */
export function isHarmlessGitSetting({ section, subsection, name, value }: GitSetting, moduleDepth: number | null = null): boolean {
  const key = subsection === null ? `${section}.${name}` : `${section}.*.${name}`;
  if (HARMLESS.has(key) || (subsection === null && HARMLESS.has(`${section}.*`))) return true;
  if (key === "remote.*.url" || key === "remote.*.pushurl" || key === "submodule.*.url") return value !== null && isPlainUrl(value);
  // the way that is taken is a command when it begins with !
  if (key === "submodule.*.update") return /^(?:checkout|rebase|merge|none)$/.test(value ?? "");
  return key === "core.worktree" && moduleDepth !== null && isWorkTree(value ?? "", moduleDepth);
}

/** No `transport::address`, which runs a program of that name, and nothing that a program could take for an option. */
function isPlainUrl(url: string): boolean {
  if (/^-|[\0-\x1f\x7f]/.test(url)) return false;
  if (/^(?:https?|ssh|git|file|git\+ssh|ssh\+git):\/\/[^-]/.test(url)) return true;
  return !/^[A-Za-z0-9.+-]*::/.test(url) && !/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(url) && !/^(?:[^/:@]*@)?-[^/]*:/.test(url);
}

/** The folder of a submodule in the workspace, seen from its git folder. */
function isWorkTree(path: string, depth: number): boolean {
  const names = path.split("/");
  const climbs = names.findIndex((name) => name !== "..");
  return climbs === depth && names.slice(climbs).every((name) => name !== "" && name !== "." && name !== ".." && name !== ".git");
}
