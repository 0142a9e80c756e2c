import { join } from "node:path";
import { type ErrorBody, errorBody, fail, isFailure } from "../base/fail.ts";
import { checkEvent, isLoggedEvent } from "./event-check.ts";
import type { AnyEvent, LoggedData } from "./events.ts";
import { readEnds } from "./log-ends.ts";
import { LOG_NAME } from "./session-log.ts";

/** One session in a list, told from the first and the last lines of its log. */
export interface SessionSummary {
  readonly id: string;
  /** The session's folder. */
  readonly dir: string;
  /** `turns`: a conversation. `calls`: single calls only, so far. `empty`: nothing was written yet. `broken`: see `error`. */
  readonly content: "turns" | "calls" | "empty" | "broken";
  /** Real path of the workspace, as the log says. */
  readonly workspace: string | null;
  readonly started: string | null;
  /** Time of the last line. */
  readonly last: string | null;
  /** The first prompt, at most 200 UTF-16 units of it; `null` where there is none. */
  readonly prompt: string | null;
  readonly prompt_is_cut: boolean;
  /** How the last turn ended. `null`: the last line ends no turn, so one is running or was cut off, or there are none. */
  readonly status: LoggedData["turn_ended"]["status"] | null;
  readonly events: number;
  readonly size_bytes: number;
  readonly error: ErrorBody | null;
}

const PROMPT_UNITS = 200;

/** Reads the two ends of a log. Never throws for what it finds: a session that cannot be told is `broken`, and says why. */
export async function summarise(dir: string, id: string): Promise<SessionSummary> {
  const empty: SessionSummary = {
    id,
    dir,
    content: "empty",
    workspace: null,
    started: null,
    last: null,
    prompt: null,
    prompt_is_cut: false,
    status: null,
    events: 0,
    size_bytes: 0,
    error: null,
  };
  try {
    const { head, last: lastLine, sizeBytes } = await readEnds(join(dir, LOG_NAME));
    if (!lastLine) return { ...empty, size_bytes: sizeBytes };
    const lines = head.toString("utf8").split("\n");
    const first = eventOf(lines[0] ?? "", "first");
    if (first.session_id !== id) throw fail("corrupt_log_line", "the log is another session's", { reason: "other_session", line: 1 });
    const last = eventOf(lastLine.toString("utf8"), "last");
    const prompt = firstPrompt(lines);
    return {
      ...empty,
      content: prompt ? "turns" : "calls",
      workspace: isLoggedEvent(first) && first.type === "session_started" ? first.data.workspace : null,
      started: first.ts,
      last: last.ts,
      prompt: prompt?.text ?? null,
      prompt_is_cut: prompt?.isCut ?? false,
      status: isLoggedEvent(last) && last.type === "turn_ended" ? last.data.status : null,
      events: Number(last.seq) + 1,
      size_bytes: sizeBytes,
    };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { ...empty, content: "broken", error: errorBody(error) };
  }
}

function eventOf(line: string, which: "first" | "last"): AnyEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw fail("corrupt_log_line", `the ${which} line of the log is no JSON`, { reason: "not_json", which });
  }
  const problem = checkEvent(value);
  if (problem) throw fail(problem.kind, `the ${which} line of the log is no event`, { reason: "unfit", which, ...problem });
  // what passed the check is an event
  return value as AnyEvent;
}

/** Keys of a line are in a fixed order, so the start of a long line already tells its type and the start of its text. */
const USER_MESSAGE =
  /^\{"v":1,"seq":\d+,"epoch":\d+,"id":"[^"]*","session_id":"[^"]*","ts":"[^"]*","type":"user_message","data":\{"text":"/;
/** One more than is shown, so that it is known whether there is more. */
const TEXT_START = new RegExp(String.raw`^(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u]){0,${PROMPT_UNITS + 1}}`);

function firstPrompt(lines: readonly string[]): { readonly text: string; readonly isCut: boolean } | undefined {
  for (const line of lines) {
    const [start] = USER_MESSAGE.exec(line) ?? [];
    if (start === undefined) continue;
    const rest = line.slice(start.length);
    const [escaped = ""] = TEXT_START.exec(rest) ?? [];
    const text = decode(escaped);
    const shown = text.slice(0, PROMPT_UNITS).replace(/[\uD800-\uDBFF]$/, "");
    return { text: shown, isCut: shown.length < text.length || rest[escaped.length] !== '"' };
  }
  return undefined;
}

function decode(escaped: string): string {
  try {
    return JSON.parse(`"${escaped}"`);
  } catch {
    return "";
  }
}
