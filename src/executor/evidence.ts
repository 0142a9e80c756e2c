/**
 * The evidence guard for what cannot be foreseen: before an `open` command, an unknown effect, or a change of a whole tree, of which nobody can
 * say which files it reaches, the small guarded files are kept. Afterwards what was changed among them is put back, unless a rule or a
 * person allows it or it is what git writes in everyday work. Larger damage is told.
 */
import { boundHeadTail } from "../base/bound.ts";
import type { Effect } from "../base/effect.ts";
import { asFailure, errorBody, type Failure, fail, isFailure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { isWithin } from "../base/real-path.ts";
import { showLine } from "../base/show.ts";
import type { BlobRef } from "../log/index.ts";
import type { Policy } from "../permissions/index.ts";
import type { EvidencePort } from "../sandbox/port.ts";
import type { Taken } from "../tools/index.ts";
import { type CallScope, policyNow } from "./call.ts";
import { type Before, type Change, changesSince, MAX_KEPT_BYTES } from "./evidence-change.ts";
import { damageSince, goneFolders, standing } from "./evidence-damage.ts";
import { type Snapshot, takeSnapshot } from "./evidence-snapshot.ts";
import { hasOwnPrograms, trackedIds } from "./evidence-tracked.ts";
import { gitMovesOf } from "./git-move.ts";
import type { Recorder } from "./recorder.ts";

/** Files of which the content is kept, before a call and of what it left behind. */
const MAX_KEPT = 64;
/** Changes that the details name one by one. */
const MAX_TOLD = 64;
/** The output of a call that ends on its changes. */
const OUTPUT_LIMIT = { headBytes: 32 * 1024, tailBytes: 32 * 1024 };

/** A guarded file as it was before the call. */
export type KeptFile = { readonly path: string; readonly mode: number; readonly blob: BlobRef };

/** Hashes of what earlier calls of a session kept and brought to the disk. */
const keptBefore = new WeakMap<Recorder, Set<string>>();

/** What was kept before a call. */
export interface Evidence {
  readonly files: readonly KeptFile[];
  /** True when some of them have to be brought to the disk before the call. */
  readonly isNew: boolean;
  /** Does the act, then looks again. A change that may not be is put back, and the call ends on `protected_path`. */
  hold(act: () => Promise<Taken>): Promise<Taken>;
}

/** True when files may be changed that the effects do not name one by one. */
function mayReachMore(effect: Effect): boolean {
  if (effect.kind === "unknown") return true;
  if (effect.kind === "command") return effect.sure === "open";
  return (effect.kind === "file.write" || effect.kind === "file.delete") && "tree" in effect && effect.tree === true;
}

/** Keeps the small guarded files, when the call may do more than is known; `null` when it may not, or there is nothing to look with. */
export async function keepEvidence(effects: readonly Effect[], scope: CallScope): Promise<Evidence | null> {
  const { evidence: port, sandbox, recorder } = scope.parts;
  if (!port || !effects.some(mayReachMore)) return null;
  const policy = policyNow(scope.parts);
  const { before, files } = await keep({ port, policy, effects }, scope);
  const known = keptBefore.get(recorder) ?? new Set<string>();
  keptBefore.set(recorder, known);
  const isNew = files.some(({ blob }) => !known.has(blob.sha256));
  for (const { blob } of files) known.add(blob.sha256);
  const spillDir = policy.spillDir();
  const stood = await standing({ port, gitFolders: before.snapshot.gitFolders, spillDir });
  const moves = gitMovesOf(effects, policy.roots);
  const move = moves && !hasOwnPrograms(before, moves) ? moves.move : null;
  const indexed = async ({ gitFolders, items }: Snapshot) =>
    move && trackedIds(port, { gitFolders, workspace: policy.workspace, paths: [...items.keys()] });
  const indexBefore = await indexed(before.snapshot);
  return {
    files,
    isNew,
    async hold(act) {
      const ended = await endOf(act);
      const after = await takeSnapshot({ port, policy, resolve: sandbox.resolve, effects, before: before.snapshot });
      const stands = await standing({ port, gitFolders: before.snapshot.gitFolders, spillDir });
      const gone = goneFolders(stood, stands);
      const indexAfter = indexBefore && (await indexed(after));
      const tracked = move && indexBefore && indexAfter && { move, before: indexBefore, after: indexAfter };
      const changes = await changesSince(before, after, { port, policy, effects, tracked });
      const toPutBack = changes.filter(({ item }) => !gone.some((folder) => isWithin(item.path, folder)));
      const done = await putBack(toPutBack, port, (bytes) => recorder.putBlob(bytes, "application/octet-stream"));
      return report(ended, done, damageSince(stood, stands));
    },
  };
}

interface Keeping {
  readonly port: EvidencePort;
  readonly policy: Policy;
  readonly effects: readonly Effect[];
}

async function keep({ port, policy, effects }: Keeping, { parts }: CallScope): Promise<{ before: Before; files: readonly KeptFile[] }> {
  const snapshot = await takeSnapshot({ port, policy, resolve: parts.sandbox.resolve, effects });
  const kept = new Map<string, Uint8Array>();
  const files: KeptFile[] = [];
  for (const { path, place, leaf, entry } of snapshot.items.values()) {
    if (entry.is !== "file" || kept.size === MAX_KEPT) continue;
    const bytes = await port.read(place, leaf, MAX_KEPT_BYTES);
    if (bytes === null) continue;
    kept.set(path, bytes);
    files.push({ path, mode: entry.mode, blob: await parts.recorder.putBlob(bytes, "application/octet-stream") });
  }
  return { before: { snapshot, kept }, files };
}

/** How the act ended. */
type End = { readonly taken: Taken } | { readonly failure: Failure };

async function endOf(act: () => Promise<Taken>): Promise<End> {
  try {
    return { taken: await act() };
  } catch (error) {
    return { failure: asFailure(error) };
  }
}

/** One change, and what became of it. */
type Done = {
  readonly path: string;
  readonly change: Change["change"];
  readonly put_back: boolean;
  /** What it held after the call. */
  readonly content: BlobRef | null;
  /** The other name that it has now, where its content could not be kept. */
  readonly aside: string | null;
  /** Why it could not be put back. */
  readonly reason?: string;
};

async function putBack(
  changes: readonly Change[],
  port: EvidencePort,
  keepBlob: (bytes: Uint8Array) => Promise<BlobRef>,
): Promise<readonly Done[]> {
  const done: Done[] = [];
  let blobs = 0;
  for (const { item, change, was } of changes) {
    const content = item.entry.is === "file" && blobs < MAX_KEPT ? await port.read(item.place, item.leaf, MAX_KEPT_BYTES) : null;
    if (content) blobs += 1;
    // what was done is told also where it cannot be kept
    const blob = content && (await keepBlob(content).catch(() => null));
    const common = { path: item.path, change, content: blob };
    if (was === undefined) {
      done.push({ ...common, put_back: false, aside: null, reason: "not_kept" });
      continue;
    }
    try {
      const { aside } = await port.putBack(item.place, item.leaf, was, { aside: blob === null });
      done.push({ ...common, put_back: true, aside });
    } catch (error) {
      if (!isFailure(error)) throw error;
      done.push({ ...common, put_back: false, aside: null, reason: String(error.details.reason ?? error.kind) });
    }
  }
  return done;
}

function report(ended: End, done: readonly Done[], damage: readonly string[]): Taken {
  const told = damage.length === 0 ? {} : { damage };
  if (done.length === 0) {
    if ("failure" in ended) throw damage.length === 0 ? ended.failure : withDetails(ended.failure, told);
    return damage.length === 0 ? ended.taken : withDamage(ended.taken, damage);
  }
  const restored = done.filter(({ put_back }) => put_back);
  const left = done.filter(({ put_back }) => !put_back);
  const sentences = [
    ...(restored.length > 0 ? [`changed what is protected, which was put back: ${listed(restored)}`] : []),
    ...(left.length > 0 ? [`changed what is protected, which could not be put back: ${listed(left)}`] : []),
    ...damage,
  ];
  const [first] = done;
  throw fail("protected_path", `the call ${sentences.join("; ")}`, {
    ...endDetails(ended),
    path: first?.path,
    why: "guarded_files_changed",
    restored: toldOf(restored),
    ...(restored.length > MAX_TOLD ? { restored_more: restored.length - MAX_TOLD } : {}),
    ...(left.length > 0 ? { not_restored: toldOf(left) } : {}),
    ...(left.length > MAX_TOLD ? { not_restored_more: left.length - MAX_TOLD } : {}),
    ...told,
    source: { from: "guard" },
  });
}

function toldOf(changes: readonly Done[]): readonly JsonObject[] {
  return changes.slice(0, MAX_TOLD).map(({ put_back: _, ...change }) => change);
}

function listed(changes: readonly Done[]): string {
  const shown = changes.slice(0, 8).map(({ path, change }) => `${showLine(path)} (${change})`);
  return changes.length > 8 ? `${shown.join(", ")} and ${changes.length - 8} more` : shown.join(", ");
}

/** What the call said of itself. */
function endDetails(ended: End): JsonObject {
  if ("failure" in ended) {
    const { kind, message, details } = errorBody(ended.failure);
    return { ...details, failure: { kind, message } };
  }
  return { ...ended.taken.details, output: boundHeadTail(ended.taken.output, OUTPUT_LIMIT) };
}

function withDetails(failure: Failure, more: JsonObject): Failure {
  return fail(failure.kind, failure.message, { ...failure.details, ...more }, { cause: failure });
}

function withDamage(taken: Taken, damage: readonly string[]): Taken {
  const notices = damage.map((sentence) => `[${showLine(sentence)}]`).join("\n");
  const gap = taken.output === "" || taken.output.endsWith("\n") ? "" : "\n";
  return { ...taken, output: `${taken.output}${gap}${notices}`, details: { ...taken.details, damage } };
}
