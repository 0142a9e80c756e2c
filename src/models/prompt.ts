import type {
  JSONObject,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { sha256 } from "../base/hash.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { ProviderName } from "../base/providers.ts";
import { toolSpecs } from "../base/tool-specs.ts";
import type { AssistantPart, ModelContent, ModelMessage, ModelRequest, ModelTool } from "./port.ts";

/** Turns requests into what the provider packages take. One for each model, so that a growing conversation is translated once. */
export interface PromptWriter {
  prompt(request: ModelRequest): LanguageModelV3Prompt;
  tools(tools: readonly ModelTool[]): LanguageModelV3FunctionTool[] | undefined;
}

type ToolMessage = Extract<ModelMessage, { readonly role: "tool" }>;

/** Marks the end of what may be cached. Anthropic allows four marks a request; two are used. */
const CACHE: SharedV3ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** @param model `provider/name`: reasoning of another model is not sent back. */
export function promptWriter(provider: ProviderName, model: string): PromptWriter {
  const written = new WeakMap<ModelMessage, LanguageModelV3Message[]>();
  const toolLists = new WeakMap<readonly ModelTool[], LanguageModelV3FunctionTool[]>();

  const write = (message: ModelMessage): LanguageModelV3Message[] => {
    const old = written.get(message);
    if (old !== undefined) return old;
    const made = messagesOf(message, provider, model);
    written.set(message, made);
    return made;
  };

  return {
    prompt({ system, messages }) {
      const prompt = messages.flatMap(write);
      const last = prompt.at(-1);
      // the system prompt changes never, and each request repeats all that the one before it held
      if (provider === "anthropic" && last !== undefined) prompt[prompt.length - 1] = { ...last, providerOptions: CACHE };
      if (system.trim() === "") return prompt;
      return [{ role: "system", content: wellFormed(system), ...(provider === "anthropic" ? { providerOptions: CACHE } : {}) }, ...prompt];
    },
    tools(tools) {
      if (tools.length === 0) return undefined;
      let list = toolLists.get(tools);
      if (list === undefined) {
        list = functionTools(tools, provider);
        toolLists.set(tools, list);
      }
      return list;
    },
  };
}

const DIALECTS = { anthropic: "anthropic", openai: "openai-responses", "openai-compatible": "openai" } as const;

/** The specs that the library exports, in the words of the packages, which write them as they were. */
function functionTools(tools: readonly ModelTool[], provider: ProviderName): LanguageModelV3FunctionTool[] {
  const described = tools.map(({ name, description, parameters }) => ({ name, description, jsonSchema: parameters }));
  return toolSpecs(described, DIALECTS[provider]).map((spec) => {
    const words = asObject(spec.function) ?? spec;
    const schema = asObject(words.parameters ?? words.input_schema) ?? {};
    return {
      type: "function",
      name: String(words.name),
      description: String(words.description),
      inputSchema: schema as JSONObject, // the same JSON; theirs is not readonly
      ...(typeof words.strict === "boolean" ? { strict: words.strict } : {}),
    };
  });
}

function asObject(value: JsonValue | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

function messagesOf(message: ModelMessage, provider: ProviderName, model: string): LanguageModelV3Message[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: userParts(message.content) }];
    case "assistant": {
      const content = message.parts.flatMap((part) => assistantPart(part, provider, model));
      // of an answer that was cut there may be no more than its reasoning, and reasoning that leads to nothing is refused
      while (content.at(-1)?.type === "reasoning") content.pop();
      return content.length === 0 ? [] : [{ role: "assistant", content }];
    }
    case "tool":
      return provider === "openai-compatible"
        ? chatResults(message)
        : [{ role: "tool", content: message.results.map(toolResult(provider)) }];
  }
}

type UserParts = Extract<LanguageModelV3Message, { readonly role: "user" }>["content"];
type AssistantParts = Extract<LanguageModelV3Message, { readonly role: "assistant" }>["content"];

