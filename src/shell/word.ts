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
   * or what a wildcard matches. As relative as the words are. In it "" is the folder in which it is used, and its names stand for themselves:
   * the words may begin with anything, unless `prefix` says with what.
   */
  readonly below?: readonly string[];
  /** With `below`: wildcards of `*` and `?`, one of which the last name of each path matches; absent: any name. */
  readonly only?: readonly string[];
  /** With `only`: the folders in a path may be links, whatever their names. */
  readonly through?: true;
  /** With `below`: none of the paths is a link. */
  readonly regular?: true;
  /** True: it is a decimal number, perhaps with a sign. */
  readonly number?: true;
  /** True: none of the words is empty. */
  readonly nonEmpty?: true;
}

export function knownWord(value: string): KnownWord {
  return { known: true, value };
}

/** A word of which nothing but `more` is known; without it one word, or several. */
export function unknownWord(raw: string, more: Partial<Omit<UnknownWord, "known" | "raw">> = {}): UnknownWord {
  return { known: false, raw, single: false, prefix: "", ...more };
}

/** True when no value that the word can take begins with `-` or `+`: it cannot be an option. */
export function isSurelyNoOption(word: Word): boolean {
  if (word.known) return !/^[-+]/.test(word.value);
  if (word.below?.every((path) => path !== "")) return word.below.every((path) => !/^[-+]/.test(path));
  return (word.single || word.below !== undefined) && word.prefix !== "" && !/^[-+]/.test(word.prefix);
}

/** What is known of each word of a list of paths that is taken apart into them. */
export function wordsOfPaths({ below, only, regular }: Pick<UnknownWord, "only" | "regular"> & { readonly below: readonly string[] }) {
  return { below, nonEmpty: true, ...(only ? { only } : {}), ...(regular ? { regular } : {}) } as const;
}
