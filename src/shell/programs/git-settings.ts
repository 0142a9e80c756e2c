import { type GitSetting, gitSettings } from "../../base/git-config-text.ts";

/** Names by section, of which each can make a read run a program, or read where the repository does not lie. `sub`: with a subsection. */
const RUNNING: readonly { readonly section: string; readonly sub: "with" | "without" | "either"; readonly names: RegExp }[] = [
  { section: "diff", sub: "without", names: /^external$/ },
  { section: "diff", sub: "with", names: /^(?:command|textconv)$/ },
  { section: "filter", sub: "with", names: /^(?:clean|smudge|process)$/ },
  // a log that shows what was resolved in a merge merges anew
  { section: "merge", sub: "with", names: /^driver$/ },
  { section: "gpg", sub: "either", names: /^(?:program|defaultkeycommand)$/ },
  // hooks by settings, which `core.hooksPath` does not switch off
  { section: "hook", sub: "either", names: /^(?:command|event)$/ },
  { section: "core", sub: "without", names: /^(?:worktree|alternaterefscommand)$/ },
  // what is lacking is fetched, by the transport that the remote names
  { section: "extensions", sub: "without", names: /^partialclone$/ },
  { section: "remote", sub: "with", names: /^(?:promisor|partialclonefilter)$/ },
  // files that can hold any of these
  { section: "include", sub: "without", names: /^path$/ },
  { section: "includeif", sub: "with", names: /^path$/ },
];

/** Settings whose value is a file, parts of which git may tell: one of the repository, or what they say is outside. */
const FILES = /^(?:core\.(?:excludesfile|attributesfile)|mailmap\.file|blame\.ignorerevsfile|diff\.orderfile)$/;

/**
 * The first setting in the text of a repository's configuration file (`config`, `config.worktree`) that can make git run a program for a
 * read, or read files outside of the repository, although the environment of GIT_QUIET is set; or why that cannot be told. `null`: there is
 * none. Settings are named as git names them, such as `diff.x.textconv`. Their values are not looked at: to switch one off is rare.
 */
export function gitSettingThatRuns(configText: string, of: "repository" | "inner_repository" = "repository"): string | null {
  const settings = gitSettings(configText);
  if (settings === null) return "its configuration is not understood";
  const found = settings.find((setting) => canRun(setting) && !(of === "inner_repository" && isPlaceInOuter(setting)));
  return found === undefined ? null : [found.section, ...(found.subsection === null ? [] : [found.subsection]), found.name].join(".");
}

function canRun({ section, subsection, name, value }: GitSetting): boolean {
  const has = subsection === null ? "without" : "with";
  if (RUNNING.some((row) => row.section === section && (row.sub === has || row.sub === "either") && row.names.test(name))) return true;
  return subsection === null && FILES.test(`${section}.${name}`) && (value === null || /^[/~%]|(?:^|\/)\.\.(?:\/|$)/.test(value));
}

/** A repository inside another says where in that its files are. */
function isPlaceInOuter({ section, subsection, name, value }: GitSetting): boolean {
  const isWorktree = section === "core" && subsection === null && name === "worktree";
  return (
    isWorktree &&
    value !== null &&
    /^(?:\.\.\/)+(?!\.\.?(?:\/|$))[^/]/.test(value) &&
    !/\/\.\.(?:\/|$)/.test(value.replace(/^(?:\.\.\/)+/, "/"))
  );
}
