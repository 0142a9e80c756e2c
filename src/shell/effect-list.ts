import type { CommandEffect, Effect } from "../base/effect.ts";
import type { Doing } from "./doing.ts";
import { MAX_COMMANDS, MAX_EFFECTS, NotUnderstood } from "./not-understood.ts";
import type { ScriptPlan, Table } from "./plan.ts";
import { COST, type Work } from "./work.ts";

/** The effects of a plan as they are found, in order; what was found in vain can be taken back. */
export interface EffectList {
  add(effect: Effect): void;
  /** A command; `quiet`: what has to be switched off for it to be `declared`. */
  addCommand(effect: CommandEffect, quiet?: Doing["quiet"]): void;
  mark(): number;
  /** Takes back what was added since the mark. */
  rollback(mark: number): void;
  plan(gitQuiet: Table["gitQuiet"]): ScriptPlan;
}

/** What it costs those who judge it: words are compared, paths are followed. */
function weightOf(effect: Effect): number {
  if (effect.kind === "command")
    return effect.argv.reduce((weight, word) => weight + COST.word + word.length * COST.char, effect.cwd.length * COST.path);
  return "path" in effect ? effect.path.length * COST.path : 0;
}

/** Throws `NotUnderstood` when it becomes longer than anybody would read. */
export function createEffectList(work: Work): EffectList {
  const entries: { readonly effect: Effect; readonly quiet: Doing["quiet"] }[] = [];
  let commands = 0;
  const push = (effect: Effect, quiet?: Doing["quiet"]): void => {
    work.spend(COST.effect + weightOf(effect));
    if (entries.length >= MAX_EFFECTS) throw new NotUnderstood(`it has more than ${MAX_EFFECTS} effects`);
    entries.push({ effect, quiet });
  };
  return {
    add(effect) {
      // the same unknown thing twice in a row says nothing more
      const last = entries.at(-1)?.effect;
      if (effect.kind === "unknown" && last?.kind === "unknown" && last.reason === effect.reason) return;
      push(effect);
    },
    addCommand(effect, quiet) {
      push(effect, effect.sure === "declared" ? quiet : undefined);
      commands += 1;
      if (commands > MAX_COMMANDS) throw new NotUnderstood(`it runs more than ${MAX_COMMANDS} commands`);
    },
    mark: () => entries.length,
    rollback: (mark) => {
      for (const { effect } of entries.splice(mark)) if (effect.kind === "command") commands -= 1;
    },
    plan(gitQuiet) {
      if (!entries.some(({ quiet }) => quiet !== undefined)) return { effects: entries.map(({ effect }) => effect), env: {} };
      // hooks are switched off only where nothing may run that is expected to run them
      const withoutHooks = entries.every(({ effect: { kind, sure } }) => kind !== "unknown" && (kind !== "command" || sure === "declared"));
      return {
        effects: entries.map(({ effect, quiet }) =>
          quiet === "git_without_hooks" && !withoutHooks && effect.kind === "command" ? { ...effect, sure: "open" } : effect,
        ),
        env: { ...gitQuiet.always, ...(withoutHooks ? gitQuiet.withoutHooks : {}) },
      };
    },
  };
}
