import { quoteWord } from "../base/words.ts";
import type { CommonFlags } from "./common-flags.ts";

/** The flags that said where a command works and keeps state, as its next one needs them too: each with a blank before it; "" without any. */
export function placeFlags({ workspace, stateDir }: Pick<CommonFlags, "workspace" | "stateDir">): string {
  const at = workspace === undefined ? "" : ` -C ${quoteWord(workspace)}`;
  return stateDir === undefined ? at : `${at} --state-dir ${quoteWord(stateDir)}`;
}
