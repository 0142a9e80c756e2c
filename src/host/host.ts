import { type Clock, systemClock } from "../base/clock.ts";
import type { Mode } from "../base/decision.ts";
import { fail } from "../base/fail.ts";
import type { Ids } from "../base/ids.ts";
import { KEY_ENV } from "../models/index.ts";
import { parseRule, type Rule, readWritePolicy, type WritePolicy } from "../permissions/index.ts";
import { createRedactor, createSecrets, environmentSource, MIN_VALUE_BYTES, staticSource } from "../secrets/index.ts";
import { codingTools, createToolSet, readOnlyTools, toolInternals } from "../tools/index.ts";
import { type Env, type Folders, foldersOf } from "./folders.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { systemIds } from "./system-ids.ts";

const MODES: readonly string[] = ["auto", "ask", "read_only"] satisfies readonly Mode[];
/** Model requests in one turn at most, when nobody says. */
const DEFAULT_MAX_ITERATIONS = 100;

/** What all sessions of a runtime share. */
export interface Host extends Folders {
  readonly env: Env;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly redactor: ReturnType<typeof createRedactor>;
  readonly secrets: ReturnType<typeof createSecrets>;
  readonly tools: ReturnType<typeof createToolSet>;
  readonly rules: readonly Rule[];
  readonly writePolicy: WritePolicy | null;
  /** Model requests in one turn at most. */
  readonly maxIterations: number;
}

/** Checks what can be checked before anything is opened. Kinds: invalid_args. */
export function hostOf(options: RuntimeOptions, env: Env): Host {
  const redactor = createRedactor();
  redactFromTheStart(redactor, options, env);
  const sources = [...(options.secrets ? [staticSource(options.secrets)] : []), environmentSource(env)];
  if (!MODES.includes(options.permissions?.mode)) {
    throw fail("invalid_args", `permissions.mode is one of ${MODES.join(", ")}`, { option: "permissions" });
  }
  if (options.plan && (options.permissions.mode !== "read_only" || options.modeIsDefault)) {
    throw fail("invalid_args", "a plan is made in the mode read_only and in no other", { option: "plan", mode: options.permissions.mode });
  }
  const { maxIterations = DEFAULT_MAX_ITERATIONS } = options;
  if (!Number.isInteger(maxIterations) || maxIterations < 1) {
    throw fail("invalid_args", "maxIterations is a whole number from 1", { option: "maxIterations", value: maxIterations });
  }
  const clock = options.clock ?? systemClock;
  return {
    ...foldersOf(env, options.stateDir),
    env,
    clock,
    ids: systemIds(clock),
    redactor,
    secrets: createSecrets({ sources, redactor, onUnredacted: (name) => options.onNotice?.(tooShort(name)) }),
    tools: createToolSet(options.tools ?? (options.plan ? readOnlyTools() : codingTools())),
    rules: rulesOf(options),
    writePolicy: options.writePolicy == null ? null : readWritePolicy(options.writePolicy),
    maxIterations,
  };
}

/**
 * What a command can print before it is used: the provider keys of the environment, which commands do not get and can find in ours, the
 * secrets that the host gave, and those that the tools name.
 */
function redactFromTheStart(redactor: Host["redactor"], { secrets = {}, tools = [] }: RuntimeOptions, env: Host["env"]): void {
  for (const name of Object.values(KEY_ENV)) redactor.add(name, env[name] ?? "");
  for (const [name, value] of Object.entries(secrets)) redactor.add(name, value);
  for (const { name } of tools.flatMap((tool) => tool?.[toolInternals]?.secrets ?? []))
    redactor.add(name, secrets[name] ?? env[name] ?? "");
}

/** The notice of a secret that cannot be redacted. */
export function tooShort(name: string): string {
  return `${name} is shorter than ${MIN_VALUE_BYTES} bytes: it is not redacted`;
}

function rulesOf({ permissions: { allow = [], ask = [], deny = [] }, rulesFrom = "api" }: RuntimeOptions): readonly Rule[] {
  const source = { from: rulesFrom };
  return [
    ...deny.map((text) => parseRule(text, "deny", source)),
    ...ask.map((text) => parseRule(text, "ask", source)),
    ...allow.map((text) => parseRule(text, "allow", source)),
  ];
}
