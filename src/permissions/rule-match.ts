import type { CommandEffect, Effect, FileEffect, NetworkEffect } from "../base/effect.ts";
import { withoutLeadingOptions } from "../base/leading-options.ts";
import { isWithin, namesBelow } from "../base/real-path.ts";
import { matchCommand } from "../base/words.ts";
import type { Policy } from "./policy.ts";
import { type CommandMatcher, type NetworkMatcher, type PathMatcher, plainHost, type Rule } from "./rule.ts";

/**
 * True when the rule speaks of the effect. An allow rule must cover all of it; a deny or ask rule need only reach a part of it, by any
 * of its names. No rule allows what is unknown; where that is which commands run, every rule that forbids a command, or asks, speaks of it.
 */
export function ruleMatches(rule: Rule, effect: Effect, policy: Policy): boolean {
  const { matcher } = rule;
  const isAllow = rule.effect === "allow";
  switch (effect.kind) {
    case "file.read":
    case "file.write":
    case "file.delete":
      return isPathMatcher(matcher) && matcher.head === headOf(effect) && pathMatches(matcher, effect, { isAllow, policy });
    case "command":
      return matcher.head === "command" && commandMatches(matcher, effect, { isAllow, policy });
    case "network":
      return matcher.head === "network" && networkMatches(matcher, effect);
    case "agent":
      return matcher.head === "agent" && (matcher.name === null || matcher.name === effect.name);
    case "unknown":
      return !isAllow && effect.commands === true && matcher.head === "command";
  }
}

/**
 * True when an allow or ask rule matches `path` and spells, in the part of its pattern that matches the name at `index` of the absolute
 * path, what `spells` looks for.
 */
export function ruleNames(
  rule: Rule,
  effect: FileEffect,
  { path, index, spells, policy }: { path: string; index: number; spells: (literal: string) => boolean; policy: Policy },
): boolean {
  const { matcher } = rule;
  if (rule.effect === "deny" || !isPathMatcher(matcher) || matcher.head !== headOf(effect)) return false;
  const anchor = anchorOf(matcher, policy);
  const names = anchor === null ? null : namesBelow(path, anchor);
  if (names === null) return false;
  const above = path.slice(1).split("/").length - names.length;
  return matcher.glob.matchesSpelled(names, { index: index - above, spells }) && index >= above;
}

function isPathMatcher(matcher: Rule["matcher"]): matcher is PathMatcher {
  return "glob" in matcher;
}

/** The head of the rules that speak of a file effect. */
export function headOf(effect: Pick<FileEffect, "kind">): PathMatcher["head"] {
  return effect.kind === "file.read" ? "read" : effect.kind === "file.write" ? "write" : "delete";
}

function anchorOf({ anchor }: PathMatcher, policy: Policy): string | null {
  return anchor === "workspace" ? policy.workspace : anchor === "home" ? policy.home : "/";
}

interface Sense {
  readonly isAllow: boolean;
  readonly policy: Policy;
}

function pathMatches(matcher: PathMatcher, effect: FileEffect, { isAllow, policy }: Sense): boolean {
  const anchor = anchorOf(matcher, policy);
  if (anchor === null) return false;
  const isTree = "tree" in effect && effect.tree === true;
  const { glob } = matcher;
  const oneMatches = (path: string): boolean => {
    const names = namesBelow(path, anchor);
    // a tree from above the anchor holds all that lies below it
    if (names === null) return isTree && !isAllow && namesBelow(anchor, path) !== null;
    if (!isTree) return glob.matches(names);
    return isAllow ? glob.covers(names) : glob.reaches(names);
  };
  return oneMatches(effect.path) || (!isAllow && (effect.also ?? []).some(oneMatches));
}

function commandMatches(matcher: CommandMatcher, effect: CommandEffect, { isAllow, policy }: Sense): boolean {
  const { words, whole } = matcher.pattern;
  const [wanted = null, ...rest] = words;
  const pattern = { words: [null, ...rest], whole };
  const { argv, dynamic = [] } = effect;
  if (isAllow) {
    // a rule allows a program in the workspace: elsewhere it finds other settings and scripts
    if (!policy.roots.some((root) => isWithin(effect.cwd, root))) return false;
    if (!matchCommand(pattern, argv, { dynamic, match: "surely" })) return false;
    return !dynamic.includes(0) && (wanted === null || allowsProgram(wanted, effect, { matcher, policy }));
  }
  if (!withoutLeadingOptions(argv, dynamic).some((form) => matchCommand(pattern, form.argv, { dynamic: form.dynamic, match: "maybe" })))
    return false;
  return wanted === null || dynamic.includes(0) || forbidsProgram(wanted, effect, { matcher, policy });
}

/**
 * A name allows that name alone. A path allows the file at that place, by whatever name or path it is reached: a link in a root is as good
 * as where it leads, since whoever writes the folder decides that. Links outside every root are the system's own, and count as the programs
 * that they stand for.
 */
function allowsProgram(wanted: string, { argv, cwd, program }: CommandEffect, { matcher, policy }: Judging): boolean {
  const [spelled = ""] = argv;
  if (!wanted.includes("/")) return wanted === spelled;
  if (program === null || (program === undefined && !spelled.includes("/"))) return false;
  const places = program ?? [placeOf(spelled, cwd)];
  const [first = "", last = first] = [places[0], places.at(-1)];
  const own = matcher.places?.own ?? placeOf(wanted, policy.workspace);
  const isInRoot = (place: string) => policy.roots.some((root) => isWithin(place, root));
  // some of the system's programs are several in one, and go by the name that they are called by
  if (last === own) return isInRoot(last) || baseName(spelled) === baseName(last);
  return first === own && !places.some(isInRoot);
}

/** To forbid, a name means the program wherever it lies and however it is reached; so does a place. What cannot be told may be any program. */
function forbidsProgram(wanted: string, { argv, cwd, program }: CommandEffect, { matcher, policy }: Judging): boolean {
  const [spelled = ""] = argv;
  if (program === null || spelled === wanted) return true;
  const isPath = spelled.includes("/");
  if (!isPath || !wanted.includes("/")) return [spelled, ...(program ?? [])].some((place) => baseName(place) === baseName(wanted));
  const { own, leadsTo } = matcher.places ?? { own: placeOf(wanted, policy.workspace), leadsTo: null };
  const forbidden = [own, leadsTo, withoutClimbs(placeOf(wanted, policy.workspace))];
  return [placeOf(spelled, cwd), withoutClimbs(placeOf(spelled, cwd)), ...(program ?? [])].some((place) => forbidden.includes(place));
}

interface Judging {
  readonly matcher: CommandMatcher;
  readonly policy: Policy;
}

/** From the workspace in a rule, from its own folder in a command. `..` stays: past a link it does not lead back. */
function placeOf(program: string, folder: string): string {
  const joined = program.startsWith("/") ? program : `${folder}/${program}`;
  return joined.replace(/\/(?:\.?\/)+/g, "/");
}

/** The place that the text alone names, as if there were no links. */
function withoutClimbs(place: string): string {
  const names: string[] = [];
  for (const name of place.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "") names.push(name);
  }
  return `/${names.join("/")}`;
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

function networkMatches({ host, below, port }: NetworkMatcher, effect: NetworkEffect): boolean {
  if (port !== null && port !== effect.port) return false;
  const name = plainHost(effect.host);
  return host === null || (below ? name.endsWith(`.${host}`) : name === host);
}
