import type { Look } from "./look.ts";
import { COST, type Work } from "./work.ts";

/** The same look, that asks each question once: within one plan the disk is taken to stand still. What is asked is work. */
export function remembering(look: Look, work: Work): Look {
  const once = <Answer>(ask: (...words: string[]) => Promise<Answer>): ((...words: string[]) => Promise<Answer>) => {
    const answers = new Map<string, Promise<Answer>>();
    return (...words) => {
      const key = words.join("\0");
      work.spend(key.length * COST.char);
      const known = answers.get(key);
      if (known) return known;
      work.spend(COST.look);
      const answer = ask(...words);
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
