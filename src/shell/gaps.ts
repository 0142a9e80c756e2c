/** What stands between the words of a script: blanks, comments, operators and reserved words, and nothing else. */

export interface Gap {
  readonly start: number;
  readonly end: number;
}

/** Between two pieces of one command. `redirects`: the second piece is a redirection, which needs no blank before it. */
export function isGapInCommand(source: string, { start, end, redirects }: Gap & { readonly redirects: boolean }): boolean {
  const text = source.slice(start, end);
  // a line continuation is a blank only after a blank
  if (!/^(?:[ \t](?:[ \t]|\\\n)*)?$/.test(text)) return false;
  // `2>f` and `{x}>f` are one piece to bash
  return text !== "" || (redirects && !/(?:^|[\s;&|<>()])(?:\d+|\{\w+\})$/.test(source.slice(Math.max(0, start - 80), start)));
}

const OPERATOR = /^(?:&&|\|\||\|&|;;&|;&|;;|[;&|()])/;
const RESERVED = /^(?:if|then|elif|else|fi|for|in|done|do|while|until|case|esac|select|function|time|coproc|-p|--|[{}!])/;

export interface OuterGap extends Gap {
  /** Where the script that it stands in begins and ends. */
  readonly from: number;
  readonly to: number;
  /** True before the first piece or after the last, where nothing need stand. */
  readonly isEdge: boolean;
  readonly dialect: "bash" | "sh";
}

/** Between two commands, or at an edge of the script: true when all of it is understood and, between two, something separates them. */
export function readGap(source: string, { start, end, from, to, isEdge, dialect }: OuterGap): boolean {
  let at = start;
  let separators = 0;
  let mayComment = at === from;
  while (at < end) {
    const rest = source.slice(at, Math.min(end, at + 16));
    const [blanks = ""] = /^[ \t]+/.exec(rest) ?? [];
    if (blanks !== "") {
      at += blanks.length;
      mayComment = true;
    } else if (rest.startsWith("\n")) {
      at += 1;
      separators += 1;
      mayComment = true;
    } else if (rest.startsWith("\\\n")) {
      // behind a word it would join it with the next
      if (at === start && at !== from) return false;
      at += 2;
      mayComment = false;
    } else if (rest.startsWith("#")) {
      if (!mayComment) return false;
      const newline = source.indexOf("\n", at);
      at = newline < 0 ? end : newline;
      if (at > end) return false;
    } else {
      const [operator = ""] = OPERATOR.exec(rest) ?? [];
      const [reserved = ""] = operator === "" ? (RESERVED.exec(rest) ?? []) : [];
      const length = operator.length + reserved.length;
      if (length === 0) return false;
      // a pattern to a bash that was told so
      if (reserved === "!" && source.charAt(at + 1) === "(") return false;
      if (reserved !== "" && !standsAlone(source, { start: at, end: at + length, from, to })) return false;
      if (dialect === "sh" && (reserved === "function" || reserved === "time" || reserved === "coproc" || reserved === "select"))
        return false;
      at += length;
      separators += 1;
      mayComment = true;
    }
  }
  return at === end && (isEdge || separators > 0);
}

function standsAlone(source: string, { start, end, from, to }: Pick<OuterGap, "start" | "end" | "from" | "to">): boolean {
  const before = start === from ? "" : source.charAt(start - 1);
  const after = end === to ? "" : source.charAt(end);
  return /^[\s;&|()]?$/.test(before) && /^[\s;&|()<>]?$/.test(after);
}

/** Between the words of a `[[ … ]]`. */
export function isGapInTest(text: string): boolean {
  return /^(?:\s|\\\n|\[\[|\]\]|&&|\|\||[!()<>]|=~|==|!=|=|-[a-zA-Z]{1,2})*$/.test(text);
}
