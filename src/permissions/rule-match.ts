import type { CommandEffect, Effect, FileEffect, NetworkEffect } from "../base/effect.ts";
import { matchCommand } from "../base/words.ts";
import { namesBelow } from "./path.ts";
import type { Policy } from "./policy.ts";
import { type CommandMatcher, type NetworkMatcher, type PathMatcher, plainHost, type Rule } from "./rule.ts";

/**
 * True when the rule speaks of the effect. An allow rule must cover all of it; a deny or ask rule need only reach a part of it, by any
 * of its names. No rule speaks of `unknown`.
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
      return false;
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
export function headOf(effect: FileEffect): PathMatcher["head"] {
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

function commandMatches({ pattern }: CommandMatcher, { argv, cwd }: CommandEffect, { isAllow, policy }: Sense): boolean {
  const [wanted = null, ...rest] = pattern.words;
  const [program = ""] = argv;
  if (!matchCommand({ words: [null, ...rest], whole: pattern.whole }, argv)) return false;
  if (wanted === null) return true;
  const isPath = program.includes("/");
  // a program that is written as a path is the one at that place: from the workspace in a rule, from its own folder in a command
  if (isPath && wanted.includes("/") && placeOf(program, cwd) === placeOf(wanted, policy.workspace)) return true;
  if (isAllow) return !isPath && program === wanted;
  // to forbid, a name means the program wherever it lies, however it is written
  const isSameName = baseName(program) === baseName(wanted);
  return program === wanted || (isSameName && !(isPath && wanted.includes("/")));
}

function placeOf(program: string, folder: string): string {
  const joined = program.startsWith("/") ? program : `${folder}/${program}`;
  return joined.replace(/\/(?:\.?\/)+/g, "/");
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

function networkMatches({ host, below, port }: NetworkMatcher, effect: NetworkEffect): boolean {
  if (port !== null && port !== effect.port) return false;
  const name = plainHost(effect.host);
  return host === null || (below ? name.endsWith(`.${host}`) : name === host);
}
