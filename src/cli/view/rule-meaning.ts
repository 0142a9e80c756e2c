import { showLine } from "../../base/show.ts";

/** What an allow rule lets through, in one line: `write(src/**)` is "change every file below src". The rule itself where it is of no known form. */
export function ruleMeaning(rule: string): string {
  const [, head = "", pattern = ""] = /^([a-z]+)\(([\s\S]*)\)$/.exec(rule) ?? [];
  const shown = showLine(pattern);
  switch (head) {
    case "read":
      return `read ${files(shown)}`;
    case "write":
      return `create or change ${files(shown)}`;
    case "delete":
      return `delete ${files(shown)}`;
    case "command":
      return / \$$/.test(pattern) ? `run exactly ${shown.slice(0, -2)}` : `run ${shown}, whatever words follow`;
    case "network":
      return /:\d+$/.test(pattern) ? `connect to ${shown}` : `connect to ${shown}, whatever port`;
    case "agent":
      return `give work to the agent ${shown}`;
    default:
      return showLine(rule);
  }
}

function files(pattern: string): string {
  return pattern.endsWith("/**") ? `every file below ${pattern.slice(0, -3)}` : pattern;
}
