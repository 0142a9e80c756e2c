import type { PolicyReport } from "../../node.ts";
import { shownPath } from "./effect-text.ts";
import type { Look } from "./look.ts";
import { sourceText } from "./source-text.ts";

/** What chose the mode, in a few words: a file with what it can do, a flag, or nothing. */
export function modeSourceText({ mode_source: source, files }: Pick<PolicyReport, "mode_source" | "files">, look: Look): string {
  if (source.from === "builtin") return "the default";
  if (source.file === undefined) return sourceText(source, look);
  const file = shownPath(source.file, look);
  const isOwn = files.some(({ path, owner }) => owner === "user" && path === source.file);
  return isOwn ? `${file}; a flag can say otherwise` : `narrowed by ${file}; no flag widens it`;
}
