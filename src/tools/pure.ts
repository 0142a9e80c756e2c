/** What defines tools, without any that touches files: free of Node built-ins, and of ajv and zod until a schema needs them. */
export { parseArgsText } from "../base/repair.ts";
export { type SpecDialect, toolSpecs } from "../base/tool-specs.ts";
export {
  type CallContext,
  type Content,
  type EffectKind,
  type PlainTool,
  type Plan,
  type PlanContext,
  type PlannedTool,
  type Returned,
  type Tool,
  type ToolInternals,
  toolInternals,
  type Validation,
} from "./contract.ts";
export { defineTool } from "./define-tool.ts";
export { RESERVED_DETAILS, result, type Taken, type ToolResult, takeResult } from "./result.ts";
export { createToolSet, type ToolSet } from "./tool-set.ts";
