/** Language models: the port, the models of providers, and one that answers from a list. Importing this loads no provider package. */

export { type CreateModelOptions, createModel } from "./create-model.ts";
export { DEFAULT_MODELS, KEY_ENV } from "./defaults.ts";
export type {
  AssistantPart,
  Model,
  ModelContent,
  ModelMessage,
  ModelPart,
  ModelRequest,
  ModelTool,
  ScriptedStep,
} from "./port.ts";
export { requestHash } from "./request-hash.ts";
export { scripted } from "./scripted.ts";
