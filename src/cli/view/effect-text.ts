import type { CommandEffect, Effect } from "../../base/effect.ts";
import { effectWords } from "../../base/effect-words.ts";
import { isWithin } from "../../base/real-path.ts";
import { showLine } from "../../base/show.ts";
import { bytesText } from "./bytes-text.ts";
import type { Look } from "./look.ts";

/** One effect of a call as a person reads it, in one line; the diff is shown apart. `all`: the effects of the call, in order. */
export function effectLine(effect: Effect, all: readonly Effect[], look: Look): string {
  const { colors } = look;
  const name = (verb: string, what: string) => `${colors.bold(verb)} ${what}${colors.dim(remark(effect, all, look))}`;
  if (effect.kind === "file.write" && effect.sure === "exact") {
    const { before, after } = effect;
    const size = before ? `${bytesText(before.size_bytes)} to ${bytesText(after.size_bytes)}` : bytesText(after.size_bytes);
    return name(before ? "write" : "create", `${place(effect, look)}, ${size}`);
  }
  const { verb, what } = effectWords(effect);
  return name(verb, "path" in effect ? place(effect, look) : showLine(what));
}

/** A path as shown: relative to the workspace when it is inside, else with `~` for the home folder. */
export function shownPath(path: string, { workspace, home = null }: Pick<Look, "workspace" | "home">): string {
  if (path === workspace) return ".";
  if (isWithin(path, workspace)) {
    const inside = showLine(path.slice(workspace === "/" ? 1 : workspace.length + 1));
    return inside.startsWith("~") ? `./${inside}` : inside;
  }
  if (home === null || home === "/" || !isWithin(path, home)) return showLine(path);
  return `~${showLine(path.slice(home.length))}`;
}

function place(effect: Effect & { readonly path: string; readonly tree?: true }, look: Look): string {
  return shownPath(effect.path, look) + (effect.tree ? " and all below it" : "");
}

function remark(effect: Effect, all: readonly Effect[], look: Look): string {
  const remarks: string[] = [];
  if ("also" in effect && effect.also) for (const other of effect.also) remarks.push(`the same file as ${shownPath(other, look)}`);
  if (effect.kind === "command" && effect.cwd !== look.workspace) {
    // what a script does after `cd x;` it does where it was when there is no x
    const cd = all.find((other) => other.kind === "command" && /^(?:cd|pushd)$/.test(other.argv[0] ?? ""));
    const isSure = cd === undefined || all.indexOf(cd) >= all.indexOf(effect);
    remarks.push(`in ${shownPath(effect.cwd, look)}${isSure ? "" : ", if cd gets there"}`);
  }
  if (effect.kind === "command") remarks.push(...programRemarks(effect, look));
  if (effect.kind === "command" && effect.sure === "open") remarks.push("with all that the program may do");
  else if (effect.sure === "declared") remarks.push("as declared");
  else if (effect.sure === "open" && effect.kind !== "unknown") remarks.push("at least");
  return remarks.length > 0 ? `  (${remarks.join("; ")})` : "";
}

/** Where a program's path leads, when that is not what it says. */
function programRemarks({ argv: [spelled = ""], cwd, program }: CommandEffect, look: Look): readonly string[] {
  if (program === undefined) return [];
  const real = program?.at(-1);
  if (real === undefined) return ["which program this is cannot be told"];
  return real === spelled || real === `${cwd}/${spelled.replace(/^\.\//, "")}` ? [] : [`which is ${shownPath(real, look)}`];
}
