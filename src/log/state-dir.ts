import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { fail } from "../base/fail.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The state folder: `$COLLET_STATE_DIR`, else `$XDG_STATE_HOME/collet`, else `~/.local/state/collet`. Empty variables count as unset; a
 * relative `$XDG_STATE_HOME` is passed over, as the XDG Base Directory Specification says; a relative `$COLLET_STATE_DIR` is
 * `unsafe_state_path`, since it would be another folder wherever Collet is started.
 */
export function stateDirOf(env: Environment, home: string): string {
  return folderOf(env, home, { own: "COLLET_STATE_DIR", xdg: "XDG_STATE_HOME", fallback: [".local", "state"] });
}

/** The configuration folder: `$COLLET_CONFIG_DIR`, else `$XDG_CONFIG_HOME/collet`, else `~/.config/collet`; as `stateDirOf` otherwise. */
export function configDirOf(env: Environment, home: string): string {
  return folderOf(env, home, { own: "COLLET_CONFIG_DIR", xdg: "XDG_CONFIG_HOME", fallback: [".config"] });
}

/** Names a workspace in the state folder: the first 16 hex digits of the SHA-256 of its real path. */
export function workspaceKey(realPath: string): string {
  return createHash("sha256").update(realPath).digest("hex").slice(0, 16);
}

/** `workspaces/<key>` below the state folder, as its components. */
export function workspaceParts(realPath: string): readonly string[] {
  return ["workspaces", workspaceKey(realPath)];
}

/** Letters, digits, `-` and `_`, 64 at most, a letter or digit first: a safe file name, and never a path. */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id);
}

function folderOf(
  env: Environment,
  home: string,
  { own, xdg, fallback }: { readonly own: string; readonly xdg: string; readonly fallback: readonly string[] },
): string {
  const chosen = env[own];
  if (chosen) return absolute(chosen, own);
  const base = env[xdg];
  if (base && isAbsolute(base)) return absolute(join(base, "collet"), xdg);
  return absolute(home && join(home, ...fallback, "collet"), "HOME");
}

function absolute(path: string, variable: string): string {
  if (isAbsolute(path) && !path.includes("\0")) return join(path);
  throw fail("unsafe_state_path", `${variable} has to be an absolute path, not "${path}"`, {
    reason: "invalid_state_path",
    component: path,
    variable,
    next_actions: [`set ${variable} to an absolute path`],
  });
}
