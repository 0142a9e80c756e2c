/** The public test kit: what Collet's own tests use, for those who write tools, sandboxes and hosts. */

export { scripted } from "../models/index.ts";
export { type MemorySandbox, type MemorySandboxOptions, memorySandbox } from "../sandbox/index.ts";
export type { ContractCase } from "./contract-case.ts";
export { type HandClock, handClock } from "./hand-clock.ts";
export {
  createModelServer,
  type ModelServer,
  type ModelServerFault,
  type ModelServerOptions,
  type ModelServerRequest,
  type ModelServerStep,
} from "./model-server.ts";
export { sandboxContract } from "./sandbox-contract.ts";
export type { SandboxFixture } from "./sandbox-fixture.ts";
export { type ToolFixture, toolContract } from "./tool-contract.ts";
