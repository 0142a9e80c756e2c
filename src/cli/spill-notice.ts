import { quoteWord } from "../base/words.ts";
import type { CallResult } from "../executor/index.ts";

/**
 * The notice of cut output names the call of `read` that pages the rest, and that call works in the same session only: a single call's
 * session is over when its result is read. There the notice names a command of the shell that does the same.
 */
export function withShellNotice(result: CallResult): CallResult {
  const fields: Fields = result;
  const error = fieldsOf(fields.error);
  const details = fieldsOf(error.details);
  const inError = renamed(details.output, details.spill);
  const output = renamed(fields.output, fields.spill ?? fieldsOf(fields.bounded).spill);
  const changed =
    inError === null ? (output === null ? {} : { output }) : { error: { ...error, details: { ...details, output: inError } } };
  // of the same form: a text takes the place of a text
  return { ...fields, ...changed } as CallResult;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** `null`: there is nothing to rename. */
function renamed(output: unknown, spill: unknown): string | null {
  if (typeof output !== "string" || typeof spill !== "string") return null;
  const start = `read ${JSON.stringify({ path: spill }).slice(0, -1)},"offset":`;
  const at = output.indexOf(start);
  const [call, offset] = /^(\d+)\}/.exec(output.slice(at + start.length)) ?? [];
  if (at < 0 || call === undefined) return null;
  return `${output.slice(0, at)}tail -n +${offset} ${quoteWord(spill)}${output.slice(at + start.length + call.length)}`;
}
