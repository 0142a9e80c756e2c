import type { Effect } from "../../base/effect.ts";
import { showLine } from "../../base/show.ts";
import { commandText } from "./args-text.ts";
import { bytesText } from "./bytes-text.ts";
import type { Look } from "./look.ts";

/** One effect of a call as a person reads it, in one line; the diff is shown apart. `all`: the effects of the call, in order. */
export function effectLine(effect: Effect, all: readonly Effect[], look: Look): string {
  const { colors } = look;
  const name = (verb: string, what: string) => `${colors.bold(verb)} ${what}${colors.dim(remark(effect, all, look))}`;
  switch (effect.kind) {
    case "file.read":
      return name("read", place(effect, look));
    case "file.write":
      if (effect.sure !== "exact") return name("write", place(effect, look));
      return effect.before
        ? name("write", `${place(effect, look)}, ${bytesText(effect.before.size_bytes)} to ${bytesText(effect.after.size_bytes)}`)
        : name("create", `${place(effect, look)}, ${bytesText(effect.after.size_bytes)}`);
    case "file.delete":
      return name("delete", place(effect, look));
    case "command":
      return name("run", commandText(effect.argv));
    case "network":
      return name("connect to", showLine(`${effect.host}:${effect.port}`));
    case "agent":
      return name("start agent", showLine(effect.name));
    case "unknown":
      return name("anything:", showLine(effect.reason));
  }
}

/** A path as shown: relative to the workspace when it is inside. */
export function shownPath(path: string, workspace: string): string {
  if (path === workspace) return ".";
  return showLine(path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path);
}

function place(effect: Effect & { readonly path: string; readonly tree?: true }, { workspace }: Look): string {
  return shownPath(effect.path, workspace) + (effect.tree ? " and all below it" : "");
}

function remark(effect: Effect, all: readonly Effect[], { workspace }: Look): string {
  const remarks: string[] = [];
  if ("also" in effect && effect.also) for (const other of effect.also) remarks.push(`the same file as ${shownPath(other, workspace)}`);
  if (effect.kind === "command" && effect.cwd !== workspace) {
    // what a script does after `cd x;` it does where it was when there is no x
    const cd = all.find((other) => other.kind === "command" && /^(?:cd|pushd)$/.test(other.argv[0] ?? ""));
    const isSure = cd === undefined || all.indexOf(cd) >= all.indexOf(effect);
    remarks.push(`in ${shownPath(effect.cwd, workspace)}${isSure ? "" : ", if cd gets there"}`);
  }
  if (effect.kind === "command" && effect.sure === "open") remarks.push("with all that the program may do");
  else if (effect.sure === "declared") remarks.push("as its author says");
  else if (effect.sure === "open" && effect.kind !== "unknown") remarks.push("at least");
  return remarks.length > 0 ? `  (${remarks.join("; ")})` : "";
}
