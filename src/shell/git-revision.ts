/** What the words that git takes for revisions name (gitrevisions(7)). */

/** The path in `HEAD:a`, `:a` or `:0:a`, as it is written behind the colon; `null`: it is no such word. */
export function pathInRevision(text: string): string | null {
  const stage = /^:(?:[0-3]:)?([\s\S]*)$/.exec(text);
  // the text of a commit, or a pathspec with magic
  if (stage) return /^:[(!^/]/.test(text) ? null : (stage[1] ?? null);
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "{") depth += 1;
    else if (char === "}" && depth > 0) depth -= 1;
    else if (char === ":" && depth === 0) return text.slice(at + 1);
  }
  return null;
}

/**
 * True when a word that is a revision names commits, or nothing: names of references, which hold a commit or a tag of one unless somebody
 * made them otherwise, and what git itself follows to a commit. A hash may be that of any object.
 */
export function isOfCommits(text: string): boolean {
  if (/^:\/./.test(text)) return true;
  const ends = text.replace(/^\^/, "").split(/\.{2,3}/);
  return ends.every((end) => end === "" || isCommit(end));
}

function isCommit(name: string): boolean {
  if (/(?:[~^]\d*|\^[!@-]\d*|\^\{(?:commit|\/[^{}]*)\}|@\{[^{}]*\})$/.test(name)) return true;
  // `v1-2-gHASH`, as `git describe` says it, is that hash
  return /^[\w./@+-]+$/.test(name) && /[^0-9a-f]/i.test(name) && !/-g[0-9a-f]{4,}$/i.test(name);
}
