/**
 * The environment in which git's reads run no program that a repository names. It does not reach what git has no switch for: drivers of
 * differences, filters and merges, and repositories that fetch what they lack; `gitSettingThatRuns` looks for those.
 */

/** Settings by name, as `git -c` would give them. */
const SETTINGS: Readonly<Record<string, string>> = {
  // a program that says which files changed, or git's own that stays behind
  "core.fsmonitor": "false",
  // both check signatures, by a program that the repository may name
  "log.showSignature": "false",
  "format.pretty": "medium",
  // files that came with a checkout can look like a repository without a work tree, with a configuration of its own
  "safe.bareRepository": "explicit",
};

const COMMON: Readonly<Record<string, string>> = {
  // the index is not written by the way, and so no hook is told that it was
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  // git starts no program and writes no file to be traced
  GIT_TRACE2: "0",
  GIT_TRACE2_EVENT: "0",
  GIT_TRACE2_PERF: "0",
};

/**
 * `always`: harmless for any git in the same script; commits and pushes run their hooks. What it changes is looks: `format.pretty` of the
 * user is not used. `withoutHooks`: for scripts in which nothing of git is to run but reads; it adds that hooks are not found, that an
 * editor fails, and that nothing is fetched. `safe.bareRepository` needs git 2.38, `GIT_NO_LAZY_FETCH` 2.39.4.
 */
export const GIT_QUIET = {
  always: { ...COMMON, ...settings(SETTINGS) },
  withoutHooks: {
    ...COMMON,
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
    GIT_NO_LAZY_FETCH: "1",
    ...settings({ ...SETTINGS, "core.hooksPath": "/dev/null" }),
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

function settings(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const pairs = Object.entries(values).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(Object.keys(values).length), ...Object.fromEntries(pairs) };
}
