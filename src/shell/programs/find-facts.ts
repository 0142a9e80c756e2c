/** What is certain of a path for which `find` comes to one of its actions, from the tests before it. */
import type { UnknownWord, Word } from "../word.ts";
import { plainGlobs } from "./plain-globs.ts";

/** As in `UnknownWord`. */
export type Facts = Pick<UnknownWord, "only" | "regular">;

/** A word of the expression: an operator, a test or an action, with its value. `action`: by this number its facts are asked for. */
export interface Term {
  readonly name: string;
  readonly value?: Word | undefined;
  readonly action?: number;
}

export interface FoundFacts {
  /** By the number of the action. */
  readonly actions: ReadonlyMap<number, Facts>;
  /** Of what the whole expression is true for, and so is printed when it holds no action. */
  readonly whole: Facts;
}

const NOTHING: FoundFacts = { actions: new Map(), whole: {} };
const MAX_DEPTH = 30;

/** Facts of all actions; nothing is certain when the expression is none, or nested deeper than anybody writes. */
export function findFacts(terms: readonly Term[]): FoundFacts {
  // GNU find puts what stands around a comma into another order
  if (terms.some(({ name }) => name === ",")) return NOTHING;
  const reader = new ExpressionReader(terms);
  const whole = terms.length === 0 ? {} : reader.choice({ known: {}, depth: 0 });
  if (whole === null || (terms.length > 0 && reader.at < terms.length)) return NOTHING;
  return { actions: reader.actions, whole };
}

interface Before {
  /** What is certain before it is looked at. */
  readonly known: Facts;
  readonly depth: number;
}

/** Each method reads one level of the grammar and answers what is certain when it is true; `null`: it is no expression. */
class ExpressionReader {
  readonly actions = new Map<number, Facts>();
  at = 0;
  private readonly terms: readonly Term[];

  constructor(terms: readonly Term[]) {
    this.terms = terms;
  }

  /** `A -o B`: B is looked at when A is false, of which nothing follows. */
  choice(before: Before): Facts | null {
    let facts = this.sequence(before);
    while (facts && this.takes("-o", "-or")) {
      const other = this.sequence(before);
      facts = other && eitherOf(facts, other);
    }
    return facts;
  }

  /** `A B`, `A -a B`: B is looked at when A is true. */
  private sequence({ known, depth }: Before): Facts | null {
    let facts = this.primary({ known, depth });
    while (facts && (this.takes("-a", "-and") || !this.isAt(undefined, ")", "-o", "-or"))) facts = this.primary({ known: facts, depth });
    return facts;
  }

  private primary({ known, depth }: Before): Facts | null {
    const term = this.terms[this.at];
    if (!term || depth > MAX_DEPTH) return null;
    this.at += 1;
    if (term.name === "(") {
      const facts = this.choice({ known, depth: depth + 1 });
      return facts && this.takes(")") ? facts : null;
    }
    if (term.name === "!" || term.name === "-not") return this.primary({ known, depth: depth + 1 }) && known;
    if (/^(?:\)|-o|-or|-a|-and)$/.test(term.name)) return null;
    if (term.action !== undefined) this.actions.set(term.action, known);
    return { ...known, ...factsOf(term) };
  }

  private takes(...names: readonly string[]): boolean {
    const isNext = this.isAt(...names);
    if (isNext) this.at += 1;
    return isNext;
  }

  private isAt(...names: readonly (string | undefined)[]): boolean {
    return names.includes(this.terms[this.at]?.name);
  }
}

function factsOf({ name, value }: Term): Facts {
  if (name === "-type") return value?.known && value.value === "f" ? { regular: true } : {};
  const globs = (name === "-name" || name === "-iname") && value ? plainGlobs([value]) : null;
  return globs ? { only: globs } : {};
}

/** What is certain when one of several holds, and nobody knows which. */
export function eitherOf(a: Facts, b: Facts): Facts {
  return {
    ...(a.only && b.only ? { only: [...new Set([...a.only, ...b.only])] } : {}),
    ...(a.regular && b.regular ? { regular: true } : {}),
  };
}
