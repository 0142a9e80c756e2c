/** git's format of configuration files, as config.c of git reads it. */

/** One setting. Section and name in lower case; the subsection as it stands, or `null`. */
export interface GitSetting {
  readonly section: string;
  readonly subsection: string | null;
  readonly name: string;
  /** `null` for a name without `=`, which means true. */
  readonly value: string | null;
}

/** The settings of a file in order; `null` when git would refuse it. Linear in its length; never throws. */
export function gitSettings(text: string): readonly GitSetting[] | null {
  const reader = new Reader(text);
  const settings: GitSetting[] = [];
  let section: { name: string; sub: string | null } | null = null;
  for (;;) {
    const char = reader.next();
    if (char === "") return settings;
    if (isSpace(char)) continue;
    if (char === "#" || char === ";") {
      reader.skipLine();
      continue;
    }
    if (char === "[") {
      section = sectionHeader(reader);
      if (section === null) return null;
      continue;
    }
    // git takes a name before any section for an error
    if (!/[a-z]/i.test(char) || section === null) return null;
    const setting = assignment(char, reader);
    if (setting === null) return null;
    settings.push({ section: section.name, subsection: section.sub, ...setting });
  }
}

/** The text by characters; a carriage return before a line feed is left out, as git does, and so is a mark of byte order at the start. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.startsWith("\uFEFF") ? text.slice(1) : text;
  }

  /** "" at the end. */
  next(): string {
    if (this.#text[this.#at] === "\r" && this.#text[this.#at + 1] === "\n") this.#at += 1;
    const char = this.#text.charAt(this.#at);
    this.#at += 1;
    return char;
  }

  skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }
}

function sectionHeader(reader: Reader): { name: string; sub: string | null } | null {
  let name = "";
  for (;;) {
    let char = reader.next();
    if (char === "]") return split(name);
    if (isSpace(char) && char !== "") {
      while (isSpace(char) && char !== "\n") char = reader.next();
      if (char !== '"') return null;
      const sub = subsection(reader);
      return sub === null || reader.next() !== "]" ? null : split(`${name}.${sub}`);
    }
    if (!/[a-z0-9.-]/i.test(char)) return null;
    name += char.toLowerCase();
  }
}

/** `[section "sub"]`, or the old form `[section.sub]`, of which case is not kept. */
function split(name: string): { name: string; sub: string | null } {
  const dot = name.indexOf(".");
  return dot === -1 ? { name, sub: null } : { name: name.slice(0, dot), sub: name.slice(dot + 1) };
}

function subsection(reader: Reader): string | null {
  let sub = "";
  for (;;) {
    let char = reader.next();
    if (char === '"') return sub;
    if (char === "\\") char = reader.next();
    if (char === "" || char === "\n") return null;
    sub += char;
  }
}

function assignment(first: string, reader: Reader): { name: string; value: string | null } | null {
  let name = first.toLowerCase();
  let char = reader.next();
  for (; /[a-z0-9-]/i.test(char); char = reader.next()) name += char.toLowerCase();
  while (char === " " || char === "\t") char = reader.next();
  if (char === "\n" || char === "") return { name, value: null };
  if (char !== "=") return null;
  const value = valueText(reader);
  return value === null ? null : { name, value };
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", b: "\b", n: "\n", "\\": "\\", '"': '"' };

function valueText(reader: Reader): string | null {
  let value = "";
  let blanks = "";
  let isQuoted = false;
  for (;;) {
    const char = reader.next();
    if (char === "\n" || char === "") return isQuoted ? null : value;
    if (isSpace(char) && !isQuoted) {
      if (value !== "") blanks += char;
      continue;
    }
    if (!isQuoted && (char === "#" || char === ";")) {
      reader.skipLine();
      continue;
    }
    value += blanks;
    blanks = "";
    if (char === '"') {
      isQuoted = !isQuoted;
    } else if (char === "\\") {
      const escaped = reader.next();
      // a line that goes on
      if (escaped === "\n") continue;
      const meant = ESCAPES[escaped];
      if (meant === undefined) return null;
      value += meant;
    } else value += char;
  }
}

/** The white space of git, which knows no other. */
function isSpace(char: string): boolean {
  return char === " " || char === "\t" || char === "\n" || char === "\r";
}
