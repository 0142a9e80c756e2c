/** Wildcards against the names on the disk, by the rules of bash without any option of `shopt` but `extglob`. */
import type { Expanding } from "./expanding.ts";
import { matchesName } from "./name-match.ts";
import { isExtended, isPattern, type PatternChar, patternChars, tokensOf } from "./pattern.ts";
import { type Field, fieldWord } from "./pieces.ts";
import { knownWord, type UnknownWord, unknownWord, type Word } from "./word.ts";
import { COST } from "./work.ts";

const MAX_MATCHES = 1000;
const MAX_FOLDERS = 100;
/** No path is longer. */
const MAX_PATTERN = 4096;

/** The words that a field stands for; `null`: it holds no wildcard. */
export async function wildcardWords(field: Field, raw: string, { state, machine, listed }: Expanding): Promise<readonly Word[] | null> {
  if (field.some(({ kind }) => kind === "unknown")) return null;
  if (!field.some((piece) => piece.kind === "text" && piece.as !== "quoted" && /[*?[(]/.test(piece.text))) return null;
  const length = field.reduce((sum, piece) => sum + (piece.kind === "text" ? piece.text.length : 0), 0);
  if (length > MAX_PATTERN) return [unknownWord(raw)];
  machine.work.spend(COST.wildcard + length * 2);
  const chars = field.flatMap((piece) => (piece.kind === "text" ? patternChars(piece.text, piece.as) : []));
  // out of a variable, patterns are extended for a bash that was told so
  if (field.some((piece) => piece.kind === "text" && piece.as === "expanded" && piece.text.includes("(")) && mayBeExtended(chars))
    return [unknownWord(raw)];
  if (!isPattern(chars)) return null;
  // a backslash that comes out of a variable quotes, and stays when nothing matches
  if (field.some((piece) => piece.kind === "text" && piece.as === "expanded" && piece.text.includes("\\"))) return [unknownWord(raw)];
  const components = splitComponents(chars);
  const first = components.findIndex(isPattern);
  // a bracket around a slash is none
  if (first < 0) return [vague(raw, { prefix: "", below: [""] })];
  const isAbsolute = components[0]?.length === 0;
  const before = components.slice(0, first).map(textOf);
  const fixed = isAbsolute && before.length === 1 ? "/" : before.join("/");
  const prefix = `${fixed}${fixed === "" || fixed.endsWith("/") ? "" : "/"}${fixedStart(components[first] ?? [])}`;
  const below = components.slice(first).some(mayLeave) || before.includes("..") ? null : [fixed];
  const unclear = [below === null ? unknownWord(raw, { prefix, nonEmpty: true }) : vague(raw, { prefix, below, ...lastNames(components) })];
  const [folder, ...otherFolders] = state.folders ?? [];
  const isDeep = components.length > first + 1;
  const bases = isAbsolute ? [""] : (state.folders ?? []).map((each) => (each === "/" ? "/" : `${each}/`));
  for (const base of bases) listed.set(`${base}${fixed}`.replace(/(?<=.)\/$/, ""), isDeep || (listed.get(`${base}${fixed}`) ?? false));
  if (state.stale || (!isAbsolute && (folder === undefined || otherFolders.length > 0))) return unclear;
  const patterns = components.map((component) => (isPattern(component) ? tokensOf(component) : null));
  if (components.some((component, index) => isPattern(component) && (patterns[index] ?? null) === null)) return unclear;
  if (components.some((component) => isPattern(component) && mayLeave(component))) return unclear;
  let found: readonly string[] = [isAbsolute ? "/" : ""];
  const base = isAbsolute ? "" : `${folder === "/" ? "" : folder}/`;
  for (const [index, component] of components.entries()) {
    if (index === 0 && isAbsolute) continue;
    const pattern = patterns[index];
    const isLast = index === components.length - 1;
    const next: string[] = [];
    if (pattern && found.length > MAX_FOLDERS) return unclear;
    for (const path of found) {
      if (!pattern) {
        const name = textOf(component);
        const joined = `${path}${name}${isLast ? "" : "/"}`;
        if (index > first) {
          const kind = await machine.look.kind(`${base}${joined}`);
          if (kind === "unknown") return unclear;
          if (kind === "none" || (name === "" && kind !== "folder")) continue;
        }
        next.push(joined);
        continue;
      }
      const place = `${base}${path}`.replace(/(?<=.)\/$/, "");
      const kind = await machine.look.kind(place);
      if (kind === "none" || kind === "file" || kind === "other") continue;
      const names = kind === "folder" ? await machine.look.names(place) : null;
      if (names === null) return unclear;
      for (const name of names) {
        if (name.startsWith(".") && !startsWithDot(component)) continue;
        machine.work.spend(1 + pattern.length * name.length * COST.match);
        if (matchesName(pattern, name)) next.push(`${path}${name}${isLast ? "" : "/"}`);
      }
      if (next.length > MAX_MATCHES) return unclear;
    }
    found = next;
  }
  if (found.length === 0) return [fieldWord(field, raw)];
  return [...found].sort().map(knownWord);
}

function vague(raw: string, facts: Pick<UnknownWord, "prefix" | "below" | "only" | "through">): Word {
  return unknownWord(raw, { ...facts, nonEmpty: true });
}

/** What the last name of each match looks like, with `*` for anything that is no plain text. */
function lastNames(components: readonly (readonly PatternChar[])[]): Pick<UnknownWord, "only" | "through"> {
  const last = components.at(-1) ?? [];
  if (last.length === 0 || last.some(({ active, char }) => active && /[[\]()]/.test(char))) return {};
  return { only: [textOf(last).replaceAll("?", "*")], through: true };
}

function splitComponents(chars: readonly PatternChar[]): readonly (readonly PatternChar[])[] {
  const components: PatternChar[][] = [[]];
  for (const char of chars) {
    if (char.char === "/") components.push([]);
    else components.at(-1)?.push(char);
  }
  return components;
}

function textOf(component: readonly PatternChar[]): string {
  return component.map(({ char }) => char).join("");
}

function fixedStart(component: readonly PatternChar[]): string {
  const end = component.findIndex(({ active, char }, index) => (active && /[*?[]/.test(char)) || isExtended(component, index));
  return textOf(component.slice(0, Math.max(end, 0)));
}

/** True for `..`, and for patterns by which older bash, and a newer one that is told to, finds it. */
function mayLeave(component: readonly PatternChar[]): boolean {
  if (!isPattern(component)) return textOf(component) === "..";
  // the texts of an extended pattern that is not plain may begin with a dot
  if (isExtended(component, 0)) return tokensOf(component) === null;
  if (!startsWithDot(component)) return false;
  const tokens = tokensOf(component);
  return tokens === null || matchesName(tokens, "..");
}

function mayBeExtended(chars: readonly PatternChar[]): boolean {
  return /[?*+@!]\(/.test(textOf(chars));
}

function startsWithDot(component: readonly PatternChar[] | undefined): boolean {
  return component?.[0]?.char === ".";
}
