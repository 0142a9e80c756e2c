import type { Recovery } from "../base/decision.ts";
import type { Effect, FileVersion } from "../base/effect.ts";
import { fail, isFailure } from "../base/fail.ts";
import type { BlobRef } from "../log/index.ts";
import { MAX_WHOLE_FILE_BYTES } from "../sandbox/port.ts";
import { type CallContext, type Taken, takeResult, toolInternals } from "../tools/index.ts";
import { forbid, surveyPermits } from "./authorise.ts";
import type { CallScope } from "./call.ts";
import { withDeadline } from "./deadline.ts";
import { keepEvidence } from "./evidence.ts";
import { DEFAULT_TIMEOUT_MS, GRACE_MS, type Prepared, toolFailure } from "./prepare.ts";
import { createRunCommand } from "./run-command.ts";
import { callView } from "./sandbox-view.ts";
import { type Deeds, noteStale, staleFile } from "./stale-plan.ts";

const MAX_PROGRESS_LENGTH = 1000;

/**
 * Steps 8 and 9: locks, before-images, `tool_started`, and the act under its limits. Throws the failure that ends the call.
 * @param started called once the call can no longer be said not to have run.
 */
export async function perform(prepared: Prepared, scope: CallScope, started: () => void): Promise<Taken> {
  const { parts, call, signal } = scope;
  const { secrets: named } = prepared.tool[toolInternals];
  const secrets = named.length > 0 ? await parts.secrets.resolve(named) : {};
  const recovery = recoveryOf(prepared);
  const overwritten = prepared.effects.flatMap(exactTarget);
  const paths = overwritten.map(({ path }) => path);
  const interrupted = () => {
    if (signal.aborted) throw fail("cancelled", `${prepared.tool.name} was interrupted before it started`);
  };
  interrupted();
  return parts.locks.hold(paths, signal, async () => {
    interrupted();
    const beforeImages: BlobRef[] = [];
    for (const { path, before } of overwritten) {
      if (before) beforeImages.push(await keepBeforeImage(path, before, scope));
      else await checkAbsent(path, scope);
    }
    // the images are on disk before the line that says that they can be relied on
    const evidence = await keepEvidence(prepared.effects, scope);
    if (beforeImages.length > 0 || evidence?.isNew) await parts.recorder.sync();
    parts.recorder.record("tool_started", {
      call_id: call.callId,
      plan_sha256: prepared.planSha256,
      effects: prepared.effects,
      recovery,
      before_images: beforeImages,
      ...(evidence && evidence.files.length > 0 ? { evidence: evidence.files } : {}),
    });
    if (recovery !== "repeat") await parts.recorder.sync();
    started();
    return evidence ? evidence.hold(() => act(prepared, secrets, scope)) : act(prepared, secrets, scope);
  });
}

/** Nobody reads it; without one, each call would pay for an exception with its stack. */
const OVER = "the call is over";

async function act(prepared: Prepared, secrets: Readonly<Record<string, string>>, scope: CallScope): Promise<Taken> {
  const { tool, plan, effects } = prepared;
  const { parts, call, signal } = scope;
  const internals = tool[toolInternals];
  const over = new AbortController();
  const deeds: Deeds = { begun: 0 };
  try {
    return await withDeadline(
      async (limited) => {
        const exec = createRunCommand(parts.sandbox, {
          cwd: parts.cwd,
          // what a tool did not wait for ends with its call
          signal: () => AbortSignal.any([limited.signal, over.signal]),
          redactor: parts.redactor,
          spill: () => parts.recorder.spill(call.callId),
        });
        const context: CallContext = Object.freeze({
          ...prepared.context,
          signal: limited.signal,
          secrets: Object.freeze(secrets),
          sandbox: callView(parts.sandbox, {
            cwd: parts.cwd,
            effects,
            forbids: (effect) => forbid(effect, scope),
            exec,
            redactor: parts.redactor,
            permits: surveyPermits(scope),
            deeds,
            over: over.signal,
          }),
          progress: (update) => {
            const message = typeof update === "string" ? update : update.message;
            if (over.signal.aborted) return;
            // a value that is cut would not be known any more
            const redacted = parts.redactor.text(String(message));
            parts.recorder.emit("tool_progress", { call_id: call.callId, message: redacted.slice(0, MAX_PROGRESS_LENGTH) });
          },
        });
        return takeResult(await internals.execute(plan, context));
      },
      { clock: parts.clock, timeoutMs: internals.timeoutMs ?? DEFAULT_TIMEOUT_MS, graceMs: GRACE_MS, signal, label: tool.name },
    );
  } catch (error) {
    noteStale(error, effects, deeds);
    throw toolFailure(error, tool.name);
  } finally {
    over.abort(OVER);
  }
}

function recoveryOf({ tool, effects }: Prepared): Recovery {
  const own = tool[toolInternals].recovery;
  if (own) return own;
  if (effects.every((effect) => effect.kind === "file.read")) return "repeat";
  return effects.every((effect) => "path" in effect && effect.sure === "exact") ? "reconcile" : "unknown";
}

function exactTarget(effect: Effect): { path: string; before: FileVersion | null }[] {
  const isTarget = (effect.kind === "file.write" || effect.kind === "file.delete") && effect.sure === "exact";
  return isTarget ? [{ path: effect.path, before: effect.before }] : [];
}

/** Copies what is about to be replaced, and so makes sure that it still is what the plan saw. */
async function keepBeforeImage(path: string, before: FileVersion, { parts }: CallScope): Promise<BlobRef> {
  const changed = (now: string | null) => staleFile(path, { planned: before.sha256, now });
  if (before.size_bytes > MAX_WHOLE_FILE_BYTES) {
    throw fail("write_failed", `${path} is larger than 64 MiB; such files are not replaced`, {
      path,
      reason: "too_large",
      size_bytes: before.size_bytes,
    });
  }
  const access = { cwd: parts.cwd, gate: () => {}, maxBytes: MAX_WHOLE_FILE_BYTES };
  const now = await parts.sandbox.read(path, access).catch((error: unknown) => {
    throw isFailure(error) && error.kind === "not_found" ? changed(null) : error;
  });
  if (now.version.sha256 !== before.sha256) throw changed(now.version.sha256);
  return parts.recorder.putBlob(now.bytes, "application/octet-stream");
}

/** Sees to it that what is to be made is not there yet. What cannot be told is left to the write, which makes sure of it again. */
async function checkAbsent(path: string, { parts }: CallScope): Promise<void> {
  const found = await parts.sandbox.version(path, { cwd: parts.cwd, gate: () => {} }).catch((error: unknown) => {
    if (isFailure(error)) return { version: null };
    throw error;
  });
  if (found.version) throw staleFile(path, { planned: null, now: found.version.sha256 });
}
