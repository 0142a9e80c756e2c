import type { Effect, FileEffect } from "../base/effect.ts";
import { fail } from "../base/fail.ts";
import { sha256 } from "../base/hash.ts";
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

/** What `plan` sees: read-only, every use through the gate. */
export function readView(port: SandboxPort, options: { readonly cwd: string; readonly gate: Gate }): ReadSandbox {
  const { cwd, gate } = options;
  const access = { cwd, gate };
  const read = (path: string) => port.read(path, { ...access, maxBytes: MAX_WHOLE_FILE_BYTES });
  return Object.freeze<ReadSandbox>({
    kind: port.kind,
    processes: port.processes,
    newFileMode: port.newFileMode,
    stat: (path) => port.stat(path, access),
    read,
    async readText(path) {
      const file = await read(path);
      return { ...file, text: decodeUtf8(file.bytes, path) };
    },
    stream: (path) => port.stream(path, access),
    version: (path) => port.version(path, access),
    list: (path) => port.list(path, access),
    resolve: (path, at) => port.resolve(path, { cwd: at?.cwd ?? cwd }),
  });
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
  /** Aborted when the call is over: a tool that was left behind can do nothing more. */
  readonly over: AbortSignal;
}

/** What `execute` sees: the effects of the plan, and no other file effect. */
export function callView(port: SandboxPort, options: CallViewOptions): Sandbox {
  const { cwd, effects, forbids, over } = options;
  const anything = effects.some((effect) => effect.kind === "unknown");
  const alive = () => {
    if (over.aborted) throw fail("cancelled", "the call is over; its sandbox is closed");
  };
  const readGate: Gate = (location) => {
    alive();
    if (effects.some((effect) => isFile(effect) && covers(effect, location))) return;
    if (!anything) throw notInPlan("reads", location);
    forbids({ kind: "file.read", sure: "open", ...location });
  };
  const view = readView(port, { cwd, gate: readGate });
  return Object.freeze<Sandbox>({
    ...view,
    // what is streamed is shown, and whoever shows it may cut it: a value that was cut would not be known any more
    stream: async (path) => redacted(await view.stream(path), options.redactor),
    async write(path, bytes, { before, mode }) {
      const after = sha256(bytes);
      const gate: Gate = (location) => {
        alive();
        const effect = effects.find((e) => e.kind === "file.write" && covers(e, location));
        if (effect?.kind === "file.write" && effect.sure === "exact") {
          if (effect.after.sha256 !== after || (effect.before?.sha256 ?? null) !== before)
            throw notInPlan("writes other bytes to", location);
        } else if (!effect) {
          if (!anything) throw notInPlan("writes", location);
          forbids({ kind: "file.write", sure: "open", ...location });
        }
      };
      const planned = effects.find((e) => e.kind === "file.write" && e.sure === "exact" && e.after.sha256 === after);
      const plannedMode = planned?.kind === "file.write" && planned.sure === "exact" ? planned.after.mode : port.newFileMode;
      return (await port.write(path, bytes, { cwd, gate, before, mode: mode ?? plannedMode })).version;
    },
    async remove(path, { before }) {
      const gate: Gate = (location) => {
        alive();
        const effect = effects.find((e) => e.kind === "file.delete" && covers(e, location));
        if (effect?.kind === "file.delete" && effect.sure === "exact" && effect.before.sha256 !== before)
          throw notInPlan("deletes another version of", location);
        if (effect) return;
        if (!anything) throw notInPlan("deletes", location);
        forbids({ kind: "file.delete", sure: "open", ...location });
      };
      await port.remove(path, { cwd, gate, before });
    },
    async exec(request) {
      alive();
      if (!anything && !effects.some((effect) => isCovered(request.argv, effect))) {
        throw fail("tool_failed", "the tool started a process that is not in its plan", { reason: "not_in_plan", argv: [...request.argv] });
      }
      return options.exec(request);
    },
  });
}

function redacted(file: FileStream, redactor: Redactor): FileStream {
  const bytes = redactor.bytes();
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of file.chunks) yield bytes.push(chunk);
    yield bytes.end();
  }
  return { ...file, chunks: chunks() };
}

/** An open command may do anything; a declared one is these very words. */
function isCovered(argv: readonly string[], effect: Effect): boolean {
  if (effect.kind !== "command") return false;
  return effect.sure === "open" || (effect.argv.length === argv.length && effect.argv.every((word, index) => word === argv[index]));
}

function isFile(effect: Effect): effect is FileEffect {
  return effect.kind === "file.read" || effect.kind === "file.write" || effect.kind === "file.delete";
}

function covers(effect: FileEffect, { path }: Location): boolean {
  if (effect.path === path) return true;
  const isTree = "tree" in effect && effect.tree === true;
  return isTree && path.startsWith(effect.path.endsWith("/") ? effect.path : `${effect.path}/`);
}

function notInPlan(what: string, { path }: Location) {
  return fail("tool_failed", `the tool ${what} ${path}, which is not in its plan`, { reason: "not_in_plan", path });
}
