import { readFileSync } from "node:fs";
import path from "node:path";
import type { CallView, SessionView } from "../../log/index.ts";
import { type DemoFolder, RIGHT, SOURCE_FILE, sourceText, TEST_FILE, TEST_TEXT } from "./project.ts";
import { DEMO_STEPS, type DemoCall } from "./script.ts";

/** What differs from the script, a sentence each; empty when every step really happened. */
export function demoFaults(session: SessionView, folder: DemoFolder): readonly string[] {
  const turn = session.turns.at(-1);
  const calls = turn?.steps.flatMap((step) => step.calls) ?? [];
  const wanted = DEMO_STEPS.flatMap((step) => step.calls);
  const faults = wanted.flatMap((call, index) => callFault(call, calls[index]) ?? []);
  if (calls.length !== wanted.length) faults.push(`${calls.length} calls were made, not ${wanted.length}`);
  if (turn?.status !== "done") faults.push(`the turn ended as ${turn?.status ?? "none"}${turn?.error ? `: ${turn.error.message}` : ""}`);
  for (const [name, text] of [
    [SOURCE_FILE, sourceText(RIGHT)],
    [TEST_FILE, TEST_TEXT],
  ] as const) {
    if (textOf(path.join(folder.project, name)) !== text) faults.push(`${name} does not hold what it should`);
  }
  return faults;
}

function callFault({ name, args, ends }: DemoCall, call: CallView | undefined): string | null {
  const what = `${name} ${JSON.stringify(args)}`;
  const result = call?.result;
  if (!call || !result || call.name !== name) return `${what} was not made`;
  const { error, details } = result;
  const saw = error ? `${error.kind}: ${error.message}` : `${call.status}, exit code ${details.exit_code ?? "none"}`;
  const holds =
    ends === "done"
      ? result.ok
      : "exit" in ends
        ? !error && details.exit_code === ends.exit
        : error?.kind === ends.refused && error.details.reason === ends.reason;
  return holds ? null : `${what} should have ended as ${typeof ends === "string" ? ends : JSON.stringify(ends)}, and ended as ${saw}`;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
