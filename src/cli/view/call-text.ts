import { showLine } from "../../base/show.ts";
import type { CallView, LoggedEffect } from "../../log/index.ts";
import { argsText } from "./args-text.ts";
import { bytesText, counted } from "./bytes-text.ts";
import { cutLine } from "./cut-line.ts";
import { decisionText } from "./decision-text.ts";
import { diffLines } from "./diff-lines.ts";
import { effectLine } from "./effect-text.ts";
import type { Look } from "./look.ts";
import { resultLines } from "./result-text.ts";

/** More of a diff is left to the log; a question shows all of it. */
const MAX_DIFF_LINES = 40;
const MAX_ARGS_CHARS = 110;
/** So many effects are listed; a question lists all. */
const MAX_EFFECTS = 40;
/** No line of a call is longer, whatever its name, paths, words or output are; a question shows all of them. */
const MAX_LINE_CHARS = 4000;
const LABEL_WIDTH = 10;

/** The parts of one call, in the order in which they come to be known. Each is whole lines. */
export const callParts = {
  heading({ name, args, args_blob: blob }: CallView, { colors }: Look): string {
    const given = blob ? `(${bytesText(blob.size_bytes)} of arguments)` : argsText(args, MAX_ARGS_CHARS);
    return `\n${cutLine(`${colors.cyan("●")} ${colors.bold(showLine(name))} ${colors.dim(given)}`, MAX_LINE_CHARS)}\n`;
  },

  plan({ effects }: CallView, look: Look): string {
    if (effects === null) return "";
    const lines = effects.slice(0, MAX_EFFECTS).flatMap((effect) => [effectLine(effect, effects, look), ...diffOf(effect, look)]);
    const left = effects.length - MAX_EFFECTS;
    if (left > 0) lines.push(look.colors.dim(`… ${counted(left, "effect")} more`));
    return labelled("plan", lines.length > 0 ? lines : ["no effects"], look);
  },

  decision({ decision, changed }: CallView, look: Look): string {
    if (decision === null) return "";
    const text = decision === "mode" ? `${look.colors.green("allowed")} by the mode: it only reads` : decisionText(decision, look);
    return labelled("decision", [...changedLines(changed), text], look);
  },

  result(call: CallView, look: Look): string {
    if (call.result) return labelled("result", resultLines(call.result, call, narrowed(look)), look);
    if (call.status === "interrupted") return labelled("result", [look.colors.red("interrupted: its outcome is unknown")], look);
    return call.status === "not_run" ? labelled("result", [look.colors.yellow("not run")], look) : "";
  },
};

export function callText(call: CallView, look: Look): string {
  return callParts.heading(call, look) + callParts.plan(call, look) + callParts.decision(call, look) + callParts.result(call, look);
}

/** Arguments that took the place of those in the heading. */
function changedLines(changed: CallView["changed"]): readonly string[] {
  if (!changed) return [];
  const { args, args_blob: blob } = changed;
  return [`a person changed the arguments: ${blob ? `(${bytesText(blob.size_bytes)})` : argsText(args, MAX_ARGS_CHARS)}`];
}

function labelled(label: string, lines: readonly string[], { colors }: Look): string {
  return lines
    .map((line, index) => `  ${colors.dim((index === 0 ? label : "").padEnd(LABEL_WIDTH))}${cutLine(line, MAX_LINE_CHARS)}\n`)
    .join("");
}

/** What stands behind the labels has the rest of the screen. */
function narrowed(look: Look): Look {
  return look.columns ? { ...look, columns: look.columns - LABEL_WIDTH - 2 } : look;
}

function diffOf(effect: LoggedEffect, { colors }: Look): readonly string[] {
  if (effect.kind !== "file.write" || effect.sure !== "exact") return [];
  if (effect.diff_blob) return [colors.dim(`(a diff of ${bytesText(effect.diff_blob.size_bytes)}, kept in the log)`)];
  return effect.diff === "" ? [] : diffLines(effect.diff, { colors, max: MAX_DIFF_LINES });
}
