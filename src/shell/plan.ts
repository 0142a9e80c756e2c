import type { Effect } from "../base/effect.ts";
import type { Program } from "./doing.ts";
import type { Look } from "./look.ts";
import type { Work } from "./work.ts";

/** What a script or a command will do, without running it. */
export interface ScriptPlan {
  /**
   * One `command` effect for each simple command that runs, in order, each followed by the effects that are its own: files, network, unknown.
   * Paths are absolute, and still hold `..` and links: the caller resolves them.
   */
  readonly effects: readonly Effect[];
  /** What must be set in its environment for the run, so that `declared` is true. */
  readonly env: Readonly<Record<string, string>>;
}

/** What is known of programs. */
export interface Table {
  /** The row of a program by its name; `null`: it is not known. */
  readonly row: (name: string) => Program | null | Promise<Program | null>;
  /** Variables that keep git from running other programs that the configuration names; `withoutHooks` for hooks alone. */
  readonly gitQuiet: { readonly always: Readonly<Record<string, string>>; readonly withoutHooks: Readonly<Record<string, string>> };
}

export interface PlanOptions {
  /** Real path of the folder it starts in. */
  readonly cwd: string;
  /** The home folder; `null`: there is none, or it is not known. */
  readonly home: string | null;
  readonly look: Look;
  /** Default: the whole table, loaded at the first call. */
  readonly table?: Table;
  /** What may be spent on it; a default that no script of the usual kind uses up. */
  readonly work?: Work;
}
