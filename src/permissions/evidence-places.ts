/**
 * Where the small files lie of which an `open` command may not change the content unseen: what makes git, a shell, an editor or an agent run
 * something later, the rules themselves, and secrets of the workspace. The same table as the evidence guard's, as far as it can be
 * looked at quickly.
 */
import { guardRefusal, isGuarded } from "./guard.ts";
import { GIT_HOOKS } from "./guarded-paths.ts";
import type { Policy } from "./policy.ts";

/** Names in one folder: those that are always looked at, and whether others in it count as well. */
export interface EvidencePlace {
  /** Absolute, real. */
  readonly base: string;
  readonly names: readonly string[];
  readonly leaves: readonly string[];
  /** Which further names of the folder count; `null`: none. */
  readonly others: ((name: string) => boolean) | null;
  /**
   * `git`: inside of a git folder. `runs`: elsewhere, and git runs it or takes settings from it. `rules`: the configuration folder. `named`: what a
   * rule can name.
   */
  readonly of: "git" | "runs" | "rules" | "named";
}

/** Folders of which the guard speaks, in a workspace. */
const FOLDERS = [".collet", ".vscode", ".idea", ".claude", ".cursor", ".gemini", ".codex", ".zed", ".fleet", ".helix", ".devcontainer"];
const IN_TOP = [".env", ".envrc", ".mcp.json", ...FOLDERS];
const START_FILES =
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc " +
  ".cshrc .tcshrc .login .logout .inputrc .xprofile .xinitrc .xsession";
const SSH_FILES = ["authorized_keys", "authorized_keys2", "config", "rc", "environment"];
/** Submodules whose git folders are looked into. */
export const MAX_MODULES = 8;

export interface EvidenceGround {
  /** Real git folders of the workspace as it is now. */
  readonly gitFolders: readonly string[];
  /** Names that lead to the git folders of submodules from the first of them, `["modules", "a"]`. */
  readonly modules: readonly (readonly string[])[];
  /** Folders of hooks that the repository's settings name. */
  readonly hookFolders: readonly EvidenceFolder[];
  /** Files of settings that they include, each the folder and its name. */
  readonly included: readonly (EvidenceFolder & { readonly leaf: string })[];
  /** Folders, by the workspace and names below it, in which the call may write any name. */
  readonly trees: readonly (readonly string[])[];
}

/** As the sandbox's port has it: a real path, and names below it on which no link is followed. */
type EvidenceFolder = Pick<EvidencePlace, "base" | "names">;

/** The places, those first that matter most: of what is beyond the limits the last are left out. */
export function evidencePlaces(policy: Policy, ground: EvidenceGround): readonly EvidencePlace[] {
  const { gitFolders, modules, hookFolders, included, trees } = ground;
  const { workspace, home, configDir } = policy;
  const named = (base: string, names: readonly string[], leaves: readonly string[]): EvidencePlace => ({
    base,
    names,
    leaves,
    others: null,
    of: "named",
  });
  const bare = { ...policy, rules: [] };
  const guarded = (names: readonly string[], leaves: readonly string[]): EvidencePlace => ({
    ...named(workspace, names, leaves),
    // an editor that is open saves its windows there all the time
    others: (name) => name !== "workspace.xml" && isNameable([workspace === "/" ? "" : workspace, ...names, name].join("/"), bare),
  });
  const [first] = gitFolders;
  const modulesOf = first === undefined ? [] : modules.slice(0, MAX_MODULES);
  const runs = { others: null, of: "runs" } as const;
  return [
    ...gitFolders.flatMap((folder) => inGitFolder(folder, [])),
    ...included.map(({ base, names, leaf }) => ({ base, names, leaves: [leaf], ...runs })),
    ...hookFolders.map(({ base, names }) => ({ base, names, leaves: GIT_HOOKS, ...runs, others: () => true })),
    named(workspace, [], [".git"]),
    ...(configDir === null ? [] : [{ ...named(configDir, [], ["permissions.json", "settings.json"]), of: "rules" as const }]),
    guarded([], IN_TOP),
    ...FOLDERS.map((folder) => guarded([folder], [])),
    guarded([".idea", "runConfigurations"], []),
    ...(home === null
      ? []
      : [
          named(home, [], [...START_FILES.split(" "), ".ssh"]),
          named(home, [".ssh"], SSH_FILES),
          named(home, [".config", "fish"], ["config.fish"]),
        ]),
    ...modulesOf.flatMap((names) => inGitFolder(first ?? "", names)),
    ...trees.flatMap((names) => [guarded(names, IN_TOP), ...FOLDERS.map((folder) => guarded([...names, folder], []))]),
  ];
}

/** What makes git run programs, or look for that elsewhere; `HEAD` and the like git moves every day. */
function inGitFolder(base: string, names: readonly string[]): readonly EvidencePlace[] {
  const place = (below: readonly string[], leaves: readonly string[]): EvidencePlace => ({
    base,
    names: [...names, ...below],
    leaves,
    others: null,
    of: "git",
  });
  return [
    place([], ["config", "config.worktree", "commondir", "hooks", "info"]),
    place(["info"], ["attributes"]),
    // samples are never run, and there are many
    { ...place(["hooks"], GIT_HOOKS), others: (name) => !name.endsWith(".sample") },
  ];
}

/** What a rule could name, and would have to: told quickly for most names, as a folder may hold thousands. */
function isNameable(path: string, bare: Policy): boolean {
  const isTop = path.lastIndexOf("/") === (bare.workspace === "/" ? 0 : bare.workspace.length);
  return isTop ? isGuarded(path, bare) : guardRefusal({ kind: "file.write", sure: "open", path }, bare)?.canBeNamed === true;
}
