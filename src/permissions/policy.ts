import type { DecisionSource, Mode } from "../base/decision.ts";
import { fail } from "../base/fail.ts";
import { isRealPath } from "../base/real-path.ts";
import type { Rule } from "./rule.ts";
import type { WritePolicy } from "./write-policy.ts";

/** All that a decision depends on beside the effects. Every path is absolute and real. */
export interface PolicyOptions {
  readonly mode: Mode;
  /** In any order: deny beats ask beats allow. */
  readonly rules: readonly Rule[];
  /** What relative patterns begin at. */
  readonly workspace: string;
  /** Folders that file tools may touch; the workspace is one in any case. */
  readonly roots: readonly string[];
  /** What `~/` stands for; `null`: there is none, and rules with `~/` match nothing. */
  readonly home: string | null;
  /** Neither read nor written by any effect. */
  readonly configDir: string | null;
  /** Neither read nor written by any effect, but for reads of the spill folder. */
  readonly stateDir: string | null;
  /** Where the running session keeps output that was cut; asked at each decision, for it may not exist yet. */
  readonly spillDir: () => string | null;
  /** Takes known secrets out of texts, before they are cut to be shown. Default: texts stay as they are. */
  readonly redact?: (text: string) => string;
  /** Real folders that a `.git` file points to, and their common folder: as protected as `.git`. Default: none. */
  readonly gitDirs?: readonly string[];
  /** What may be written at most, whatever rules and mode allow. Default: there is none. */
  readonly writePolicy?: WritePolicy | null;
}

/** Made by `createPolicy`; plain and frozen. */
export interface Policy extends PolicyOptions {
  readonly gitDirs: readonly string[];
}

/**
 * Checks and freezes what decisions depend on. Fails with `invalid_args`: `reason: "not_a_real_path"` (`path`) for a path that is not
 * absolute or holds `..`; `reason: "no_home"` (`rule`) for a deny or ask rule with `~/` when no home folder is known, since it could not be kept.
 */
export function createPolicy(options: PolicyOptions): Policy {
  const { workspace, home, configDir, stateDir, gitDirs = [] } = options;
  const roots = [workspace, ...options.roots.filter((root) => root !== workspace)];
  for (const path of [...roots, home, configDir, stateDir, ...gitDirs]) {
    if (path !== null && !isRealPath(path))
      throw fail("invalid_args", `a policy needs absolute real paths, not ${JSON.stringify(path)}`, { reason: "not_a_real_path", path });
  }
  if (home === null) {
    const rule = options.rules.find(({ effect, matcher }) => effect !== "allow" && "anchor" in matcher && matcher.anchor === "home");
    if (rule)
      throw fail("invalid_args", `the rule ${rule.effect} ${rule.text} cannot be kept: no home folder is known for ~/`, {
        reason: "no_home",
        rule: rule.text,
      });
  }
  return Object.freeze({ ...options, rules: [...options.rules], roots, gitDirs });
}

/** The rules as they stand in `session_started`. */
export function describeRules(
  policy: Policy,
): readonly { readonly rule: string; readonly effect: Rule["effect"]; readonly source: DecisionSource }[] {
  return policy.rules.map(({ text, effect, source }) => ({ rule: text, effect, source }));
}
