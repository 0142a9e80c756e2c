/**
 * The path rules of a write policy, in their six forms: `a/b.ts`, `a/**`, `**\/*`, `**\/name`, `**\/prefix*`, `**\/dir/**`. Nothing else is a
 * wildcard: brackets, braces and question marks mean themselves. Paths are relative to the workspace.
 */
import { fail } from "../base/fail.ts";

/** A rule taken apart. */
type Form =
  | { readonly form: "exact" | "below"; readonly names: readonly string[] }
  | { readonly form: "everything" }
  | { readonly form: "leaf" | "prefix" | "folder"; readonly name: string };

const MAX_RULE_LENGTH = 4096;

/**
 * The rule in the one form in which it is kept: without blanks around it, doubled slashes and a leading `./`. Fails with `invalid_args`
 * (`matched_rule`: the rule as written, `reason`): `not_a_string`, `empty`, `too_long`, `absolute`, `home`, `parent_segment`, `dot_segment`,
 * `trailing_slash`, `negation`, `backslash`, `control_character`, `unsupported_wildcard`.
 */
export function normalWriteRule(written: unknown): string {
  if (typeof written !== "string") throw unusable(written, "not_a_string", "it is no text");
  const rule = written
    .trim()
    .replace(/\/{2,}/g, "/")
    .replace(/^(?:\s*\.\/)+\s*/, "");
  if (rule === "") throw unusable(written, "empty", "it is empty");
  if (rule.length > MAX_RULE_LENGTH) throw unusable(written, "too_long", `it is longer than ${MAX_RULE_LENGTH} characters`);
  if (/[\0-\x1f\x7f\p{Cs}]/u.test(rule)) throw unusable(written, "control_character", "it holds a control character or broken text");
  if (rule.startsWith("/")) throw unusable(written, "absolute", "it begins with /, and rules are relative to the workspace");
  if (rule.startsWith("~")) throw unusable(written, "home", "it begins with ~, and rules are relative to the workspace");
  if (rule.startsWith("!")) throw unusable(written, "negation", "a leading ! negates nothing here; use deny_writes");
  if (rule.includes("\\")) throw unusable(written, "backslash", "names are separated by /, and a backslash escapes nothing");
  if (rule.endsWith("/")) throw unusable(written, "trailing_slash", "it ends with /; write folder/** for a folder and all in it");
  const names = rule.split("/");
  if (names.includes("..")) throw unusable(written, "parent_segment", "`..` does not stand in it");
  if (names.includes(".")) throw unusable(written, "dot_segment", "`.` does not stand in it");
  if (formOf(rule) === null) {
    const forms = "folder/**, **/*, **/name, **/prefix* and **/folder/**";
    throw unusable(written, "unsupported_wildcard", `stars stand in it in another way than in ${forms}`);
  }
  return rule;
}

function unusable(written: unknown, reason: string, why: string): Error {
  const text = typeof written === "string" ? written : String(JSON.stringify(written));
  const matched_rule = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return fail("invalid_args", `the write rule ${JSON.stringify(matched_rule)} cannot be used: ${why}`, { matched_rule, reason });
}

/** `null`: it has none of the six forms. */
function formOf(rule: string): Form | null {
  if (rule === "**/*") return { form: "everything" };
  const [, folder] = /^\*\*\/([^/*]+)\/\*\*$/.exec(rule) ?? [];
  if (folder !== undefined) return { form: "folder", name: folder };
  const [, leaf, star] = /^\*\*\/([^/*]+)(\*?)$/.exec(rule) ?? [];
  if (leaf !== undefined) return { form: star === "*" ? "prefix" : "leaf", name: leaf };
  const [, path = "", below] = /^([^*]+?)(\/\*\*)?$/.exec(rule) ?? [];
  return path === "" ? null : { form: below === undefined ? "exact" : "below", names: path.split("/") };
}

/** True when an allow rule lets the path be written. `**\/name` and `**\/prefix*` look at the last name alone. */
export function allowsWrite(rule: string, names: readonly string[]): boolean {
  const form = formOf(rule);
  const leaf = names.at(-1) ?? "";
  switch (form?.form) {
    case "everything":
      return true;
    case "exact":
      return startsWith(names, form.names) && names.length === form.names.length;
    case "below":
      return startsWith(names, form.names);
    case "leaf":
      return leaf === form.name;
    case "prefix":
      return leaf.startsWith(form.name);
    case "folder":
      return names.includes(form.name);
    case undefined:
      return false;
  }
}

export interface Denying {
  /** As file systems compare names that do not tell case apart. */
  readonly fold: (name: string) => string;
  /** The effect takes all below the path with it: a rule then denies what it can reach. */
  readonly isTree: boolean;
}

/** True when a deny rule forbids the path: by any of its names, by a folder that it lies in, and whatever the case of its letters. */
export function deniesWrite(rule: string, path: readonly string[], { fold, isTree }: Denying): boolean {
  const form = formOf(rule);
  const names = path.map(fold);
  switch (form?.form) {
    case "everything":
    case undefined:
      return true;
    case "exact":
    case "below": {
      const denied = form.names.map(fold);
      return startsWith(names, denied) || (isTree && startsWith(denied, names));
    }
    case "leaf":
    case "folder":
      return isTree || names.includes(fold(form.name));
    case "prefix":
      return isTree || names.some((name) => name.startsWith(fold(form.name)));
  }
}

function startsWith(names: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length <= names.length && beginning.every((name, index) => name === names[index]);
}

/** True when every path that `child` allows `parent` allows too, as can be told from their texts. Both are in normal form. */
export function isWithinWriteRule(child: string, parent: string): boolean {
  const inner = formOf(child);
  const outer = formOf(parent);
  if (inner === null || outer === null) return false;
  if (outer.form === "everything") return true;
  switch (inner.form) {
    case "everything":
      return false;
    case "exact":
      return allowsWrite(parent, inner.names);
    case "below":
      // what lies below may end in any name, so the last name of the folder says nothing of it
      return (outer.form === "below" || outer.form === "folder") && allowsWrite(parent, inner.names);
    case "leaf":
      return outer.form !== "below" && outer.form !== "exact" && allowsWrite(parent, [inner.name]);
    case "prefix":
      return outer.form === "prefix" && inner.name.startsWith(outer.name);
    case "folder":
      return outer.form === "folder" && inner.name === outer.name;
  }
}
