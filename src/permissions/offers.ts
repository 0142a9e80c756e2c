import type { CommandEffect, Effect, FileEffect } from "../base/effect.ts";
import { literalGlob } from "../base/glob.ts";
import { isWithin, namesBelow } from "../base/real-path.ts";
import { quoteWord } from "../base/words.ts";
import { decide, rulingsOf } from "./decide.ts";
import type { Policy } from "./policy.ts";
import { type Rule, wouldBeRule } from "./rule.ts";
import { headOf, ruleMatches } from "./rule-match.ts";
import { pathRule } from "./rule-text.ts";
import { isRunner, wideWords } from "./wide-command.ts";

/**
 * Allow rules that would have let a call through which is now asked, to be shown, chosen and remembered. Neither a rule for one very call,
 * of which the next differs in a word, nor one for a program that runs anything, but both ends of what is useful between them.
 */
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
  const broad = asked.flatMap((effect) => broader(effect, policy)).flatMap(parsed);
  return { rules: [...new Set([...narrow, ...broad].map(({ text }) => text))], narrowest: new Set(narrow.map(({ text }) => text)).size };
}

function withRules(policy: Policy, rules: readonly Rule[]): Policy {
  return { ...policy, rules: [...policy.rules, ...rules] };
}

/** A rule that cannot be written, such as one for a path with a line break, is no offer. */
function parsed(text: string): readonly Rule[] {
  const rule = wouldBeRule(text);
  return rule ? [rule] : [];
}

/** More wider rules than these are not compared with the narrow ones; nobody chooses among so many. */
const MAX_COMPARED = 20;

/**
 * Of each wider rule of the offers those of the narrowest set that it makes needless: it covers every effect that they are for. Wider rules
 * that make none needless are not in it.
 */
export function coveredOffers(
  effects: readonly Effect[],
  { rules, narrowest: count }: Offers,
  policy: Policy,
): Readonly<Record<string, readonly string[]>> {
  const rulings = rulingsOf(effects, policy);
  const asked = effects.filter((_, index) => rulings[index]?.outcome === "ask");
  const entries = rules.slice(count, count + MAX_COMPARED).map((wide) => {
    const rule = wouldBeRule(wide);
    const left = new Set(asked.filter((effect) => !rule || !ruleMatches(rule, effect, policy)).map((effect) => narrowest(effect, policy)));
    return [wide, rules.slice(0, count).filter((narrow) => !left.has(narrow))] as const;
  });
  return Object.fromEntries(entries.filter(([, covered]) => covered.length > 0));
}

/** Why a call that is asked about has no offers, as a sentence without its end; `null` where it has some, or is not asked about. */
export function whyNoOffer(effects: readonly Effect[], policy: Policy): string | null {
  const rulings = rulingsOf(effects, policy);
  if (rulings.some(({ outcome }) => outcome === "deny")) return null;
  for (const [index, effect] of effects.entries()) {
    const ruling = rulings[index];
    if (ruling?.outcome !== "ask") continue;
    if (ruling.by === "ask") return `ask ${ruling.rule} asks each time, and ask beats allow`;
    const why = whyNoRule(effect, policy);
    if (why !== null) return why;
  }
  return null;
}

function whyNoRule(effect: Effect, policy: Policy): string | null {
  if (effect.kind === "unknown") return "what it will do is not known, and no rule allows that";
  if (effect.kind === "command" && effect.dynamic?.length) return "some of its words are known only when it runs, so no rule can say them";
  const text = narrowest(effect, policy);
  if (text === null) return "which program it runs cannot be told";
  const rule = wouldBeRule(text);
  if (!rule) return "no rule can be written for such a name";
  if (ruleMatches(rule, effect, policy)) return null;
  const isOutside = effect.kind === "command" && !policy.roots.some((root) => isWithin(effect.cwd, root));
  return isOutside
    ? "it starts outside the workspace, where no rule allows a command"
    : "its program lies where no rule can name it for sure";
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

function broader(effect: Effect, policy: Policy): readonly string[] {
  switch (effect.kind) {
    case "file.read":
    case "file.write":
    case "file.delete":
      return folderRule(effect, policy.workspace);
    case "command":
      return wideCommand(effect, policy);
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

/** These very words and no more. Words that are only known at run time cannot be said. */
function commandRule(effect: CommandEffect, policy: Policy): string | null {
  const program = programName(effect, policy);
  if (program === null || effect.dynamic?.length) return null;
  return `command(${words([program, ...effect.argv.slice(1)])} $)`;
}

/** Any words behind the first ones, where those say what is run; of a program in the workspace its place says it. */
function wideCommand(effect: CommandEffect, policy: Policy): readonly string[] {
  const { argv, program } = effect;
  const wide = wideWords(argv);
  if (wide) return [`command(${words(wide)})`];
  const [spelled = "", ...more] = argv;
  const name = programName(effect, policy);
  const isOwn =
    spelled.includes("/") && (program ?? []).length > 0 && program?.every((place) => policy.roots.some((root) => isWithin(place, root)));
  return name !== null && isOwn && more.length > 0 && ![spelled, ...(program ?? [])].some(isRunner) ? [`command(${words([name])})`] : [];
}

/**
 * A bare name as it is. A program that is written as a path is named as rules see it: by its place, from the workspace where it lies there.
 * `null`: which one it is cannot be told.
 */
function programName({ argv, cwd, program }: CommandEffect, { workspace, roots }: Policy): string | null {
  const [spelled = ""] = argv;
  if (!spelled.includes("/")) return spelled;
  if (program === null) return null;
  const isSystem = program?.every((place) => !roots.some((root) => isWithin(place, root)));
  // not placed yet: as it is written, from its own folder
  const unplaced = !spelled.startsWith("/") && cwd !== workspace ? joined(cwd, spelled) : spelled;
  const place = (isSystem ? program?.[0] : program?.at(-1)) ?? unplaced;
  const names = program ? namesBelow(place, workspace) : null;
  return names === null ? place : `./${names.join("/")}`;
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
