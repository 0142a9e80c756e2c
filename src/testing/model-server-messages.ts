import {
  aList,
  anObject,
  aText,
  checkSchema,
  checkToolName,
  demand,
  isSeal,
  onlyKeys,
  pieces,
  type ServerAnswer,
  type ServerFrame,
  type ServerProtocol,
  sealOf,
  someText,
  sse,
} from "./model-server-script.ts";

/** Anthropic Messages, version 2023-06-01. */
export const messages: ServerProtocol = {
  name: "messages",
  path: "/messages",

  turnOf({ body, headers }) {
    demand(headers["anthropic-version"] === "2023-06-01", "anthropic-version: header is required");
    onlyKeys(body, KEYS, "request");
    demand(body.stream === true, "stream: this server only streams");
    demand(Number.isInteger(body.max_tokens) && Number(body.max_tokens) > 0, "max_tokens: Field required");
    if (body.system !== undefined && typeof body.system !== "string") aList(body.system, "system").forEach(checkText);
    for (const tool of body.tools === undefined ? [] : aList(body.tools, "tools")) checkTool(tool);
    const list = aList(body.messages, "messages");
    demand(list.length > 0, "messages: at least one message is required");
    let open: readonly string[] = [];
    list.forEach((item, index) => {
      const at = `messages.${index}`;
      const message = anObject(item, at);
      demand(message.role === (index % 2 === 0 ? "user" : "assistant"), `${at}: roles must alternate between user and assistant`);
      const blocks =
        typeof message.content === "string" ? [{ type: "text", text: message.content }] : aList(message.content, `${at}.content`);
      demand(blocks.length > 0, `${at}: content must be non-empty`);
      open = message.role === "user" ? checkUser(blocks, open, at) : checkAssistant(blocks, at);
    });
    demand(list.length % 2 === 1, "messages: the final message must be the user's");
    const marks = JSON.stringify(body).match(/"cache_control":\{/g)?.length ?? 0;
    demand(marks <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
    return (list.length - 1) / 2;
  },

  *frames(answer) {
    const head = { id: `msg_${answer.step}`, type: "message", role: "assistant", model: answer.model, content: [], stop_sequence: null };
    const usage = { input_tokens: answer.inputTokens, cache_read_input_tokens: 5, cache_creation_input_tokens: 3 };
    yield quiet({ type: "message_start", message: { ...head, stop_reason: null, usage: { ...usage, output_tokens: 1 } } });
    yield quiet({ type: "ping" });
    for (const [index, block] of blocksOf(answer).entries()) {
      yield quiet({ type: "content_block_start", index, content_block: block.start });
      for (const delta of block.deltas) yield { text: frame({ type: "content_block_delta", index, delta }), isContent: true };
      yield quiet({ type: "content_block_stop", index });
    }
    yield quiet({ type: "message_delta", delta: { stop_reason: STOP[answer.end], stop_sequence: null }, usage: { output_tokens: 20 } });
    yield quiet({ type: "message_stop" });
  },

  error: (status, message, word) => ({
    type: "error",
    error: { type: word ?? ERRORS[status] ?? "api_error", message },
    request_id: "req_scripted",
  }),
  overloaded: () => frame({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
  noModel: (model) => ({ message: `model: ${model}`, word: "not_found_error" }),
};

const KEYS = ["model", "max_tokens", "system", "messages", "tools", "tool_choice", "stream", "thinking", "metadata", "temperature"];
const STOP = { stop: "end_turn", tool_calls: "tool_use", length: "max_tokens", refusal: "refusal" } as const;
const ERRORS: { readonly [status: number]: string } = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function frame(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return sse(data, data.type);
}

function quiet(data: { readonly type: string; readonly [key: string]: unknown }): ServerFrame {
  return { text: frame(data), isContent: false };
}

function blocksOf({ step, reasoning, text, calls, chunk }: ServerAnswer) {
  const thinking = { type: "thinking", thinking: "", signature: "" };
  const seal = { type: "signature_delta", signature: sealOf(step, reasoning) };
  return [
    ...(reasoning === ""
      ? []
      : [{ start: thinking, deltas: [...pieces(reasoning, chunk).map((piece) => ({ type: "thinking_delta", thinking: piece })), seal] }]),
    ...(text === ""
      ? []
      : [{ start: { type: "text", text: "" }, deltas: pieces(text, chunk).map((piece) => ({ type: "text_delta", text: piece })) }]),
    ...calls.map(({ id, name, argsText }) => ({
      start: { type: "tool_use", id: `toolu_${id}`, name, input: {} },
      deltas: ["", ...pieces(argsText, chunk)].map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    })),
  ];
}

/** @returns the ids of its calls, which the next message has to answer. */
function checkAssistant(blocks: readonly unknown[], at: string): readonly string[] {
  const ids: string[] = [];
  blocks.forEach((item, index) => {
    const where = `${at}.content.${index}`;
    const block = anObject(item, where);
    switch (block.type) {
      case "text":
        checkText(block, where);
        break;
      case "thinking":
        demand(index === 0, `${where}: thinking comes first`);
        demand(blocks.length > 1, `${where}: The final block in an assistant message cannot be \`thinking\``);
        demand(isSeal(block.signature, aText(block.thinking, where)), `${where}: Invalid \`signature\` in \`thinking\` block`);
        break;
      case "tool_use": {
        const id = aText(block.id, `${where}.id`);
        demand(
          /^[a-zA-Z0-9_-]+$/.test(id) && !ids.includes(id),
          `${where}.id: String should match pattern '^[a-zA-Z0-9_-]+$' and be unique`,
        );
        checkToolName(block.name, `${where}.name`);
        anObject(block.input, `${where}.input`);
        ids.push(id);
        break;
      }
      default:
        demand(false, `${where}.type: ${String(block.type)} is not allowed for an assistant`);
    }
  });
  return ids;
}

function checkUser(blocks: readonly unknown[], open: readonly string[], at: string): readonly string[] {
  const answered: string[] = [];
  let afterResults = false;
  blocks.forEach((item, index) => {
    const where = `${at}.content.${index}`;
    const block = anObject(item, where);
    if (block.type !== "tool_result") afterResults = true;
    switch (block.type) {
      case "text":
        checkText(block, where);
        break;
      case "image":
        checkImage(block, where);
        break;
      case "tool_result": {
        const id = aText(block.tool_use_id, `${where}.tool_use_id`);
        demand(!afterResults, `${where}: tool_result blocks come first`);
        demand(open.includes(id), `${where}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`);
        demand(!answered.includes(id), `${where}: each tool_use must have a single result`);
        answered.push(id);
        if (block.content !== undefined && typeof block.content !== "string")
          aList(block.content, `${where}.content`).forEach(checkResultPart);
        break;
      }
      default:
        demand(false, `${where}.type: ${String(block.type)} is not allowed for a user`);
    }
  });
  const missing = open.filter((id) => !answered.includes(id));
  demand(
    missing.length === 0,
    `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`,
  );
  return [];
}

function checkResultPart(item: unknown, index: number): void {
  const part = anObject(item, `tool_result.content.${index}`);
  if (part.type === "image") checkImage(part, `tool_result.content.${index}`);
  else checkText(part, `tool_result.content.${index}`);
}

function checkText(item: unknown, where: string | number): void {
  const block = anObject(item, String(where));
  demand(block.type === "text", `${where}.type: Input should be 'text'`);
  someText(block.text, `${where}.text`);
}

function checkImage(block: { readonly [key: string]: unknown }, where: string): void {
  const source = anObject(block.source, `${where}.source`);
  demand(source.type === "base64" && /^image\/(png|jpeg|gif|webp)$/.test(String(source.media_type)), `${where}.source: bad image source`);
  demand(/^[A-Za-z0-9+/]+=*$/.test(aText(source.data, `${where}.source.data`)), `${where}.source.data: invalid base64`);
}

function checkTool(item: unknown): void {
  const tool = anObject(item, "tools");
  onlyKeys(tool, ["name", "description", "input_schema", "cache_control", "type"], "tools");
  checkToolName(tool.name, "tools.name");
  checkSchema(tool.input_schema, "tools.input_schema");
}
