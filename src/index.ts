/**
 * The pure door: what defines tools and reads sessions, without files, processes or network. It runs in a browser.
 */
export { bound } from "./base/bound.ts";
export type { Decision, DecisionSource, Mode, Recovery } from "./base/decision.ts";
export type { DiskLook, TreeSurvey } from "./base/disk-look.ts";
export type {
  AgentEffect,
  Certainty,
  CommandEffect,
  Effect,
  FileEffect,
  FileVersion,
  NetworkEffect,
  UnknownEffect,
} from "./base/effect.ts";
export { type ErrorBody, type Failure, fail, isFailure } from "./base/fail.ts";
export type { GitTracked } from "./base/git-tracked.ts";
export type { JsonObject, JsonValue } from "./base/json.ts";
export { isKind, KINDS, type Kind, type KindSpec } from "./base/kinds.ts";
export type { ArgsOf, FromJsonSchema, JsonSchema, Parameters, StandardParameters } from "./base/schema.ts";
export { type SecretRef, secret } from "./base/secret.ts";
export type { CallResult } from "./executor/index.ts";
export {
  type AnyEvent,
  type BlobRef,
  type CallStatus,
  type CallView,
  type ChangedArgs,
  createFold,
  type Envelope,
  type EphemeralData,
  type EphemeralEvent,
  type Fold,
  type FoldOptions,
  foldSession,
  isLoggedEvent,
  type LoggedContent,
  type LoggedData,
  type LoggedEffect,
  type LoggedError,
  type LoggedEvent,
  type ResultView,
  type SessionView,
  type StepView,
  type TurnStatus,
  type TurnView,
} from "./log/pure.ts";
export type { AssistantPart, Model, ModelContent, ModelMessage, ModelPart, ModelRequest, ModelTool, ScriptedStep } from "./models/index.ts";
export type { Answer, Asker, Permissions, Question, RememberScope } from "./permissions/index.ts";
export type {
  CommandRun,
  ConfinedBy,
  DirectoryEntry,
  ExecEnd,
  FileContent,
  FileStat,
  FileStream,
  GitSettings,
  Location,
  ProgramSurvey,
  ReadSandbox,
  Sandbox,
  Survey,
} from "./sandbox/port.ts";
export type { Run, Runtime, Session, TurnResult } from "./session/index.ts";
export {
  type CallContext,
  type Content,
  defineTool,
  type EffectKind,
  type PlainTool,
  type Plan,
  type PlanContext,
  type PlannedTool,
  type Returned,
  result,
  type SpecDialect,
  type Tool,
  type ToolResult,
  toolSpecs,
} from "./tools/pure.ts";
