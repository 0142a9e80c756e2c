import type { Mode } from "../base/decision.ts";
import { fail, isFailure } from "../base/fail.ts";
import type { Asker, Permissions, RuntimeOptions, WritePolicy } from "../node.ts";
import type { CommonFlags } from "./common-flags.ts";
import type { Place } from "./place.ts";
import type { Terminal } from "./terminal.ts";
import { writePolicyOf } from "./write-policy-file.ts";

export interface RuntimePlace {
  readonly terminal: Terminal;
  readonly flags: CommonFlags;
  readonly place: Place;
  /** When no flag names one. In the mode `ask` the user's own file may name another default. */
  readonly defaultMode: Mode;
  readonly signal: AbortSignal;
}

/** The options of a runtime, with what the flags say of them in the form that they were read in. */
export type OwnOptions = RuntimeOptions & { readonly permissions: Permissions; readonly writePolicy: WritePolicy | null };

/** What the flags and the place of a command say of its runtime. Rules are read from files too. Kinds: `invalid_config`, of a write policy. */
export async function runtimeOptionsOf(
  { terminal, flags, place, defaultMode, signal }: RuntimePlace,
  asker: Asker | null,
): Promise<OwnOptions> {
  const { allow, askFor: ask, deny } = flags;
  const permissions: Permissions = { mode: flags.mode ?? defaultMode, asker, allow, ask, deny };
  const writePolicy = await writePolicyOf(flags, { cwd: terminal.cwd(), workspace: place.workspace, signal });
  return {
    workspace: place.workspace,
    stateDir: place.stateDir,
    env: terminal.env,
    permissions,
    writePolicy,
    rulesFrom: "flag",
    rulesFiles: true,
    modeIsDefault: flags.mode === undefined && defaultMode === "ask",
  };
}

/** A rule that cannot be used, with the flag that it stands after. */
export function withFlag(error: unknown, { allow, askFor, deny }: CommonFlags): unknown {
  if (!isFailure(error) || error.kind !== "invalid_args" || typeof error.details.rule !== "string" || "next_actions" in error.details)
    return error;
  const stands = (rules: readonly string[]) => rules.some((rule) => rule.trim() === error.details.rule);
  const flag = stands(allow) ? "--allow" : stands(askFor) ? "--ask-for" : stands(deny) ? "--deny" : "--allow";
  const next_actions = [`write the rule as in ${flag} 'command(npm test)' or ${flag} 'write(src/**)'`];
  return fail(error.kind, error.message, { ...error.details, flag, next_actions }, { cause: error });
}
