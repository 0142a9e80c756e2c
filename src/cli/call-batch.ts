import { asFailure, errorBody, fail, isFailure } from "../base/fail.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { KINDS, type Kind } from "../base/kinds.ts";
import { nearestNames } from "../base/nearest.ts";
import type { CallResult } from "../executor/index.ts";
import { codingTools } from "../node.ts";
import type { CallCommand } from "./call-once.ts";
import { closeAfter } from "./close-after.ts";
import { createDeniedNotice } from "./denied-notice.ts";
import { envelopeLine, failureOf } from "./envelope-line.ts";
import { grantedTools, withGrants } from "./grants.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { type Line, readLines } from "./lines.ts";
import { memberText } from "./member-text.ts";
import { openRuntime, sayPolicy } from "./open-runtime.ts";
import { ownCommand } from "./own-command.ts";
import { placeOf } from "./place.ts";
import { reportFailure } from "./report-failure.ts";

/** One line of a batch, as asked for. */
interface Request {
  readonly tool: string;
  /** An object, or text that is yet to be parsed. */
  readonly args: JsonObject | string;
  readonly dryRun: boolean;
}

const MAX_LINE_BYTES = 256 * 2 ** 20;
const KEYS = ["id", "tool", "args", "dry_run"];

/**
 * `collet call --batch`: a call a line, one after the other in one process, each answered as soon as it is done and before the next is
 * read, so that memory stays flat and a slow reader slows the calls down. A line that is none is answered as that, with `call_id` null, and
 * the next is read. What breaks the batch itself is told on standard error.
 */
export async function callBatch({ terminal, flags, log, grants }: CallCommand): Promise<number> {
  const interrupts = listenForInterrupts(terminal);
  try {
    const place = placeOf(terminal, flags);
    const tools = withGrants(codingTools(), grantedTools(grants));
    const stdin = terminal.stdin();
    const told = new Set<Kind>();
    const signal = AbortSignal.any([interrupts.signal, terminal.out.gone]);
    const options = { terminal, flags, place, defaultMode: "auto", interrupts, hold: () => () => {}, more: { log, tools } } as const;
    const runtime = await openRuntime(options);
    await sayPolicy(options);
    const notice = createDeniedNotice(options);
    return await closeAfter(runtime, async () => {
      for await (const line of readLines(stdin, { maxBytes: MAX_LINE_BYTES, signal })) {
        const { text, kind } = await answer(line, async ({ tool, args, dryRun }) => {
          const result = await runtime.call(tool, args, { dryRun, signal });
          notice.heard(failureOf(result));
          return result;
        });
        if (kind !== null) told.add(kind);
        await terminal.out.write(text);
        if (signal.aborted) break;
      }
      await notice.say();
      return interrupts.status() ?? 0;
    }).catch((error: unknown) => {
      // standard output has an answer a line, and nothing else
      if (!isFailure(error)) throw error;
      // a log that broke under a call breaks at its end too
      if (KINDS[error.kind].origin === "log" && told.has(error.kind)) return interrupts.status() ?? 0;
      return reportFailure(error, { output: terminal.err, form: "json", command: ownCommand(terminal) });
    });
  } finally {
    interrupts.stop();
  }
}

type Call = (request: Request) => Promise<CallResult>;

interface Answered {
  /** One line. */
  readonly text: string;
  /** Of its failure; `null` when there is none. */
  readonly kind: Kind | null;
}

async function answer(line: Line, call: Call): Promise<Answered> {
  let id = "null";
  try {
    const fields = fieldsOf(line);
    id = idText(fields, line);
    return answered(await call(requestOf(fields)), id);
  } catch (error) {
    // no call was made
    return answered({ ok: false, call_id: null, error: errorBody(asFailure(error)) }, id);
  }
}

function answered(result: CallResult, id: string): Answered {
  return { text: envelopeLine(result, id), kind: failureOf(result)?.kind ?? null };
}

function fieldsOf({ text, problem, number }: Line): JsonObject {
  if (problem) throw bad(`line ${number} ${problem}`, { line: number });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw bad(`line ${number} is no whole JSON object: ${why}`, { line: number });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw bad(`line ${number} is no JSON object`, { line: number });
  // what JSON.parse returns is JSON
  return value as JsonObject;
}

/** As the caller wrote it: it is theirs, and a number may be larger than ours. */
function idText({ id = null }: JsonObject, { text }: Line): string {
  if (id === null || typeof id === "string" || typeof id === "number") return memberText(text, "id") ?? "null";
  throw bad("id is a text or a number", { field: "id" });
}

function requestOf(fields: JsonObject): Request {
  const { tool, args = {}, dry_run: dryRun = false } = fields;
  const unknown = Object.keys(fields).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const nearest = nearestNames(unknown, KEYS);
    throw bad(`there is no field "${unknown}"; a line has id, tool, args and dry_run`, { field: unknown, nearest });
  }
  if (typeof tool !== "string") throw bad("tool is missing, or is no text", { field: "tool" });
  if (typeof args !== "string" && !isObject(args)) throw bad("args is no object", { field: "args" });
  if (typeof dryRun !== "boolean") throw bad("dry_run is true or false", { field: "dry_run" });
  return { tool, args, dryRun };
}

function bad(message: string, details: JsonObject) {
  return fail("invalid_args", message, details);
}
