export type { Run, Runtime, Session, TurnResult } from "./contract.ts";
export { createSession, type OwnSession, type SessionParts } from "./session.ts";
export { systemPrompt } from "./system-prompt.ts";
