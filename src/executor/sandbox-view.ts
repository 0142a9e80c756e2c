import type { Effect, FileEffect } from "../base/effect.ts";
import { fail } from "../base/fail.ts";
import { sha256 } from "../base/hash.ts";
import { isWithin } from "../base/real-path.ts";
import {
  type FileStream,
  type Gate,
  type Location,
  MAX_WHOLE_FILE_BYTES,
  type ReadSandbox,
  type Sandbox,
  type SandboxPort,
} from "../sandbox/port.ts";
import type { Redactor } from "../secrets/index.ts";
import { counted, type Deeds } from "./stale-plan.ts";
import { checkContent, createStartCheck } from "./start-check.ts";
import { createSurvey, type SurveyPermits } from "./survey.ts";

export interface ReadViewOptions {
  readonly cwd: string;
  readonly gate: Gate;
  /** Aborted when what the view was made for is over: from then on it is `tool_failed` (`reason: "sandbox_closed"`), its streams too. */
  readonly over: AbortSignal;
  readonly redactor: Redactor;
  readonly permits: SurveyPermits;
}

/** What `plan` sees: read-only, every use through the gate. */
export function readView(port: SandboxPort, { cwd, gate, over, redactor, permits }: ReadViewOptions): ReadSandbox {
  const access = {
    cwd,
    async gate(location: Location) {
      refuseOver(over);
      await gate(location);
      refuseOver(over);
    },
  };
  const read = async (path: string) => {
    refuseOver(over);
    return port.read(path, { ...access, maxBytes: MAX_WHOLE_FILE_BYTES });
  };
  return Object.freeze<ReadSandbox>({
    kind: port.kind,
    processes: port.processes,
    newFileMode: port.newFileMode,
    redact: (text) => redactor.text(text),
    survey: createSurvey(port, permits),
    async stat(path) {
      refuseOver(over);
      return port.stat(path, access);
    },
    read,
    async readText(path) {
      const file = await read(path);
      return { ...file, text: decodeUtf8(file.bytes, path) };
    },
    async stream(path) {
      refuseOver(over);
      return untilOver(await port.stream(path, access), over);
    },
    async version(path) {
      refuseOver(over);
      return port.version(path, access);
    },
    async list(path) {
      refuseOver(over);
      return port.list(path, access);
    },
    async resolve(path, at) {
      refuseOver(over);
      return port.resolve(path, { cwd: at?.cwd ?? cwd });
    },
  });
}

function refuseOver(over: AbortSignal): void {
  if (!over.aborted) return;
  throw fail("tool_failed", "what this sandbox was made for is over; it is closed", { reason: "sandbox_closed" });
}

/** A stream that is left open is closed then. */
function untilOver(file: FileStream, over: AbortSignal): FileStream {
  const close = async () => {
    over.removeEventListener("abort", onOver);
    await file.close();
  };
  const onOver = () => void close().catch(() => {});
  over.addEventListener("abort", onOver, { once: true });
  if (over.aborted) onOver();
  async function* chunks(): AsyncGenerator<Uint8Array> {
    refuseOver(over);
    for await (const chunk of file.chunks) {
      refuseOver(over);
      yield chunk;
      refuseOver(over);
    }
  }
  return { ...file, chunks: chunks(), close };
}

function decodeUtf8(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw fail("read_failed", `${path} is not UTF-8 text`, { path, reason: "not_utf8" }, { cause });
  }
}

export interface CallViewOptions {
  readonly cwd: string;
  readonly effects: readonly Effect[];
  /** Judges what an `unknown` effect covers only in general: throws when a guard or a deny rule forbids this very effect. */
  readonly forbids: (effect: FileEffect) => void;
  readonly exec: Sandbox["exec"];
  readonly redactor: Redactor;
  readonly permits: SurveyPermits;
  /** Counts what is done. Default: nobody counts. */
  readonly deeds?: Deeds;
  /** Aborted when the call is over: a tool that was left behind can do nothing more. */
  readonly over: AbortSignal;
}

