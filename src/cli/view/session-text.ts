import { showLine, showText } from "../../base/show.ts";
import type { SessionView, StepView, TurnView } from "../../log/index.ts";
import { counted, tokensText } from "./bytes-text.ts";
import { callText } from "./call-text.ts";
import type { Look } from "./look.ts";

/** A whole session as a person reads it: what was asked, each call with plan, decision and result, the answers, how each turn ended. */
export function sessionText(session: SessionView, look: Look): string {
  return headText(session, look) + session.turns.map((turn) => turnText(turn, look)).join("") + tailText(session, look);
}

export function headText({ session_id: id, started }: SessionView, { colors }: Look): string {
  const rules = (started?.rules ?? []).map(({ rule, effect }) => `${effect} ${showLine(rule)}`);
  const facts = started
    ? [`mode ${started.mode}${started.plan ? ", making a plan" : ""}`, ...rules, `in ${showLine(started.workspace)}`]
    : [];
  return colors.dim(`${[`session ${showLine(id ?? "(without a first line)")}`, ...facts].join(" · ")}\n`);
}

export function promptText(prompt: string, { colors }: Look): string {
  return `\n${marked(prompt, colors.bold(">"))}`;
}

/** `broken`: what broke a partial answer off; a person's Ctrl-C is no fault of the network. */
export function answerText(
  { text, partial }: Pick<StepView, "text" | "partial">,
  broken: "by_person" | "by_fault",
  { colors }: Look,
): string {
  const shown = text === null || text.trim() === "" ? "" : `\n${marked(text, colors.cyan("┃"))}`;
  const how = broken === "by_person" ? "(interrupted here)" : "(the answer broke off here)";
  return partial ? `${shown}${colors.yellow(how)}\n` : shown;
}

export function endText({ status, error }: TurnView, { colors }: Look): string {
  const why = error ? `: ${showLine(error.message)} ${colors.dim(`(${showLine(error.kind)})`)}` : "";
  if (status === "done") return `\n${colors.green("done")}\n`;
  return status === "calls" ? "" : `\n${colors.red(status)}${why}\n`;
}

/** Each line behind a mark, so that no text can pass for what Collet says. */
function marked(text: string, mark: string): string {
  const lines = showText(text.trimEnd()).split("\n");
  return lines.map((line) => `${mark} ${line}\n`).join("");
}

function turnText(turn: TurnView, look: Look): string {
  const broken = turn.status === "interrupted" ? "by_person" : "by_fault";
  const steps = turn.steps.map((step) => answerText(step, broken, look) + step.calls.map((call) => callText(call, look)).join(""));
  return (turn.prompt === null ? "" : promptText(turn.prompt, look)) + steps.join("") + endText(turn, look);
}

function tailText({ usage, unknown_types: unknown, repaired_bytes: repaired }: SessionView, { colors }: Look): string {
  const tokens = tokensText(usage);
  const notes: string[] = [];
  if (tokens !== "") notes.push(tokens);
  if (repaired > 0) notes.push(`a torn last line of ${counted(repaired, "byte")} was cut off`);
  for (const [type, count] of Object.entries(unknown)) notes.push(`${counted(count, "event")} of the unknown type ${showLine(type)}`);
  return notes.length > 0 ? colors.dim(`${notes.join(" · ")}\n`) : "";
}
