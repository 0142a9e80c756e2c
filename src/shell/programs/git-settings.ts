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

/**
 * Settings whose value is a file, or content of a revision, parts of which git may tell: `check-ignore -v` a pattern, `check-attr` an attribute,
 * `log` a name, `blame` the first line that is no revision. Plain are files of the repository that are what they are called. The git folder of a
 * repository is looked at for a link in place of the last.
 *
 * Of the other settings that `git help --config` lists with a file, a folder or a command, none is used by what counts as a read:
 * - overruled by GIT_QUIET: `core.fsmonitor`, `core.pager`, `pager.*`, `core.editor`, `sequence.editor`, `core.hooksPath`, `format.pretty`,
 *   `log.showSignature`; git reads `trace2.*` from no repository
 * - for signing and checking, which is `open` or off: `gpg.ssh.allowedSignersFile`, `gpg.ssh.revocationFile`, `user.signingKey`
 * - for commits, mails, fetching, serving and repair, all of them `open`: `commit.template`, `format.signatureFile`, `format.outputDirectory`,
 *   `sendemail.*`, `imap.*`, `init.templateDir`, `http.*`, `credential.*`, `core.sshCommand`, `core.gitProxy`, `core.askPass`, `remote.*`,
 *   `url.*`, `bundle.*`, `protocol.*`, `receive.*`, `uploadpack.*`, `fsck.skipList`, `fetch.fsck.skipList`, `maintenance.*`, `gc.*`, `tar.*`
 * - for tools that are `open`: `difftool.*`, `mergetool.*`, `browser.*`, `man.*`, `help.*`, `instaweb.*`, `gitweb.*`, `guitool.*`, `trailer.*`,
 *   `interactive.diffFilter`, `alias.*`, which takes the name of no read
 */
const FILES: Readonly<Record<string, RegExp>> = {
  "core.excludesfile": /^[\w.-]*(?:ignore|exclude)[\w-]*$/i,
  "core.attributesfile": /^[\w.-]*attributes$/i,
  "mailmap.file": /^\.?mailmap$/i,
  "mailmap.blob": /^(?:[\w/.-]*:)?\.?mailmap$/i,
  "diff.orderfile": /^[\w.-]*order[\w-]*$/i,
  "blame.ignorerevsfile": /^\.git-blame-ignore-revs$/,
};

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
  const plain = subsection === null && Object.hasOwn(FILES, `${section}.${name}`) ? FILES[`${section}.${name}`] : undefined;
  return plain !== undefined && value !== "" && !(value !== null && plain.test(value.replace(/^\.\//, "")));
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
