/** The public test kit. */
export {
  createModelServer,
  type HandClock,
  handClock,
  type ModelServer,
  type ModelServerFault,
  type ModelServerOptions,
  type ModelServerStep,
  memorySandbox,
  sandboxContract,
  scripted,
  toolContract,
} from "./testing/index.ts";
