import { isWithin } from "../base/real-path.ts";
import type { Policy } from "./policy.ts";
import type { ProgramPlaces, Rule } from "./rule.ts";

/** Where a path leads, from the workspace when it is relative; `null` when that cannot be told. */
export type Resolve = (path: string) => Promise<string | null>;

/**
 * The policy with the places of the programs that its command rules name by a path, as the disk is now. With them a rule holds however the
 * folders of the program are spelled (`/bin` is `/usr/bin` on many systems), and a deny or ask rule on a link in a root also for the file
 * that it leads to. Outside every root it does not: one file can be many programs there, told apart by their links.
 */
export async function placePrograms(policy: Policy, resolve: Resolve): Promise<Policy> {
  const rules = await Promise.all(policy.rules.map((rule) => placed(rule, policy, resolve)));
  return { ...policy, rules };
}

async function placed(rule: Rule, policy: Policy, resolve: Resolve): Promise<Rule> {
  const { matcher } = rule;
  if (matcher.head !== "command") return rule;
  const program = matcher.pattern.words[0] ?? "";
  if (!program.includes("/")) return rule;
  const places = await placesOf(program, policy, resolve);
  return places === null ? rule : { ...rule, matcher: { ...matcher, places } };
}

async function placesOf(program: string, { workspace, roots }: Policy, resolve: Resolve): Promise<ProgramPlaces | null> {
  const path = program.startsWith("/") ? program : `${workspace}/${program}`;
  const at = path.lastIndexOf("/");
  const folder = await resolve(path.slice(0, at) || "/");
  const name = path.slice(at + 1);
  if (folder === null || name === "" || name === "." || name === "..") return null;
  const own = `${folder === "/" ? "" : folder}/${name}`;
  const leadsTo = roots.some((root) => isWithin(own, root)) ? await resolve(own) : null;
  return { own, leadsTo: leadsTo ?? own };
}
