import type { JsonObject } from "../base/json.ts";

/** What the scripted model server answers to the request of one turn. The turn is the number of answers in the request's history. */
export interface ModelServerStep {
  readonly text?: string;
  /** Sent as thinking or reasoning, sealed with a signature that the next request of the turn has to bring back. */
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly args: JsonObject }[];
  readonly fault?: ModelServerFault;
}

/** How an answer goes wrong. `times`: for so many requests of this turn, 1 unless given; then the step is answered well. */
export type ModelServerFault = { readonly times?: number } & (
  | {
      /** Another status in place of an answer. `error`: the provider's word for it; `body`: all of the body, as it is. */
      readonly kind: "status";
      readonly status: number;
      readonly message?: string;
      readonly error?: string;
      readonly headers?: { readonly [name: string]: string };
      readonly body?: string;
    }
  /** In the stream, after so many pieces of content (default 1): the socket is reset, the body ends, nothing more comes, ... */
  | { readonly kind: "reset" | "eof" | "stall"; readonly after?: number }
  /** ... a frame is no JSON, or an error frame (`overloaded`) comes and ends the stream. */
  | { readonly kind: "badsse" | "error_frame"; readonly after?: number }
  /** The arguments of every call stop half way, and the answer goes on as if they were whole. */
  | { readonly kind: "badargs" }
  /** The answer stops half way, at the token limit. */
  | { readonly kind: "truncated" }
  /** The model refuses; the step's text is what it says. */
  | { readonly kind: "refusal" }
  /** All is said, and the connection stays open, silent or with a comment now and then. */
  | { readonly kind: "hold" | "ping" }
  /** No usage is told. */
  | { readonly kind: "no_usage" }
);

/** One answer, ready to be written in a protocol. */
export interface ServerAnswer {
  readonly step: number;
  readonly model: string;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ServerCall[];
  readonly end: "stop" | "tool_calls" | "length" | "refusal";
  readonly tellsUsage: boolean;
  /** Tokens of the request, for the usage. */
  readonly inputTokens: number;
  /** Characters in one piece of text or arguments. */
  readonly chunk: number;
}

export interface ServerCall {
  readonly id: string;
  readonly name: string;
  readonly argsText: string;
}

/** Text of one frame on the wire; `isContent` when it carries a piece of what the model says. */
export interface ServerFrame {
  readonly text: string;
  readonly isContent: boolean;
}

/** One wire protocol: reads and judges requests as a real server would, and writes answers. */
export interface ServerProtocol {
  readonly name: "messages" | "chat" | "responses";
  /** Path below the base URL, such as `/messages`. */
  readonly path: string;
  /** Number of answers in the history. Throws `BadRequest` where a real server would refuse. */
  turnOf(request: ServerRequest): number;
  frames(answer: ServerAnswer): Iterable<ServerFrame>;
  /** An error's body. `word`: the class of the error in the provider's words; else the one that goes with the status. */
  error(status: number, message: string, word?: string): JsonObject;
  /** The error frame of an overloaded provider. */
  overloaded(): string;
  /** What the protocol says about a model that it does not have. */
  noModel(model: string): { readonly message: string; readonly word: string };
}

export interface ServerRequest {
  readonly body: { readonly [key: string]: unknown };
  readonly headers: { readonly [name: string]: string };
}

/** A request that a real server would answer with 400. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
}

export function demand(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new BadRequest(problem);
}

export function anObject(value: unknown, what: string): { readonly [key: string]: unknown } {
  demand(typeof value === "object" && value !== null && !Array.isArray(value), `${what}: an object is wanted`);
  return value as { readonly [key: string]: unknown }; // just demanded
}

export function aList(value: unknown, what: string): readonly unknown[] {
  demand(Array.isArray(value), `${what}: a list is wanted`);
  return value;
}

export function aText(value: unknown, what: string): string {
  demand(typeof value === "string", `${what}: a string is wanted`);
  return value;
}

/** Text that is not blank: no server takes an empty block. */
export function someText(value: unknown, what: string): string {
  const text = aText(value, what);
  demand(text.trim() !== "", `${what}: text must be non-empty`);
  return text;
}

export function onlyKeys(value: { readonly [key: string]: unknown }, allowed: readonly string[], what: string): void {
  const extra = Object.keys(value).find((key) => !allowed.includes(key));
  demand(extra === undefined, `${what}.${extra}: Extra inputs are not permitted`);
}

/** The seal of a step's reasoning: what comes back must be what was given. */
export function sealOf(step: number, reasoning: string): string {
  return Buffer.from(`seal:${step}:${reasoning}`).toString("base64");
}

/** Whether `seal` is the one that this reasoning was given, in whatever step. */
export function isSeal(seal: unknown, reasoning: string): boolean {
  const step = typeof seal === "string" ? /^seal:(\d+):/.exec(Buffer.from(seal, "base64").toString())?.[1] : undefined;
  return step !== undefined && seal === sealOf(Number(step), reasoning);
}

/** `text` in pieces of so many characters; none for no text. */
export function pieces(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
}

/** One frame of an event stream. */
export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

export function checkToolName(name: unknown, what: string): void {
  demand(/^[a-zA-Z0-9_-]{1,64}$/.test(aText(name, what)), `${what}: does not match pattern '^[a-zA-Z0-9_-]{1,64}$'`);
}

export function checkSchema(schema: unknown, what: string): void {
  demand(anObject(schema, what).type === "object", `${what}.type: Input should be 'object'`);
}
