/** Outside of strings: what has a meaning in an object, or begins a string, a number or a word. */
const TOKEN = /[[\]{},:"]|[^\s"[\]{},:]+/g;

/**
 * The text of one member of a JSON object, as it was written: a number too large for a double keeps its digits. The last one counts where
 * there are several, as in `JSON.parse`. `undefined`: there is none, or it is an object or a list. Takes time linear in the text, and no
 * memory to speak of.
 * @param json text that `JSON.parse` takes for an object
 */
export function memberText(json: string, name: string): string | undefined {
  let depth = 0;
  let found: string | undefined;
  let isName = true;
  let isWanted = false;
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(json); match; match = tokens.exec(json)) {
    const [token] = match;
    const end = token === '"' ? endOfString(json, match.index) : tokens.lastIndex;
    tokens.lastIndex = end;
    const opens = token === "{" || token === "[";
    if (token === "}" || token === "]") depth--;
    else if (depth === 1 && token === ",") isName = true;
    else if (depth === 1 && token === ":") isName = false;
    else if (depth === 1 && isName) isWanted = JSON.parse(json.slice(match.index, end)) === name;
    else if (depth === 1 && isWanted) found = opens ? undefined : json.slice(match.index, end);
    if (opens) depth++;
  }
  return found;
}

/** Index after the closing quote: the first one with an even number of backslashes before it. */
function endOfString(json: string, start: number): number {
  for (let close = json.indexOf('"', start + 1); ; close = json.indexOf('"', close + 1)) {
    if (close < 0) return json.length;
    let before = close;
    while (json[before - 1] === "\\") before--;
    if ((close - before) % 2 === 0) return close + 1;
  }
}
