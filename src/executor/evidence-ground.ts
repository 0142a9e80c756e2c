/** Where the repository of a workspace has git look for what it runs, as it is now. */
import type { Effect } from "../base/effect.ts";
import { gitSettings } from "../base/git-config-text.ts";
import { isRealPath, isWithin, namesBelow } from "../base/real-path.ts";
import { type EvidenceGround, MAX_MODULES, type Policy } from "../permissions/index.ts";
import type { EvidenceFolder, EvidencePort } from "../sandbox/port.ts";

const MAX_CONFIG_BYTES = 1024 * 1024;
/** Folders below `modules` that are looked through for git folders, and names in one. */
const MAX_LOOKS = 64;
const MAX_NAMES = 4096;
/** Of each: more than anybody has. */
const MAX_PLACES = 8;

export interface GroundOptions {
  readonly port: EvidencePort;
  readonly policy: Policy;
  readonly gitFolders: readonly string[];
  readonly effects: readonly Effect[];
}

/** Looks for it; no link is followed below the git folders and the workspace. */
export async function evidenceGround({ port, policy, gitFolders, effects }: GroundOptions): Promise<EvidenceGround> {
  const [first] = gitFolders;
  const named = await Promise.all(gitFolders.map((folder) => namedIn(folder, port, policy)));
  return {
    gitFolders,
    modules: first === undefined ? [] : await modulesIn(first, port),
    hookFolders: named.flatMap(({ hooks }) => hooks).slice(0, MAX_PLACES),
    included: named.flatMap(({ included }) => included).slice(0, MAX_PLACES),
    trees: treesOf(effects, policy),
  };
}

/** Git folders of submodules, whose names may hold slashes, and of submodules in them. */
async function modulesIn(gitFolder: string, port: EvidencePort): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  const waiting: (readonly string[])[] = [["modules"]];
  for (let look = 0; look < MAX_LOOKS && found.length < MAX_MODULES; look += 1) {
    const names = waiting.shift();
    if (names === undefined) break;
    const inside = await port.list({ base: gitFolder, names }, MAX_NAMES);
    if (inside.includes("HEAD") || inside.includes("config")) {
      found.push(names);
      if (inside.includes("modules")) waiting.push([...names, "modules"]);
    } else waiting.push(...inside.map((name) => [...names, name]));
  }
  return found;
}

interface Named {
  readonly hooks: readonly EvidenceFolder[];
  readonly included: readonly (EvidenceFolder & { readonly leaf: string })[];
}

/** What the settings in one git folder name: `core.hooksPath`, from the top of the work tree, and `include.path`, from their own folder. */
async function namedIn(gitFolder: string, port: EvidencePort, policy: Policy): Promise<Named> {
  const texts = await Promise.all(
    ["config", "config.worktree"].map((name) => port.read({ base: gitFolder, names: [] }, name, MAX_CONFIG_BYTES)),
  );
  const settings = texts.flatMap((text) => (text === null ? [] : (gitSettings(new TextDecoder().decode(text)) ?? [])));
  const hooks: EvidenceFolder[] = [];
  const included: (EvidenceFolder & { leaf: string })[] = [];
  for (const { section, name, value } of settings) {
    if (value === null || value === "") continue;
    if (section === "core" && name === "hookspath") {
      const folder = folderOf(placeOf(value, policy.workspace, policy), policy);
      if (folder) hooks.push(folder);
    } else if ((section === "include" || section === "includeif") && name === "path") {
      const folder = folderOf(placeOf(value, gitFolder, policy), policy);
      const leaf = folder?.names.at(-1);
      if (folder && leaf !== undefined) included.push({ base: folder.base, names: folder.names.slice(0, -1), leaf });
    }
  }
  return { hooks, included };
}

/** As git takes a path in its settings. */
function placeOf(value: string, folder: string, { home }: Policy): string | null {
  const text = /^~(?:\/|$)/.test(value) ? home && `${home}${value.slice(1)}` : value.startsWith("/") ? value : `${folder}/${value}`;
  if (!text) return null;
  const names: string[] = [];
  for (const name of text.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const path = `/${names.join("/")}`;
  return isRealPath(path) ? path : null;
}

/** What lies outside of the roots is as safe as it was: no tool writes there without a question, and the user put it there. */
function folderOf(path: string | null, { roots }: Policy): EvidenceFolder | null {
  const root = path === null ? undefined : roots.find((each) => isWithin(path, each));
  const names = path === null || root === undefined ? null : namesBelow(path, root);
  return root === undefined || names === null || names.length === 0 ? null : { base: root, names };
}

/**
 * Folders below the workspace that a known program fills, from an archive or another folder. What an open one brings, such as `git clone`, comes
 * as it is. The top folder itself is looked at in any case.
 */
function treesOf(effects: readonly Effect[], { workspace }: Policy): readonly (readonly string[])[] {
  const all = effects.flatMap((effect) => {
    if (effect.kind !== "file.write" || effect.sure !== "declared" || !effect.tree) return [];
    const names = namesBelow(effect.path, workspace);
    return names === null || names.length === 0 ? [] : [names];
  });
  return all.slice(0, MAX_PLACES);
}
