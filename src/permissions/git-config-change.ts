import { type GitSetting, gitSettings } from "../base/git-config-text.ts";
import { isHarmlessGitSetting } from "../base/harmless-git-setting.ts";

export interface GitConfigChange {
  /** Text of the file; `null`: there was none, or is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** Of a submodule's own file: how many folders its git folder lies below the workspace, which `core.worktree` climbs. Else `null`. */
  readonly moduleDepth: number | null;
}

/**
 * True when the change makes git run nothing that it did not run before, and leaves what it ran as it was: all settings but the harmless ones
 * are the same, in the same order. A file that git would refuse is not harmless.
 */
export function isHarmlessGitConfigChange({ before, after, moduleDepth }: GitConfigChange): boolean {
  const was = gitSettings(before ?? "");
  const now = gitSettings(after ?? "");
  if (was === null || now === null || (before !== null && after === null)) return false;
  const rest = (settings: readonly GitSetting[]) =>
    JSON.stringify(settings.filter((setting) => !isHarmlessGitSetting(setting, moduleDepth)));
  return rest(was) === rest(now);
}
