import type { Colors } from "../output.ts";

/** How things are to look on the screen that they are made for. */
export interface Look {
  readonly colors: Colors;
  /** Paths below it are shown relative to it. */
  readonly workspace: string;
  /** Paths below it, and not below the workspace, are shown with `~`; others whole. Without it all of those are. */
  readonly home?: string | null;
  /** Width of the screen; without it there is none. */
  readonly columns?: number | null;
}
