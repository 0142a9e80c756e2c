import type { Mode } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import { isWithin } from "../base/real-path.ts";
import { isInside } from "./place.ts";
import type { Policy } from "./policy.ts";

export interface ModeRuling {
  readonly outcome: "allow" | "ask" | "deny";
  /** The row of the table. */
  readonly row: Row;
}

export type Row =
  | "read"
  | "read outside"
  | "write"
  | "write outside"
  | "delete"
  | "delete outside"
  | "command that only reads"
  | "command"
  | "command outside"
  | "network"
  | "agent"
  | "unknown";
type Column = Readonly<Record<Mode, ModeRuling["outcome"]>>;

const ALWAYS: Column = { read_only: "allow", ask: "allow", auto: "allow" };
const MUTATING: Column = { read_only: "deny", ask: "ask", auto: "allow" };

const TABLE: Readonly<Record<Row, Column>> = {
  read: ALWAYS,
  "read outside": MUTATING,
  write: MUTATING,
  "write outside": MUTATING,
  delete: MUTATING,
  "delete outside": MUTATING,
  "command that only reads": ALWAYS,
  command: MUTATING,
  "command outside": MUTATING,
  network: MUTATING,
  agent: MUTATING,
  unknown: MUTATING,
};

/** What the mode says of every row of the table, in its order. */
export function modeRows(mode: Mode): readonly ModeRuling[] {
  // the keys of the table are its rows
  return (Object.keys(TABLE) as Row[]).map((row) => ({ outcome: TABLE[row][mode], row }));
}

/**
 * What the mode says of one effect of a call. The others count only for a `declared` command, which does nothing but what stands behind it,
 * up to the next command: each of those is judged by itself as well.
 */
export function modeRuling(effect: Effect, effects: readonly Effect[], policy: Policy): ModeRuling {
  const row = rowOf(effect, effects, policy);
  return { outcome: TABLE[row][policy.mode], row };
}

function rowOf(effect: Effect, effects: readonly Effect[], policy: Policy): Row {
  switch (effect.kind) {
    case "file.read":
      return isInside(effect, policy) ? "read" : "read outside";
    case "file.write":
      return isInside(effect, policy) ? "write" : "write outside";
    case "file.delete":
      return isInside(effect, policy) ? "delete" : "delete outside";
    case "command":
      // what it finds there, its settings and scripts, nobody has looked at
      if (!policy.roots.some((root) => isWithin(effect.cwd, root))) return "command outside";
      return effect.sure === "declared" && onlyReads(effect, effects, policy) ? "command that only reads" : "command";
    default:
      return effect.kind;
  }
}

function onlyReads(command: Effect, effects: readonly Effect[], policy: Policy): boolean {
  for (let at = effects.indexOf(command); at >= 0; at = effects.indexOf(command, at + 1)) {
    for (const own of ownOf(effects, at)) if (own.kind !== "file.read" || !isInside(own, policy)) return false;
  }
  return true;
}

/** What stands behind a command, up to the next one. */
function* ownOf(effects: readonly Effect[], at: number): Generator<Effect> {
  for (let index = at + 1; index < effects.length; index += 1) {
    const effect = effects[index];
    if (!effect || effect.kind === "command") return;
    yield effect;
  }
}
