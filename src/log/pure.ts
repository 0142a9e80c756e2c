/** What of the log needs no Node: event types, their checks and the fold. The package's pure door and a page in a browser import this. */
export { checkEvent, EPHEMERAL_TYPES, type EventProblem, isEphemeralEvent, isLoggedEvent, LOGGED_TYPES } from "./event-check.ts";
export type {
  AnyEvent,
  BlobRef,
  Envelope,
  EphemeralData,
  EphemeralEvent,
  LoggedContent,
  LoggedData,
  LoggedEffect,
  LoggedError,
  LoggedEvent,
} from "./events.ts";
export { createFold, type Fold, type FoldOptions, foldSession } from "./fold.ts";
export type {
  CallStatus,
  CallView,
  ChangedArgs,
  ResultView,
  SessionView,
  StepView,
  TurnStatus,
  TurnView,
} from "./session-view.ts";
