import { delimitedEnd, MAX_LITTLE_SCRIPT, type Reading } from "./delimited.ts";

/** What a script of `sed` does beside editing. */
export interface SedFiles {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Texts that it hands to a shell; `null`: one that is not known. Absent: none. */
  readonly runs?: readonly (string | null)[];
}

/**
 * Reads a script of `sed`. `null`: it is not certain how every version of `sed` reads it. What only some versions take for
 * a command of its own is taken for one; where they differ about the end of a pattern with a delimiter in brackets, both readings count.
 */
export function readSedScript(script: string): SedFiles | null {
  if (script.length > MAX_LITTLE_SCRIPT) return null;
  const one = readBy(script, "brackets");
  const other = readBy(script, "text");
  if (!one || !other || one.isFault) return null;
  const all = (list: "reads" | "writes"): readonly string[] => [...new Set([...one[list], ...other[list]])];
  const runs = [...new Set([...(one.runs ?? []), ...(other.runs ?? [])])];
  return { reads: all("reads"), writes: all("writes"), ...(runs.length > 0 ? { runs } : {}) };
}

/** `isFault`: no `sed` accepts it, though it may have made the files that it is to write. */
function readBy(script: string, reading: Reading): (SedFiles & { readonly isFault: boolean }) | null {
  const reads: string[] = [];
  const writes: string[] = [];
  const runs: (string | null)[] = [];
  let at = 0;
  let depth = 0;
  let isFault = false;

  const skip = (pattern: RegExp): string => {
    const [found = ""] = pattern.exec(script.slice(at)) ?? [];
    at += found.length;
    return found;
  };

  /** A part up to its delimiter, which is passed. */
  const part = (mark: string, by: Reading): boolean => {
    const end = delimitedEnd(script, at, { delimiter: mark, reading: by });
    if (end !== null) at = end + 1;
    return end !== null;
  };

  const delimiter = (): string | null => {
    const char = script.charAt(at);
    at += 1;
    return /^[!-/:-@[\]^_`{-~]$/.test(char) ? char : null;
  };

  /** An address, a range, none: false when it cannot be read. */
  const addresses = (): boolean => {
    const first = address(/^(?:\d+(?:~\d+)?|\$)/);
    if (first !== "one") return first === "none";
    skip(/^[ \t]*/);
    if (script.charAt(at) !== ",") return true;
    at += 1;
    skip(/^[ \t]*/);
    return address(/^(?:[+~]?\d+|\$)/) === "one";
  };

  const address = (plain: RegExp): "one" | "none" | "unreadable" => {
    if (skip(plain) !== "") return "one";
    if (!/^[/\\]/.test(script.slice(at, at + 1))) return "none";
    if (script.charAt(at) === "\\") at += 1;
    const mark = delimiter();
    if (mark === null || !part(mark, reading)) return "unreadable";
    skip(/^[IM]*/);
    return "one";
  };

  const path = (list: string[]): boolean => {
    skip(/^[ \t]*/);
    const name = skip(/^[^\n]*/);
    list.push(name);
    return name !== "";
  };

  const substitution = (): boolean => {
    const mark = delimiter();
    const start = at;
    if (mark === null || !part(mark, reading)) return false;
    const middle = at;
    if (!part(mark, "text")) return false;
    // the text that comes of it is known when it takes the place of the whole line
    const pattern = script.slice(start, middle - 1);
    const text = script.slice(middle, at - 1);
    const flags = skip(/^[gpiImMe0-9]*/);
    if (flags.includes("e")) runs.push(/^\^?\.\*\$?$/.test(pattern) && !/[&\\]/.test(text) ? text : null);
    // no version has such a flag
    isFault = /^[/\][*.$^()+?,:-]/.test(script.charAt(at));
    if (script.charAt(at) !== "w") return commandEnd();
    at += 1;
    return path(writes);
  };

  const commandEnd = (): boolean => {
    skip(/^[ \t]*/);
    return at >= script.length || /^[\n;}#]/.test(script.charAt(at));
  };

  const command = (): boolean => {
    const name = script.charAt(at);
    at += 1;
    if (name === "") return false;
    if ("=dDgGhHnNpPxzF".includes(name)) return commandEnd();
    if ("lLqQ".includes(name)) {
      skip(/^[ \t]*\d*/);
      return commandEnd();
    }
    if ("aic".includes(name)) return text();
    switch (name) {
      case "{":
        depth += 1;
        return true;
      case "s":
        return substitution();
      case "e": {
        skip(/^[ \t]*/);
        // without a text of its own it runs the line
        const text = skip(/^[^\n]*/);
        runs.push(/^$|^[;}]|\\$/.test(text) ? null : text);
        return true;
      }
      case "y": {
        const mark = delimiter();
        return mark !== null && part(mark, "text") && part(mark, "text") && commandEnd();
      }
      case ":":
        return skip(/^[ \t]*\w+/) !== "" && commandEnd();
      case "b":
      case "t":
      case "T":
        skip(/^[ \t]*\w*/);
        return commandEnd();
      case "r":
      case "R":
        return path(reads);
      case "w":
      case "W":
        return path(writes);
      default:
        return false;
    }
  };

  /** The text of `a`, `i` or `c`, up to a line that does not end with a backslash. */
  const text = (): boolean => {
    skip(/^[ \t]*/);
    const first = skip(/^[^\n]*/);
    if (first === "" || /^\\[ \t]+$/.test(first)) return false;
    if (!first.endsWith("\\")) return true;
    if (first !== "\\") return false;
    for (;;) {
      if (at >= script.length) return false;
      at += 1;
      const line = skip(/^[^\n]*/);
      if (!line.endsWith("\\")) return true;
      if (line.endsWith("\\\\")) return false;
    }
  };

  for (;;) {
    skip(/^[ \t\n;]*/);
    if (at >= script.length) return depth === 0 ? { reads, writes, runs, isFault } : null;
    const char = script.charAt(at);
    if (char === "#") {
      skip(/^[^\n]*/);
      continue;
    }
    if (char === "}") {
      at += 1;
      depth -= 1;
      if (depth < 0 || !commandEnd()) return null;
      continue;
    }
    if (!addresses()) return null;
    skip(/^[ \t!]*/);
    if (!command()) return isFault ? { reads, writes, runs, isFault } : null;
  }
}
