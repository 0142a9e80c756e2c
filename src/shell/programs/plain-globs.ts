import type { Word } from "../word.ts";

/** Those wildcards that hold nothing but `*` and plain characters, and so match the same names to every program. A last slash is taken away. */
export function starGlobs(words: readonly Word[]): readonly string[] {
  return words.flatMap((word) => {
    const glob = word.known ? word.value.replace(/\/$/, "") : "";
    return /^[\w.*~@%=:,+-]+$/.test(glob) ? [glob] : [];
  });
}

/**
 * Wildcards as `only` of a word takes them, from those that a program is told; `null` when one is not known or holds more than `*`, `?` and plain
 * characters, in which programs differ. What `?` is to a program depends on the locale, and so it stands for any text.
 */
export function plainGlobs(words: readonly (Word | null)[]): readonly string[] | null {
  const globs = words.map((word) => (word?.known && /^[\w.*?~@%=:,+-]+$/.test(word.value) ? word.value.replaceAll("?", "*") : null));
  return globs.length > 0 && globs.every((glob) => glob !== null) ? globs : null;
}
