import type { Clock } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import type { Approvals, Asker, Policy } from "../permissions/index.ts";
import type { EvidencePort, SandboxPort } from "../sandbox/port.ts";
import type { Redactor, Secrets } from "../secrets/index.ts";
import type { PlanContext, ToolSet } from "../tools/index.ts";
import type { AskedArgs } from "./asked-args.ts";
import type { PathLocks } from "./locks.ts";
import type { Recorder } from "./recorder.ts";

/** One call as it was asked for. */
export interface Call {
  /** Ours; unique in the session. */
  readonly callId: string;
  readonly providerCallId: string | null;
  readonly tool: string;
  /** An object, or the text that a model or a person wrote and that is yet to be parsed. */
  readonly args: JsonObject | string;
  readonly dryRun: boolean;
}

/** What the executor of one session works with. */
export interface ExecutorParts {
  readonly sandbox: SandboxPort;
  /** Looks after guarded files; absent or `null` where there are none to look after. */
  readonly evidence?: EvidencePort | null;
  readonly tools: ToolSet;
  readonly policy: Policy;
  /** `null`: there is nobody to ask. */
  readonly asker: Asker | null;
  /** Rules that a person said yes to for good: they stand beside those of the policy. */
  readonly approvals: Approvals;
  readonly redactor: Redactor;
  readonly secrets: Secrets;
  readonly recorder: Recorder;
  readonly locks: PathLocks;
  readonly clock: Clock;
  readonly agent: PlanContext["agent"];
  /** Real path that relative arguments are taken from. */
  readonly cwd: string;
}

/** What stays the same through the steps of one call. */
export interface CallScope {
  readonly call: Omit<Call, "args">;
  readonly asked: AskedArgs;
  readonly parts: ExecutorParts;
  readonly assigns: JsonObject;
  readonly signal: AbortSignal;
  /** What a person made of the call; written while it is prepared. */
  readonly person: { args: JsonObject | null };
}

/** The policy as it is now, with what was allowed for good. Kinds: those of a store that cannot be read. */
export function policyNow({ policy, approvals }: Pick<ExecutorParts, "policy" | "approvals">): Policy {
  const rules = approvals.rules();
  return rules.length === 0 ? policy : { ...policy, rules: [...policy.rules, ...rules] };
}
