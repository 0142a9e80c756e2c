export type { Call, ExecutorParts } from "./call.ts";
export type { CallResult } from "./envelope.ts";
export { createExecutor, type Executor } from "./executor.ts";
export { processPathLocks } from "./locks.ts";
export type { Outcome } from "./outcome.ts";
export { placeEffects } from "./place-effects.ts";
export { createRecorder, type EventListener, type EventStore, type Recorder } from "./recorder.ts";
export { createRunCommand } from "./run-command.ts";
export { callView, readView } from "./sandbox-view.ts";
