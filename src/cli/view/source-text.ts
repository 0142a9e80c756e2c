import type { DecisionSource } from "../../base/decision.ts";
import { shownPath } from "./effect-text.ts";
import type { Look } from "./look.ts";

/** Where a rule stands, in a few words: a file with its line, as `shownPath` says it, or whose word it is. */
export function sourceText({ from, file, line }: DecisionSource, look: Pick<Look, "workspace" | "home">): string {
  const place = file === undefined ? "" : `${shownPath(file, look)}${line === undefined ? "" : `:${line}`}`;
  switch (from) {
    case "file":
      return place;
    case "approval":
      return place === "" ? "allowed for this session" : `allowed for this workspace before, ${place}`;
    case "flag":
      return "a flag";
    case "api":
      return "given in code";
    case "person":
      return "a person";
    case "guard":
      return "the guard";
    case "write_policy":
      return "the write policy";
    case "builtin":
      return "built in";
  }
}
