import type { Effect } from "./effect.ts";
import { quoteWord } from "./words.ts";

/** An effect in words: what is done, and to what. Neither shortened nor made safe to show. */
export interface EffectWords {
  readonly verb: string;
  readonly what: string;
}

/** @param word each word of a command before it is quoted, where something has to be taken out of it. */
export function effectWords(effect: Effect, word: (text: string) => string = (text) => text): EffectWords {
  switch (effect.kind) {
    case "file.read":
      return { verb: "read", what: placeText(effect) };
    case "file.write":
      return { verb: "write", what: placeText(effect) };
    case "file.delete":
      return { verb: "delete", what: placeText(effect) };
    case "command":
      return { verb: "run", what: effect.argv.map((each) => quoteWord(word(each))).join(" ") };
    case "network":
      return { verb: "connect to", what: `${effect.host}:${effect.port}` };
    case "agent":
      return { verb: "start the agent", what: effect.name };
    case "unknown":
      return { verb: "do anything:", what: effect.reason };
  }
}

function placeText(effect: { readonly path: string; readonly tree?: true }): string {
  return `${effect.path}${effect.tree ? " and all below it" : ""}`;
}
