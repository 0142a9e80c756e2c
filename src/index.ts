/**
 * The pure door: what defines tools and reads sessions, without files, processes or network. It runs in a browser.
 */
export { bound } from "./base/bound.ts";
export type { Decision, DecisionSource, Mode, Recovery } from "./base/decision.ts";
export type { Certainty, CommandEffect, Effect, FileEffect, FileVersion, NetworkEffect } from "./base/effect.ts";
export { type ErrorBody, type Failure, fail, isFailure } from "./base/fail.ts";
export type { JsonObject, JsonValue } from "./base/json.ts";
export { isKind, KINDS, type Kind, type KindSpec } from "./base/kinds.ts";
export type { ArgsOf, JsonSchema, Parameters, StandardParameters } from "./base/schema.ts";
export { type SecretRef, secret } from "./base/secret.ts";
export type { CallResult } from "./executor/index.ts";
export {
  type AnyEvent,
  type BlobRef,
  createFold,
  type Envelope,
  type EphemeralEvent,
  foldSession,
  isLoggedEvent,
  type LoggedEvent,
  type SessionView,
} from "./log/pure.ts";
export type { Model, ModelMessage, ModelPart, ModelRequest, ScriptedStep } from "./models/index.ts";
export type { Answer, Asker, Permissions, Question } from "./permissions/index.ts";
export type { CommandRun, ReadSandbox, Sandbox } from "./sandbox/port.ts";
export type { Run, Runtime, Session, TurnResult } from "./session/index.ts";
export {
  type CallContext,
  type Content,
  defineTool,
  type PlainTool,
  type Plan,
  type PlanContext,
  type PlannedTool,
  result,
  type Tool,
  toolSpecs,
} from "./tools/pure.ts";
