import type { Effect } from "../base/effect.ts";
import type { Policy } from "./policy.ts";
import type { CommandMatcher, NetworkMatcher, PathMatcher, Rule } from "./rule.ts";
import { ruleMatches } from "./rule-match.ts";

/** A name that nobody gives to anything, for the places where a pattern leaves the name open. */
const ANY = "zq9-any.Zq";

/**
 * True when the rule speaks of all that another one speaks of, as far as examples of that other show. For advice to a person; no decision
 * rests on it.
 */
export function coversExamples(wide: Rule, examples: readonly Effect[], policy: Policy): boolean {
  return examples.length > 0 && examples.every((effect) => ruleMatches(wide, effect, policy));
}

/** Effects that the rule speaks of: the least that it asks for, and more of what it leaves open. None for a rule with `~/` where there is no home. */
export function examplesOf({ matcher }: Rule, policy: Policy): readonly Effect[] {
  switch (matcher.head) {
    case "command":
      return commandExamples(matcher, policy);
    case "network":
      return networkExamples(matcher);
    case "agent":
      return [{ kind: "agent", sure: "open", name: matcher.name ?? ANY }];
    default:
      return pathExamples(matcher, policy).map((path) => ({ kind: `file.${matcher.head}`, sure: "open", path }));
  }
}

function pathExamples({ anchor, glob }: PathMatcher, { workspace, home }: Policy): readonly string[] {
  const base = anchor === "workspace" ? workspace : anchor === "home" ? home : "/";
  if (base === null) return [];
  const fillings: readonly (readonly string[])[] = glob.pattern.split("/").includes("**") ? [[], [ANY], [ANY, ANY]] : [[]];
  return fillings.map((filling) => {
    const names = glob.pattern.split("/").flatMap((name) => (name === "**" ? filling : [exampleName(name)]));
    return names.length === 0 ? base : `${base === "/" ? "" : base}/${names.join("/")}`;
  });
}

/** A name that the pattern of one name matches. */
function exampleName(pattern: string): string {
  return pattern.replace(/\[([!^]?)(\]?[^\]]*)\]|\*|\?/g, (token, negation: string | undefined, set: string | undefined) => {
    if (set === undefined) return token === "*" ? ANY : "z";
    const first = [...set][0] ?? "";
    return negation ? (["~", "z", "0"].find((char) => !set.includes(char) && !/[a-z]-[a-z]|\d-\d/.test(set)) ?? "~") : first;
  });
}

function commandExamples({ pattern: { words, whole } }: CommandMatcher, { workspace }: Policy): readonly Effect[] {
  const argv = words.map((word) => word ?? ANY);
  const [spelled = ""] = argv;
  const place = spelled.includes("/")
    ? { program: [spelled.startsWith("/") ? spelled : `${workspace}/${spelled.replace(/^(?:\.\/)+/, "")}`] }
    : {};
  const effect = (more: readonly string[]): Effect => ({
    kind: "command",
    sure: "open",
    argv: [...argv, ...more],
    cwd: workspace,
    ...place,
  });
  return whole ? [effect([])] : [effect([]), effect([ANY])];
}

function networkExamples({ host, below, port }: NetworkMatcher): readonly Effect[] {
  const name = host === null ? `${ANY}.invalid` : below ? `${ANY}.${host}` : host;
  return (port === null ? [1, 65_535] : [port]).map((each) => ({ kind: "network", sure: "open", host: name, port: each }));
}
