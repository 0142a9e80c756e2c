import type { Colors } from "../output.ts";

/** How things are to look on the screen that they are made for. */
export interface Look {
  readonly colors: Colors;
  /** Paths below it are shown relative to it; others whole. */
  readonly workspace: string;
  /** Width of the screen; without it there is none. */
  readonly columns?: number | null;
}
