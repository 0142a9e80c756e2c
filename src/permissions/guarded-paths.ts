import type { PolicyOptions } from "./policy.ts";

/** Every hook that git knows by name. */
export const GIT_HOOKS = (
  "applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge post-receive " +
  "post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg " +
  "proc-receive push-to-checkout reference-transaction sendemail-validate update"
).split(" ");
const IN_GIT = ["config", "config.worktree", "info/attributes", "HEAD", ...GIT_HOOKS.map((hook) => `hooks/${hook}`)];
const ENVIRONMENTS = ["development", "local", "production", "staging", "test"];
const KEYS = ["id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk"];
const IN_ROOT = [
  ".env",
  ...ENVIRONMENTS.flatMap((name) => [`.env.${name}`, `.env.${name}.local`]),
  ...[".envrc", ".netrc", ".mcp.json", ".vscode/tasks.json", ".vscode/launch.json", ".vscode/settings.json", ".idea/workspace.xml"],
  ...[".collet/permissions.json", ".collet/settings.json", ".claude/settings.json", ".devcontainer/devcontainer.json"],
  ...KEYS,
];
const IN_HOME = [
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin"],
  ...[".netrc", ".git-credentials", ".pgpass", ".pypirc", ".aws/credentials", ".kube/config"],
  ...["authorized_keys", "config", "known_hosts", ...KEYS].map((name) => `.ssh/${name}`),
];
const IN_CONFIG = ["permissions.json", "settings.json", "credentials.json", "auth.json"];

/**
 * Absolute paths of the guarded files that are most worth a hard link, whether they exist or not: about a hundred. With them the sandbox
 * finds out that a file with more than one link is one of them. Files with names that nobody can foresee are not in it, and so none of
 * the state folder.
 */
export function guardedPaths({
  workspace,
  roots = [],
  home,
  configDir,
  gitDirs = [],
}: Pick<PolicyOptions, "workspace" | "home" | "configDir" | "gitDirs"> &
  Partial<Pick<PolicyOptions, "roots" | "stateDir">>): readonly string[] {
  const folders = [...new Set([workspace, ...roots])];
  const below = (folder: string | null, names: readonly string[]): readonly string[] =>
    folder === null ? [] : names.map((name) => `${folder === "/" ? "" : folder}/${name}`);
  return [
    ...folders.flatMap((folder) => below(folder, IN_ROOT)),
    ...[...folders.map((folder) => `${folder}/.git`), ...gitDirs].flatMap((folder) => below(folder, IN_GIT)),
    ...below(home, IN_HOME),
    ...below(configDir, IN_CONFIG),
  ];
}
