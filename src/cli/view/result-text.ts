import type { JsonObject } from "../../base/json.ts";
import { showLine, showText } from "../../base/show.ts";
import type { CallView, LoggedError, ResultView } from "../../log/index.ts";
import type { Colors } from "../output.ts";
import { bytesText, counted, durationText } from "./bytes-text.ts";
import type { Look } from "./look.ts";
import { offerLines } from "./offer-lines.ts";

/** A command's output on the screen: the head says what it was, the tail how it went. The log has all of it. */
const HEAD_LINES = 12;
const TAIL_LINES = 10;
const INDENT = "  ";

/** How a call ended: one line, then for a command its output, for a refusal the rules that would have let it through. */
export function resultLines(result: ResultView, call: CallView, look: Look): readonly string[] {
  const { colors } = look;
  if (result.error) return failedLines(result.error, look);
  const { details } = result;
  const duration = typeof details.duration_ms === "number" ? details.duration_ms : durationOf(call);
  const took = duration === null ? "" : colors.dim(` after ${durationText(duration)}`);
  if ("exit_code" in details) return [`${exitText(details, colors)}${took}`, ...outputLines(result, colors)];
  const verb = details.dry_run === true ? "planned only" : "done";
  return [`${colors.green(verb)}${took}: ${gist(result)}`, ...repairLines(details, colors)];
}

function durationOf({ started_ts: from, ended_ts: to }: CallView): number | null {
  const ms = from === null || to === null ? Number.NaN : Date.parse(to) - Date.parse(from);
  return ms >= 0 ? ms : null;
}

function failedLines({ kind, message, details }: LoggedError, look: Look): readonly string[] {
  const { colors } = look;
  const rules = Array.isArray(details.would_allow) ? details.would_allow.filter((rule) => typeof rule === "string") : [];
  const narrowest = typeof details.narrowest === "number" ? details.narrowest : rules.length;
  const output = typeof details.output === "string" ? outputLines({ output: details.output }, colors) : [];
  return [
    `${colors.red(showLine(kind))}: ${showLine(message)}`,
    ...(rules.length > 0 ? ["what would allow it:", ...offerLines({ rules, narrowest, indent: INDENT }, look)] : []),
    ...(details.reason === "nobody_to_ask"
      ? [colors.dim(`${rules.length > 0 ? "or a yes" : "what would allow it: a yes"} at a terminal, without --on-ask deny`)]
      : []),
    ...output,
  ];
}

function exitText({ exit_code: code, signal, ended_by: endedBy }: JsonObject, colors: Colors): string {
  const end = typeof code === "number" ? `exit ${code}` : `ended by ${showLine(String(signal ?? "a signal"))}`;
  const why = typeof endedBy === "string" && endedBy !== "exit" ? ` (${showLine(endedBy)})` : "";
  return code === 0 ? colors.green(end + why) : colors.red(end + why);
}

function outputLines({ output = "", output_blob: blob }: Pick<ResultView, "output" | "output_blob">, colors: Colors): readonly string[] {
  if (blob) return [colors.dim(`(${bytesText(blob.size_bytes)} of output, kept in the log)`)];
  if (output.trim() === "") return [colors.dim("(no output)")];
  const lines = output.replace(/\n$/, "").split("\n");
  const show = (line: string) => colors.dim("│ ") + showText(line);
  if (lines.length <= HEAD_LINES + TAIL_LINES + 1) return lines.map(show);
  const left = lines.length - HEAD_LINES - TAIL_LINES;
  return [...lines.slice(0, HEAD_LINES).map(show), colors.dim(`│ … ${left} lines …`), ...lines.slice(-TAIL_LINES).map(show)];
}

function gist({ output = "", output_blob: blob }: ResultView): string {
  if (blob) return bytesText(blob.size_bytes);
  const text = output.replace(/\n$/, "");
  const lines = text === "" ? 0 : text.split("\n").length;
  return lines === 1 && text.length <= 100 ? showLine(text) : counted(lines, "line");
}

function repairLines(details: JsonObject, colors: Colors): readonly string[] {
  const repairs = Array.isArray(details.repairs) ? details.repairs : [];
  return repairs.map((repair) => colors.dim(`repaired: ${showLine(String(repair))}`));
}
