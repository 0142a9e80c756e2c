/**
 * Brace expansion, which bash does on the text of a word before anything else. `null`: not told here.
 */
const MAX_WORDS = 1000;
/** Of a text with braces: each is looked for up to the end. */
const MAX_LENGTH = 1000;

/** The texts of the words that one text becomes, in order; the text itself when it holds no brace expansion. */
export function expandBraces(text: string): readonly string[] | null {
  if (!text.includes("{")) return [text];
  if (text.length > MAX_LENGTH) return null;
  const opened = findOpen(text, 0);
  return opened === null ? [text] : expandAt(text, opened);
}

function expandAt(text: string, open: number): readonly string[] | null {
  const found = findParts(text, open);
  if (found === null) return null;
  const items = found.close < 0 ? null : found.parts.length > 1 ? expandEach(found.parts) : sequence(found.parts[0] ?? "");
  if (items === "unclear") return null;
  if (items === null) {
    const next = findOpen(text, open + 1);
    return next === null ? [text] : expandAt(text, next);
  }
  const before = text.slice(0, open);
  const behind = expandBraces(text.slice(found.close + 1));
  if (behind === null || items.length * behind.length > MAX_WORDS) return null;
  return items.flatMap((item) => behind.map((rest) => `${before}${item}${rest}`));
}

function expandEach(parts: readonly string[]): readonly string[] | "unclear" {
  const all: string[] = [];
  for (const part of parts) {
    const expanded = expandBraces(part);
    if (expanded === null || all.length > MAX_WORDS) return "unclear";
    all.push(...expanded);
  }
  return all;
}

/** Index of the next brace that is not quoted and not that of `${`. */
function findOpen(text: string, from: number): number | null {
  for (let at = from; at < text.length; at = skip(text, at)) if (text.charAt(at) === "{" && skip(text, at) === at + 1) return at;
  return null;
}

/** What stands between the commas; `close` is -1 when the brace is not closed; `null` when quotes do not end. */
function findParts(text: string, open: number): { readonly parts: readonly string[]; readonly close: number } | null {
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open + 1; at < text.length; at = skip(text, at)) {
    const char = text.charAt(at);
    if (char === "{") depth += 1;
    else if (char === "}" && depth > 0) depth -= 1;
    else if (char === "}") return { parts: [...parts, text.slice(start, at)], close: at };
    else if (char === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  // a brace within that is not closed takes this one's end to other shells
  return parts.length > 0 || depth > 0 ? null : { parts, close: -1 };
}

/** Index behind the character at `at`, or behind the quotes or the `${…}` that begin there. */
function skip(text: string, at: number): number {
  if (!/[\\'"$]/.test(text.charAt(at))) return at + 1;
  const rest = text.slice(at);
  const [whole = ""] = /^(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\$\{[^{}]*\})/.exec(rest) ?? [];
  return at + Math.max(whole.length, 1);
}

/** `null`: it is no sequence, and the braces are text. */
function sequence(text: string): readonly string[] | "unclear" | null {
  const [, from, to, step = "1"] = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return text.includes("..") ? "unclear" : null;
  const isLetter = /[A-Za-z]/.test(from);
  if (isLetter !== /[A-Za-z]/.test(to)) return null;
  const [a, b] = isLetter ? [from.charCodeAt(0), to.charCodeAt(0)] : [Number(from), Number(to)];
  if (isLetter && /[a-z]/.test(from) !== /[a-z]/.test(to)) return "unclear";
  const by = Math.max(1, Math.abs(Number(step)));
  if (Math.abs(a - b) / by > MAX_WORDS) return "unclear";
  const isPadded = !isLetter && [from, to].some((each) => /^-?0\d/.test(each));
  const width = isPadded ? Math.max(from.length, to.length) : 0;
  const items: string[] = [];
  for (let value = a; a <= b ? value <= b : value >= b; value += a <= b ? by : -by) {
    if (isLetter) items.push(String.fromCharCode(value));
    else items.push(value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value).padStart(width, "0"));
  }
  return items;
}