function userParts(content: readonly ModelContent[]): UserParts {
  const parts = content.flatMap((item): UserParts => {
    if (item.type === "image") return [{ type: "file", mediaType: item.mime_type, data: base64(item.data) }];
    return isBlank(item.text) ? [] : [{ type: "text", text: wellFormed(item.text) }]; // providers refuse blank text
  });
  return parts.length === 0 ? [{ type: "text", text: "(empty)" }] : parts;
}

function assistantPart(part: AssistantPart, provider: ProviderName, model: string): AssistantParts {
  switch (part.type) {
    case "text":
      return isBlank(part.text) ? [] : [{ type: "text", text: wellFormed(part.text) }];
    case "reasoning": {
      const item = part.model === model ? readReasoning(part.item) : null;
      return item === null ? [] : [{ type: "reasoning", text: item.text, providerOptions: item.metadata }];
    }
    case "tool_call":
      return [{ type: "tool-call", toolCallId: callId(part.provider_call_id, provider), toolName: toolName(part.name), input: part.args }];
  }
}

function toolResult(provider: ProviderName) {
  return ({ provider_call_id, name, content, is_error }: ToolMessage["results"][number]): LanguageModelV3ToolResultPart => {
    const hasImage = content.some((item) => item.type === "image");
    return {
      type: "tool-result",
      toolCallId: callId(provider_call_id, provider),
      toolName: toolName(name),
      output: hasImage
        ? { type: "content", value: content.flatMap(resultPart) }
        : { type: is_error ? "error-text" : "text", value: textOf(content) },
    };
  };
}

type ResultPart = Extract<LanguageModelV3ToolResultPart["output"], { readonly type: "content" }>["value"][number];

function resultPart(item: ModelContent): ResultPart[] {
  if (item.type === "image") return [{ type: "image-data", mediaType: item.mime_type, data: base64(item.data) }];
  return isBlank(item.text) ? [] : [{ type: "text", text: wellFormed(item.text) }];
}

/** Chat Completions has text in tool results only: their images follow in a message of the user's. */
function chatResults({ results }: ToolMessage): LanguageModelV3Message[] {
  const images: UserParts = [];
  const content = results.map((result) => {
    const parts = userParts(result.content).filter((part) => part.type === "file");
    if (parts.length === 0) return toolResult("openai-compatible")(result);
    images.push({ type: "text", text: `Images in the result of ${toolName(result.name)} (${result.provider_call_id}):` }, ...parts);
    const note = `[${parts.length === 1 ? "1 image" : `${parts.length} images`} of this result: in the next message]`;
    const text: ModelContent = { type: "text", text: [textOf(result.content), note].filter((line) => line !== "").join("\n") };
    return toolResult("openai-compatible")({ ...result, content: [text] });
  });
  return images.length === 0
    ? [{ role: "tool", content }]
    : [
        { role: "tool", content },
        { role: "user", content: images },
      ];
}

/** What `reasoning.item` holds: the text, and the provider's own (signature, encrypted content), sent back as it came. */
export interface ReasoningItem {
  readonly text: string;
  readonly metadata?: SharedV3ProviderOptions;
}

/** Items come from a log, hence from disk: what is none is left out. */
function readReasoning(item: JsonValue): ReasoningItem | null {
  if (typeof item !== "object" || item === null || !("text" in item) || typeof item.text !== "string") return null;
  const metadata = item.metadata;
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return { text: item.text };
  return { text: item.text, metadata: metadata as SharedV3ProviderOptions }; // written by us from just that type
}

/**
 * The id as the provider takes it. Ids come from the model that made the call, which may be another's: Anthropic and Responses refuse
 * other characters and, the latter, more than 64 of them. Servers of Chat Completions get back what they gave.
 */
function callId(id: string, provider: ProviderName): string {
  return provider === "openai-compatible" || /^[a-zA-Z0-9_-]{1,64}$/.test(id) ? id : `call_${sha256(id).slice(0, 32)}`;
}

/** A model may call a tool by an impossible name; sent back as it is, it would make every later request a bad one. */
function toolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}

function textOf(content: readonly ModelContent[]): string {
  return content.flatMap((item) => (item.type === "text" && item.text !== "" ? [wellFormed(item.text)] : [])).join("\n");
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Half a surrogate pair, from text that was cut, makes a request that some servers refuse. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
}
