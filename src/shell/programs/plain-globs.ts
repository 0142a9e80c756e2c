import type { Word } from "../word.ts";

/**
 * Wildcards as `only` of a word takes them, from those that a program is told; `null` when one is not known or holds more than `*`, `?` and plain
 * characters, in which programs differ. What `?` is to a program depends on the locale, and so it stands for any text.
 */
export function plainGlobs(words: readonly (Word | null)[]): readonly string[] | null {
  const globs = words.map((word) => (word?.known && /^[\w.*?~@%=:,+-]+$/.test(word.value) ? word.value.replaceAll("?", "*") : null));
  return globs.length > 0 && globs.every((glob) => glob !== null) ? globs : null;
}
