/** A word of a simple command, as far as it is known before the script runs. */
export type Word = KnownWord | UnknownWord;

/** Exactly this one word. */
export interface KnownWord {
  readonly known: true;
  readonly value: string;
}

/** A word that holds an expansion whose value is not known, and so perhaps no word at all, or several. */
export interface UnknownWord {
  readonly known: false;
  /** As written, for people. */
  readonly raw: string;
  /** True: it stays one word, whatever its value is, as in `"$x"`. */
  readonly single: boolean;
  /** What it (of several words: the first) surely begins with; "" when that is not known either. */
  readonly prefix: string;
  /**
   * Every word that it becomes is a path which is one of these or begins with one of these and `/`, with no `..` behind: what `find` prints,
   * or what a wildcard matches. As relative as the words are.
   */
  readonly below?: readonly string[];
}

export function knownWord(value: string): KnownWord {
  return { known: true, value };
}

/** True when no value that the word can take begins with `-` or `+`: it cannot be an option. */
export function isSurelyNoOption(word: Word): boolean {
  if (word.known) return !/^[-+]/.test(word.value);
  if (word.below) return word.below.every((path) => path !== "" && !/^[-+]/.test(path));
  return word.single && word.prefix !== "" && !/^[-+]/.test(word.prefix);
}