/** What `execute` sees: the effects of the plan, and no other file effect, nor another command. */
export function callView(port: SandboxPort, options: CallViewOptions): Sandbox {
  const { cwd, effects, forbids, over, permits, deeds = { begun: 0 } } = options;
  const anything = effects.some((effect) => effect.kind === "unknown");
  const readGate: Gate = (location) => {
    if (effects.some((effect) => isFile(effect) && covers(effect, location))) return;
    if (!anything) throw notInPlan("reads", location);
    forbids({ kind: "file.read", sure: "open", ...location });
  };
  const view = readView(port, { cwd, gate: readGate, over, redactor: options.redactor, permits });
  const checkStart = createStartCheck(port, { cwd, effects, survey: view.survey });
  return Object.freeze<Sandbox>({
    ...view,
    // what is streamed is shown, and whoever shows it may cut it: a value that was cut would not be known any more
    stream: async (path) => redacted(await view.stream(path), options.redactor),
    async write(path, bytes, { before, mode: asked }) {
      refuseOver(over);
      const after = sha256(bytes);
      const mode = asked ?? (await plannedMode(path, after));
      const gate: Gate = (location) => {
        refuseOver(over);
        const effect = effects.find((e) => e.kind === "file.write" && covers(e, location));
        if (effect?.kind === "file.write" && effect.sure === "exact") {
          if (effect.after.sha256 !== after || (effect.before?.sha256 ?? null) !== before)
            throw notInPlan("writes other bytes to", location);
          if (effect.after.mode !== mode) throw notInPlan("gives other permission bits to", location);
        } else if (!effect) {
          if (!anything) throw notInPlan("writes", location);
          forbids({ kind: "file.write", sure: "open", ...location });
        }
      };
      return (await counted(deeds, () => port.write(path, bytes, { cwd, gate, before, mode }))).version;
    },
    async remove(path, { before }) {
      refuseOver(over);
      const gate: Gate = (location) => {
        refuseOver(over);
        const effect = effects.find((e) => e.kind === "file.delete" && covers(e, location));
        if (effect?.kind === "file.delete" && effect.sure === "exact" && effect.before.sha256 !== before)
          throw notInPlan("deletes another version of", location);
        if (effect) return;
        if (!anything) throw notInPlan("deletes", location);
        forbids({ kind: "file.delete", sure: "open", ...location });
      };
      await counted(deeds, () => port.remove(path, { cwd, gate, before }));
    },
    async exec(request) {
      refuseOver(over);
      // read once: what is checked is what is started
      const argv: readonly [string, ...string[]] = [...request.argv];
      const own = { ...request, argv };
      if (!anything) await checkStart(own);
      await checkContent(port, own);
      refuseOver(over);
      return counted(deeds, () => options.exec(own));
    },
  });

  /** The bits that the plan says for this file; else those of a new one. */
  async function plannedMode(path: string, after: string): Promise<number> {
    const writes = effects.flatMap((e) => (e.kind === "file.write" && e.sure === "exact" && e.after.sha256 === after ? [e] : []));
    if (writes.length < 2) return writes[0]?.after.mode ?? port.newFileMode;
    const place = await port.resolve(path, { cwd });
    return (writes.find((write) => write.path === place.path) ?? writes[0])?.after.mode ?? port.newFileMode;
  }
}

function redacted(file: FileStream, redactor: Redactor): FileStream {
  const bytes = redactor.bytes();
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of file.chunks) yield bytes.push(chunk);
    yield bytes.end();
  }
  return { ...file, chunks: chunks() };
}

function isFile(effect: Effect): effect is FileEffect {
  return effect.kind === "file.read" || effect.kind === "file.write" || effect.kind === "file.delete";
}

function covers(effect: FileEffect, { path }: Location): boolean {
  const isTree = "tree" in effect && effect.tree === true;
  return isTree ? isWithin(path, effect.path) : effect.path === path;
}

function notInPlan(what: string, { path }: Location) {
  return fail("tool_failed", `the tool ${what} ${path}, which is not in its plan`, { reason: "not_in_plan", path });
}
