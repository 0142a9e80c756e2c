import type { CommandEffect, Effect, FileEffect } from "../base/effect.ts";
import { isFailure } from "../base/fail.ts";
import { literalGlob } from "../base/glob.ts";
import { isWithin, namesBelow } from "../base/real-path.ts";
import { quoteWord } from "../base/words.ts";
import { decide, rulingsOf } from "./decide.ts";
import type { Policy } from "./policy.ts";
import { parseRule, type Rule } from "./rule.ts";
import { headOf } from "./rule-match.ts";
import { pathRule } from "./rule-text.ts";

/** Allow rules that would have let a call through which is now asked, to be shown, chosen and remembered. */
export interface Offers {
  /** First the narrowest set, at most one rule for each effect that is asked for; then broader ones for the same effects. */
  readonly rules: readonly string[];
  /** How many of `rules`, from the first, are the narrowest set, which suffices together. */
  readonly narrowest: number;
}

const NONE: Offers = { rules: [], narrowest: 0 };

/**
 * The offers for a call that is asked. None when no allow rule can help: nothing is asked, something is denied, an ask rule asks, or an
 * effect is unknown.
 */
export function offersFor(effects: readonly Effect[], policy: Policy): Offers {
  const rulings = rulingsOf(effects, policy);
  const asked = effects.filter((_, index) => rulings[index]?.outcome === "ask");
  const narrow = [...new Set(asked.flatMap((effect) => narrowest(effect, policy) ?? []))].flatMap(parsed);
  if (asked.length === 0 || decide(effects, withRules(policy, narrow)).decision.outcome !== "allow") return NONE;
  const broad = asked.flatMap((effect) => broader(effect, policy.workspace)).flatMap(parsed);
  return { rules: [...new Set([...narrow, ...broad].map(({ text }) => text))], narrowest: new Set(narrow.map(({ text }) => text)).size };
}

function withRules(policy: Policy, rules: readonly Rule[]): Policy {
  return { ...policy, rules: [...policy.rules, ...rules] };
}

/** A rule that cannot be written, such as one for a path with a line break, is no offer. */
function parsed(text: string): readonly Rule[] {
  try {
    return [parseRule(text, "allow", { from: "builtin" })];
  } catch (error) {
    if (isFailure(error)) return [];
    throw error;
  }
}

function narrowest(effect: Effect, policy: Policy): string | null {
  switch (effect.kind) {
    case "file.read":
    case "file.write":
    case "file.delete":
      return pathRule(effect, effect.path, policy.workspace);
    case "command":
      return commandRule(effect, policy);
    case "network":
      return `network(${hostText(effect.host)}:${effect.port})`;
    case "agent":
      return `agent(${effect.name})`;
    case "unknown":
      return null;
  }
}

function broader(effect: Effect, workspace: string): readonly string[] {
  switch (effect.kind) {
    case "file.read":
    case "file.write":
    case "file.delete":
      return folderRule(effect, workspace);
    case "command": {
      const [program = "", subcommand = ""] = effect.argv;
      // only what looks like a subcommand narrows a program enough
      return /^[a-z][a-z0-9:_-]*$/.test(subcommand) && !program.includes("/") ? [`command(${words([program, subcommand])})`] : [];
    }
    case "network":
      return [`network(${hostText(effect.host)})`];
    default:
      return [];
  }
}

/** All below the folder of a file, but never all of the workspace. */
function folderRule(effect: FileEffect, workspace: string): readonly string[] {
  const folder = namesBelow(effect.path, workspace)?.slice(0, -1) ?? [];
  const pattern = folder.map(literalGlob).join("/");
  return pattern === "" ? [] : [`${headOf(effect)}(${/^[~!]/.test(pattern) ? "./" : ""}${pattern}/**)`];
}

/** A program that is written as a path is named as rules see it: by its place, from the workspace where it lies there. */
function commandRule({ argv, cwd, program }: CommandEffect, { workspace, roots }: Policy): string | null {
  const [spelled = "", ...args] = argv;
  if (program === null) return null;
  const isRelative = spelled.includes("/") && !spelled.startsWith("/");
  const isSystem = program?.every((place) => !roots.some((root) => isWithin(place, root)));
  // not placed yet: as it is written, from its own folder
  const place = (isSystem ? program?.[0] : program?.at(-1)) ?? (isRelative && cwd !== workspace ? joined(cwd, spelled) : spelled);
  const names = program ? namesBelow(place, workspace) : null;
  return `command(${words([names === null ? place : `./${names.join("/")}`, ...args])} $)`;
}

function joined(folder: string, path: string): string {
  return `${folder === "/" ? "" : folder}/${path.replace(/^(?:\.\/+)+/, "")}`;
}

function words(argv: readonly string[]): string {
  return argv.map(quoteWord).join(" ");
}

function hostText(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
