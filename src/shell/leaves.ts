import { isGapInCommand, readGap } from "./gaps.ts";
import { NotUnderstood } from "./not-understood.ts";
import { disagree } from "./reading.ts";

/** A stretch of the text that is read by itself. `unit`: those of one command have the same, and only blanks stand between them. */
export interface Leaf {
  readonly pos: number;
  readonly end: number;
  readonly unit: number;
  readonly redirects: boolean;
}

/** Where a script stands, and which shell reads it. */
export interface LeavesIn {
  readonly source: string;
  readonly start: number;
  readonly end: number;
  readonly dialect: "bash" | "sh";
}

/**
 * Throws `NotUnderstood` unless nothing stands between the leaves of a script but what may. Gives the carriage returns between its commands,
 * which can only be in comments there.
 */
export function agreeGaps(leaves: readonly Leaf[], { source, start, end, dialect }: LeavesIn): readonly number[] {
  const returns: number[] = [];
  let at = start;
  let unit = -1;
  for (const leaf of [...leaves.toSorted((a, b) => a.pos - b.pos), { pos: end, end, unit: -1, redirects: false }]) {
    if (leaf.pos < at) throw new NotUnderstood("its words and operators cannot be told apart for certain");
    const isEdge = at === start || leaf.pos === end;
    if (leaf.unit === unit && unit >= 0) {
      if (!isGapInCommand(source, { start: at, end: leaf.pos, redirects: leaf.redirects })) throw disagree(source.slice(at, leaf.pos));
    } else if (!readGap(source, { start: at, end: leaf.pos, from: start, to: end, isEdge, dialect })) {
      throw new NotUnderstood("its words and operators cannot be told apart for certain");
    } else for (const each of returnsIn(source, at, leaf.pos)) returns.push(each);
    at = leaf.end;
    unit = leaf.unit;
  }
  return returns;
}

/** Where the carriage returns in a stretch of the text are. */
export function returnsIn(source: string, start = 0, end = source.length): readonly number[] {
  return [...source.slice(start, end).matchAll(/\r/g)].map(({ index }) => start + index);
}
