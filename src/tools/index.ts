/** The door of the tools' room: the contract, and the built-in tools. */
export { bash } from "./bash.ts";
export { codingTools } from "./coding-tools.ts";
export { command } from "./command.ts";
export type { CommandOptions } from "./command-options.ts";
export { folderToRunIn } from "./command-result.ts";
export { edit } from "./edit.ts";
export {
  type CallContext,
  type Content,
  createToolSet,
  defineTool,
  type PlainTool,
  type Plan,
  type PlanContext,
  type PlannedTool,
  parseArgsText,
  RESERVED_DETAILS,
  type Returned,
  result,
  type SpecDialect,
  type Taken,
  type Tool,
  type ToolInternals,
  type ToolResult,
  type ToolSet,
  takeResult,
  toolInternals,
  toolSpecs,
  type Validation,
} from "./pure.ts";
export { read } from "./read.ts";
export { readOnlyTools } from "./read-only-tools.ts";
export { effectsOfStart } from "./shell-script.ts";
export { write } from "./write.ts";
