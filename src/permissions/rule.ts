import type { DecisionSource } from "../base/decision.ts";
import { fail, isFailure } from "../base/fail.ts";
import { compileGlob, type Glob } from "../base/glob.ts";
import { type CommandPattern, parseCommandPattern } from "../base/words.ts";

/** One rule as written, and what it matches. Made by `parseRule`. */
export interface Rule {
  /** As written, such as `write(src/**)`; what decisions name. */
  readonly text: string;
  readonly effect: "allow" | "ask" | "deny";
  readonly source: DecisionSource;
  readonly matcher: Matcher;
  /** True for a rule of somebody who may only narrow, such as a repository that is not trusted: it names no guarded path. */
  readonly narrows?: true;
}

export type Matcher = PathMatcher | CommandMatcher | NetworkMatcher | AgentMatcher;

export interface PathMatcher {
  readonly head: "read" | "write" | "delete";
  /** Where the pattern begins: at the workspace, at `/`, or at the home folder. */
  readonly anchor: "workspace" | "root" | "home";
  readonly glob: Glob;
}
export interface CommandMatcher {
  readonly head: "command";
  readonly pattern: CommandPattern;
  /** Of a program that is written as a path, where it lies on disk now; put there by `placePrograms`. */
  readonly places?: ProgramPlaces;
}
export interface ProgramPlaces {
  /** The place that the rule names, in its real folder. */
  readonly own: string;
  /** Where a link there leads; the same as `own` when there is none, and for what lies outside every root. */
  readonly leadsTo: string;
}
export interface NetworkMatcher {
  readonly head: "network";
  /** In lower case, without brackets; `null`: every host. */
  readonly host: string | null;
  /** True for `*.host`: hosts below it, and not the host itself. */
  readonly below: boolean;
  /** `null`: every port. */
  readonly port: number | null;
}
export interface AgentMatcher {
  readonly head: "agent";
  /** `null`: every agent. */
  readonly name: string | null;
}

const HEADS = ["read", "write", "delete", "command", "network", "agent"] as const;
type Head = (typeof HEADS)[number];

const EXAMPLES: Readonly<Record<Head, string>> = {
  read: "read(docs/**)",
  write: "write(src/**/*.ts)",
  delete: "delete(build/**)",
  command: "command(npm test)",
  network: "network(api.example.com:443)",
  agent: "agent(reviewer)",
};

/**
 * Parses `head(pattern)`. Heads are `read write delete command network agent`. Paths are relative to the workspace, or begin with `/` or
 * `~/`, in the pattern language of `compileGlob`; commands are words in that of `parseCommandPattern`; hosts are `host`, `host:port`,
 * `*.host` (hosts below it) or `*`, IPv6 in brackets; agents are a name or `*`. Fails with `invalid_args` (`rule`, `reason`).
 */
export function parseRule(text: string, effect: Rule["effect"], source: DecisionSource): Rule {
  const trimmed = text.trim();
  const [, head = "", pattern = ""] = /^([^()\s]+)\(([\s\S]*)\)$/.exec(trimmed) ?? [];
  if (head === "") {
    throw unusable(trimmed, "syntax", `a rule is head(pattern), such as ${EXAMPLES.command} or ${EXAMPLES.write}`);
  }
  const known = HEADS.find((each) => each === head);
  if (!known)
    throw unusable(trimmed, "unknown_head", `there is no head "${head}"; heads are ${HEADS.join(", ")}, as in ${EXAMPLES.command}`);
  if (pattern.trim() === "") throw unusable(trimmed, "empty", `its pattern is empty; write such as ${EXAMPLES[known]}`);
  return { text: trimmed, effect, source, matcher: matcherOf(known, pattern, trimmed) };
}

/** The allow rule of this text, for what it would do; `null`: it cannot be written, such as one for a name with a line break. */
export function wouldBeRule(text: string): Rule | null {
  try {
    return parseRule(text, "allow", { from: "builtin" });
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}

function matcherOf(head: Head, pattern: string, rule: string): Matcher {
  try {
    switch (head) {
      case "command":
        return { head, pattern: parseCommandPattern(pattern) };
      case "network":
        return networkMatcher(pattern, rule);
      case "agent":
        return { head, name: agentName(pattern, rule) };
      default:
        return { head, ...pathPattern(pattern, rule) };
    }
  } catch (error) {
    if (!isFailure(error) || "rule" in error.details) throw error;
    throw unusable(rule, String(error.details.reason), `${error.message}; write such as ${EXAMPLES[head]}`);
  }
}

function pathPattern(pattern: string, rule: string): { readonly anchor: PathMatcher["anchor"]; readonly glob: Glob } {
  if (pattern.startsWith("!"))
    throw unusable(rule, "negation", "a leading ! negates nothing here; write a deny rule, or [!] for the character");
  if (pattern.trim() !== pattern)
    throw unusable(rule, "blank_at_the_edge", "its pattern begins or ends with a blank; write [ ] for one that is meant");
  if (pattern.startsWith("/")) return { anchor: "root", glob: compileGlob(pattern.slice(1)) };
  if (pattern.startsWith("~/")) return { anchor: "home", glob: compileGlob(pattern.slice(2)) };
  if (pattern.startsWith("~"))
    throw unusable(rule, "other_home", "only ~/ is known, the home folder of the user; write ./~ for a name that begins so");
  return { anchor: "workspace", glob: compileGlob(pattern.replace(/^(?:\.\/)+/, "")) };
}

function networkMatcher(pattern: string, rule: string): NetworkMatcher {
  const [, written = "", digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(pattern) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) throw unusable(rule, "bad_port", "a port is 1 to 65535");
  if (written === "*") return { head: "network", host: null, below: false, port };
  const below = written.startsWith("*.");
  const host = plainHost(below ? written.slice(2) : written);
  const isAddress = written.startsWith("[") && /^[0-9a-f:.]+$/.test(host);
  if (!isAddress && !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host)) {
    throw unusable(
      rule,
      "bad_host",
      `a host is such as ${EXAMPLES.network}, network(*.example.com) or network([::1]:80), in its ASCII form`,
    );
  }
  return { head: "network", host, below, port };
}

/** Lower case, without the brackets of an address and the dot at the end: the form in which hosts are compared. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

function agentName(pattern: string, rule: string): string | null {
  if (pattern === "*") return null;
  if (!/^[A-Za-z0-9_.-]+$/.test(pattern))
    throw unusable(rule, "bad_name", `an agent's name is letters, digits, _ . and -, as in ${EXAMPLES.agent}`);
  return pattern;
}

function unusable(rule: string, reason: string, why: string): Error {
  const shown = rule.length > 200 ? `${rule.slice(0, 200)}…` : rule;
  return fail("invalid_args", `the rule ${JSON.stringify(shown)} cannot be used: ${why}`, { rule: shown, reason });
}
