import { isFailure } from "../base/fail.ts";
import { isObject } from "../base/json.ts";
import { showLine } from "../base/show.ts";
import { type CallView, createFold, readSessionLog } from "../log/index.ts";
import { shortLine } from "./view/args-text.ts";

/** So much of a log is read for its line in a list. */
const MAX_EVENTS = 64;
const MAX_END_CHARS = 60;
/** The argument that says most, where a call has it. */
const TELLING = ["path", "command"];

/** The first call of a session, at most `max` characters and safe to show: `read README.md  ok`. `null`: it cannot be told. */
export async function firstCallText(dir: string, max: number): Promise<string | null> {
  const fold = createFold();
  let events = 0;
  try {
    // what is damaged is told by `sessions show`
    for await (const event of readSessionLog(dir, { onCorrupt: () => {}, onTorn: () => {} })) {
      fold.push(event);
      if (++events === MAX_EVENTS) break;
    }
  } catch (error) {
    if (!isFailure(error)) throw error;
    return null;
  }
  const calls = fold.view().turns.flatMap((turn) => turn.steps.flatMap((step) => step.calls));
  const [first] = calls;
  if (!first) return null;
  const more = calls.length > 1 ? ` (first of ${calls.length}${events === MAX_EVENTS ? " or more" : ""})` : "";
  const end = shortLine(endOf(first), MAX_END_CHARS) + more;
  return `${shortLine(`${first.name} ${mainArgument(first)}`.trim(), Math.max(10, max - end.length - 2))}  ${end}`;
}

function mainArgument({ args }: CallView): string {
  if (!isObject(args)) return "";
  const texts = Object.entries(args).flatMap(([name, value]) => (typeof value === "string" ? [{ name, value }] : []));
  return (texts.find(({ name }) => TELLING.includes(name)) ?? texts[0])?.value ?? "";
}

function endOf({ result, status }: CallView): string {
  if (!result) return status.replace("_", " ");
  if (result.error) return result.error.kind;
  const { exit_code: code, signal } = result.details;
  if (typeof signal === "string") return showLine(signal);
  return typeof code === "number" && code !== 0 ? `exit ${code}` : "ok";
}
