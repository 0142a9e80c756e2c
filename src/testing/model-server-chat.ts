import {
  aList,
  anObject,
  aText,
  checkSchema,
  checkToolName,
  demand,
  pieces,
  type ServerFrame,
  type ServerProtocol,
  someText,
  sse,
} from "./model-server-script.ts";

/** Chat Completions, as OpenAI says it and other servers copy it. */
export const chat: ServerProtocol = {
  name: "chat",
  path: "/chat/completions",

  turnOf({ body }) {
    demand(body.stream === true, "stream: this server only streams");
    for (const tool of body.tools === undefined ? [] : aList(body.tools, "tools")) {
      const { type, function: described } = anObject(tool, "tools");
      demand(type === "function", "tools.type: 'function' is wanted");
      checkToolName(anObject(described, "tools.function").name, "tools.function.name");
      checkSchema(anObject(described, "tools.function").parameters, "tools.function.parameters");
    }
    const list = aList(body.messages, "messages");
    demand(list.length > 0, "messages: [] is too short");
    let open: string[] = [];
    let turns = 0;
    list.forEach((item, index) => {
      const at = `messages[${index}]`;
      const message = anObject(item, at);
      if (message.role === "tool") {
        const id = aText(message.tool_call_id, `${at}.tool_call_id`);
        demand(open.includes(id), `${at}: messages with role 'tool' must be a response to a preceding message with 'tool_calls'`);
        open = open.filter((other) => other !== id);
        checkToolContent(message.content, at);
        return;
      }
      demand(
        open.length === 0,
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${open.join(", ")}`,
      );
      switch (message.role) {
        case "system":
        case "developer":
          someText(message.content, `${at}.content`);
          break;
        case "user":
          checkUser(message.content, at);
          break;
        case "assistant":
          turns++;
          open = checkAssistant(message, at);
          break;
        default:
          demand(false, `${at}.role: ${String(message.role)} is not a role`);
      }
    });
    demand(open.length === 0, `messages: tool_call_ids without a response: ${open.join(", ")}`);
    return turns;
  },

  *frames({ step, model, reasoning, text, calls, end, tellsUsage, inputTokens, chunk }) {
    const base = { id: `chatcmpl-${step}`, object: "chat.completion.chunk", created: 1_796_000_000, model };
    const delta = (part: object, finish: string | null = null) =>
      sse({ ...base, choices: [{ index: 0, delta: part, finish_reason: finish }] });
    const content = (part: object): ServerFrame => ({ text: delta(part), isContent: true });
    yield { text: delta({ role: "assistant", content: "" }), isContent: false };
    for (const piece of pieces(reasoning, chunk)) yield content({ reasoning_content: piece });
    for (const piece of pieces(text, chunk)) yield content(end === "refusal" ? { refusal: piece } : { content: piece });
    for (const [index, { id, name, argsText }] of calls.entries()) {
      yield content({ tool_calls: [{ index, id: `call_${id}`, type: "function", function: { name, arguments: "" } }] });
      for (const piece of pieces(argsText, chunk)) yield content({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
    yield { text: delta({}, end === "refusal" ? "content_filter" : end), isContent: false };
    const usage = {
      prompt_tokens: inputTokens,
      completion_tokens: 20,
      total_tokens: inputTokens + 20,
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 4 },
    };
    if (tellsUsage) yield { text: sse({ ...base, choices: [], usage }), isContent: false };
    yield { text: sse("[DONE]"), isContent: false };
  },

  error: (status, message, word) => ({ error: { message, type: ERRORS[status] ?? "server_error", param: null, code: word ?? null } }),
  overloaded: () => sse({ error: { message: "The server is overloaded", type: "server_error", code: 503 } }),
  noModel: (model) => ({ message: `The model '${model}' does not exist`, word: "model_not_found" }),
};

const ERRORS: { readonly [status: number]: string } = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "invalid_request_error",
  429: "rate_limit_error",
};

/** @returns the ids of its calls, which have to be answered next. */
function checkAssistant(message: { readonly [key: string]: unknown }, at: string): string[] {
  const calls = message.tool_calls === undefined ? [] : aList(message.tool_calls, `${at}.tool_calls`);
  if (message.content !== null || calls.length === 0) someText(message.content, `${at}.content`);
  return calls.map((item, index) => {
    const where = `${at}.tool_calls[${index}]`;
    const call = anObject(item, where);
    const described = anObject(call.function, `${where}.function`);
    checkToolName(described.name, `${where}.function.name`);
    const args = aText(described.arguments, `${where}.function.arguments`);
    // servers that render a template parse the arguments
    anObject(parsed(args), `${where}.function.arguments`);
    return aText(call.id, `${where}.id`);
  });
}

function checkToolContent(content: unknown, at: string): void {
  if (typeof content === "string") {
    demand(!/[A-Za-z0-9+/]{2000}/.test(content), `${at}.content: this looks like base64`);
    return;
  }
  for (const item of aList(content, `${at}.content`)) {
    const part = anObject(item, `${at}.content`);
    demand(part.type === "text", `${at}.content: only text is allowed in messages with role 'tool'`);
    someText(part.text, `${at}.content.text`);
  }
}

function checkUser(content: unknown, at: string): void {
  if (typeof content === "string") return void someText(content, `${at}.content`);
  for (const item of aList(content, `${at}.content`)) {
    const part = anObject(item, `${at}.content`);
    if (part.type === "text") someText(part.text, `${at}.content.text`);
    else {
      const url = part.type === "image_url" ? aText(anObject(part.image_url, `${at}.image_url`).url, `${at}.image_url.url`) : "";
      demand(/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(url), `${at}.content: neither text nor an image`);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
