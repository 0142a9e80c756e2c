import type { ErrorBody } from "../base/fail.ts";
import { KINDS } from "../base/kinds.ts";
import type { CallResult } from "../executor/index.ts";

/**
 * An envelope as one line of JSON, `ok` first; `id`, where the caller has one, right after it. Image bytes are base64, as in MCP.
 * @param id JSON, one line
 */
export function envelopeLine(result: CallResult, id?: string): string {
  const { ok, ...rest } = result;
  const content = "content" in rest && Array.isArray(rest.content) ? { content: rest.content.map(asText) } : {};
  const own = id === undefined ? "" : `"id":${id},`;
  return `{"ok":${ok},${own}${JSON.stringify({ ...rest, ...content }).slice(1)}\n`;
}

/** By the kind of a failure; 0 also for a command that ran and exited non-zero. */
export function exitOf(result: CallResult): number {
  const error = failureOf(result);
  return error ? KINDS[error.kind].exit : 0;
}

/** `undefined` also for a command that ran and exited non-zero. */
export function failureOf(result: CallResult): ErrorBody | undefined {
  // the index signature of a command's result hides the type of what every failure has
  return result.ok ? undefined : (result.error as ErrorBody | undefined);
}

function asText(part: unknown): unknown {
  if (typeof part !== "object" || part === null || !("data" in part) || !(part.data instanceof Uint8Array)) return part;
  return { ...part, data: Buffer.from(part.data).toString("base64") };
}
