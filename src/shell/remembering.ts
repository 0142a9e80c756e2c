import type { Look } from "./look.ts";

/** The same look, that asks each question once: within one plan the disk is taken to stand still. */
export function remembering(look: Look): Look {
  const once = <Answer>(ask: (...words: string[]) => Promise<Answer>): ((...words: string[]) => Promise<Answer>) => {
    const answers = new Map<string, Promise<Answer>>();
    return (...words) => {
      const key = words.join("\0");
      const answer = answers.get(key) ?? ask(...words);
      answers.set(key, answer);
      return answer;
    };
  };
  return {
    variables: look.variables,
    kind: once((path = "") => look.kind(path)),
    names: once((folder = "") => look.names(folder)),
    text: once((path = "") => look.text(path)),
    tree: once((folder = "") => look.tree(folder)),
    program: once((spelled = "", cwd = "") => look.program(spelled, spelled.includes("/") ? cwd : "/")),
    gitRuns: once((folder = "") => look.gitRuns(folder)),
    gitTracked: once((folder = "") => look.gitTracked(folder)),
  };
}
