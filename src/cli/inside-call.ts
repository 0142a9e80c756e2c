import { fail } from "../base/fail.ts";
import type { Terminal } from "./terminal.ts";

/** Set for every command that a call runs. */
const MARK_NAME = "COLLET_CALL";

/**
 * True where we were started by a command of a call: a terminal that such a command has is its own, and what is typed there is typed by it
 * and by no person. A command can take the variable away, so this is a help against mistakes and no wall.
 */
export function isInsideCall({ env }: Pick<Terminal, "env">): boolean {
  return (env[MARK_NAME] ?? "") !== "";
}

/** Kind: permission_denied (`reason: "inside_call"`). @param what only a person may do, as a sentence's end. */
export function refuseInsideCall(terminal: Pick<Terminal, "env">, what: string): void {
  if (!isInsideCall(terminal)) return;
  throw fail("permission_denied", `a command that Collet runs cannot ${what}: only a person can, at a terminal of their own`, {
    reason: "inside_call",
    next_actions: ["ask the person to do it"],
  });
}
