export {
  approvalsPath,
  type ReadApproval,
  readApprovals,
  type StoredApproval,
  type WorkspacePlace,
  writeApprovals,
} from "./approvals-file.ts";
export type { BlobStore } from "./blob-store.ts";
export { findSession, listSessions } from "./list-sessions.ts";
export {
  type AnyEvent,
  type BlobRef,
  type CallStatus,
  type CallView,
  type ChangedArgs,
  checkEvent,
  createFold,
  type Envelope,
  EPHEMERAL_TYPES,
  type EphemeralData,
  type EphemeralEvent,
  type EventProblem,
  type Fold,
  type FoldOptions,
  foldSession,
  isEphemeralEvent,
  isLoggedEvent,
  LOGGED_TYPES,
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
} from "./pure.ts";
export { blobTexts, readBlob } from "./read-blob.ts";
export { type LogEnd, type ReadLogOptions, readSessionLog, type TornTail } from "./read-log.ts";
export { createSessionLog, LOG_NAME, type SessionLog, type SessionLogOptions } from "./session-log.ts";
export type { SessionSummary } from "./session-summary.ts";
export { createSpillFile, type SpillFile, type SpillReport } from "./spill-file.ts";
export { configDirOf, isSessionId, stateDirOf, workspaceKey } from "./state-dir.ts";
export { type TransientLog, transientLog } from "./transient-log.ts";
export { readTrust, type TrustedContent, writeTrust } from "./trust-file.ts";
