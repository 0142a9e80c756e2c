import type { Effect, FileEffect } from "../base/effect.ts";
import { effectWords } from "../base/effect-words.ts";
import { literalGlob } from "../base/glob.ts";
import { namesBelow } from "../base/real-path.ts";
import { showLine } from "../base/show.ts";
import type { Policy } from "./policy.ts";
import { headOf } from "./rule-match.ts";

/** The rule that covers this path, with all below it for a tree, and no other; relative to the workspace where the path lies in it. */
export function pathRule(effect: { readonly kind: FileEffect["kind"]; readonly tree?: true }, path: string, workspace: string): string {
  const names = namesBelow(path, workspace);
  const isRelative = names !== null && names.length > 0;
  const literal = (isRelative ? names : path.slice(1).split("/")).map(literalGlob).join("/");
  const pattern = isRelative ? (/^[~!]/.test(literal) ? `./${literal}` : literal) : `/${literal}`;
  return `${headOf(effect)}(${effect.tree ? `${pattern.replace(/\/$/, "")}/**` : pattern})`;
}

const SHOWN_LENGTH = 300;

/** One line that says what an effect does, without known secrets, cut when it is long, safe to show. */
export function effectText(effect: Effect, { redact = (text) => text }: Pick<Policy, "redact">): string {
  const { verb, what } = effectWords(effect, redact);
  // in this order: what is made safe to show or cut is not known as a secret any more
  const text = showLine(redact(`${verb} ${what}`));
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
