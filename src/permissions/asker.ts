import type { Decision } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import type { JsonObject } from "../base/json.ts";

/** What a person or host is asked: all of the plan, nothing cut. */
export interface Question {
  readonly session_id: string;
  readonly call_id: string;
  readonly agent: { readonly id: string; readonly name: string; readonly depth: number };
  readonly tool: string;
  readonly args: JsonObject;
  readonly effects: readonly Effect[];
  readonly plan_sha256: string;
  /** The `ask`, with its rule, source and effect. */
  readonly decision: Decision;
  /** Rules that would have let this call through, narrowest first: what `remember` may hold. */
  readonly offers: readonly string[];
  /** How many of `offers`, from the first, are the narrowest set: all of them together suffice. The rest are wider ones for the same effects. */
  readonly narrowest: number;
  /** Of a wider offer those of the narrowest set that it makes needless; what is kept then need not hold these. */
  readonly covers: Readonly<Record<string, readonly string[]>>;
  /** Why there are no offers, as a sentence without its end; `null` where there are some. */
  readonly no_offer: string | null;
  /** Where what `remember` holds can be kept. */
  readonly scopes: readonly RememberScope[];
  /** Asked once already; the files changed meanwhile. */
  readonly again: boolean;
  /** The arguments are those that an answer to this call gave, and no longer the model's. */
  readonly changed: boolean;
}

/** How long a yes for good holds: as long as the session, or in this workspace until it is taken back. */
export type RememberScope = "session" | "workspace";

/**
 * What the one who was asked says. New answers may be added; an asker that gives one which the runtime does not know has denied.
 *
 * `remember`: allow rules that hold from now on. Together with those in force they must let this very call through, and they lift neither
 * the guard nor `read_only`; else nothing is kept and the call is denied (`unusable_rules`).
 * `change`: the call is planned and decided anew with these arguments, and asked again where that says ask; ten times at most.
 */
export type Answer =
  | { readonly answer: "allow"; readonly remember?: { readonly rules: readonly string[]; readonly scope: RememberScope } }
  | { readonly answer: "deny"; readonly reason?: string }
  | { readonly answer: "change"; readonly args: JsonObject };
/** Must settle soon after `signal` aborts. A throw is a denial. */
export type Asker = (question: Question, options: { readonly signal: AbortSignal }) => Promise<Answer>;

interface Rules {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}
/** `asker: null`: there is nobody to ask. */
export type Permissions =
  | (Rules & { readonly mode: "auto" | "read_only"; readonly asker?: Asker | null })
  | (Rules & { readonly mode: "ask"; readonly asker: Asker | null });
