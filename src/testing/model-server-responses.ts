import {
  aList,
  anObject,
  aText,
  checkSchema,
  checkToolName,
  demand,
  isSeal,
  pieces,
  type ServerAnswer,
  type ServerCall,
  type ServerFrame,
  type ServerProtocol,
  sealOf,
  someText,
  sse,
} from "./model-server-script.ts";

/** OpenAI Responses, without stored items. */
export const responses: ServerProtocol = {
  name: "responses",
  path: "/responses",

  turnOf({ body }) {
    demand(body.stream === true, "stream: this server only streams");
    demand(body.previous_response_id === undefined, "previous_response_id: nothing is stored here");
    for (const tool of body.tools === undefined ? [] : aList(body.tools, "tools")) {
      const described = anObject(tool, "tools");
      demand(described.type === "function", "tools.type: 'function' is wanted");
      checkToolName(described.name, "tools.name");
      checkSchema(described.parameters, "tools.parameters");
      demand(
        described.strict === false || isStrict(described.parameters),
        `Invalid schema for function '${String(described.name)}': in strict mode all is required`,
      );
    }
    return checkInput(
      typeof body.input === "string" ? [{ role: "user", content: body.input }] : aList(body.input, "input"),
      body.store === false,
    );
  },

  *frames(answer) {
    let sequence_number = 0;
    const event = (type: string, data: object) => sse({ type, sequence_number: sequence_number++, ...data }, type);
    const quiet = (type: string, data: object): ServerFrame => ({ text: event(type, data), isContent: false });
    const loud = (type: string, data: object): ServerFrame => ({ text: event(type, data), isContent: true });
    const whole = { id: `resp_${answer.step}`, object: "response", created_at: 1_796_000_000, model: answer.model, error: null };
    yield quiet("response.created", { response: { ...whole, status: "in_progress", output: [] } });
    yield quiet("response.in_progress", { response: { ...whole, status: "in_progress", output: [] } });
    let output_index = 0;
    if (answer.reasoning !== "") {
      const item = { type: "reasoning", id: `rs_${answer.step}`, summary: [], encrypted_content: "not-yet-whole" };
      const part = { item_id: item.id, output_index, summary_index: 0 };
      const said = { type: "summary_text", text: answer.reasoning };
      yield quiet("response.output_item.added", { output_index, item });
      yield quiet("response.reasoning_summary_part.added", { ...part, part: { ...said, text: "" } });
      for (const delta of pieces(answer.reasoning, answer.chunk)) yield loud("response.reasoning_summary_text.delta", { ...part, delta });
      yield quiet("response.reasoning_summary_part.done", { ...part, part: said });
      const seal = sealOf(answer.step, answer.reasoning);
      yield quiet("response.output_item.done", { output_index, item: { ...item, summary: [said], encrypted_content: seal } });
      output_index++;
    }
    if (answer.text !== "") {
      const item = { type: "message", id: `msg_${answer.step}`, role: "assistant", status: "in_progress", content: [] };
      const kind = answer.end === "refusal" ? "refusal" : "output_text";
      const content = kind === "refusal" ? { type: kind, refusal: answer.text } : { type: kind, text: answer.text, annotations: [] };
      const at = { item_id: item.id, output_index, content_index: 0 };
      yield quiet("response.output_item.added", { output_index, item });
      yield quiet("response.content_part.added", {
        ...at,
        part: kind === "refusal" ? { type: kind, refusal: "" } : { ...content, text: "" },
      });
      for (const delta of pieces(answer.text, answer.chunk)) yield loud(`response.${kind}.delta`, { ...at, delta });
      yield quiet(`response.${kind}.done`, kind === "refusal" ? { ...at, refusal: answer.text } : { ...at, text: answer.text });
      yield quiet("response.output_item.done", { output_index, item: { ...item, status: "completed", content: [content] } });
      output_index++;
    }
    for (const call of answer.calls) {
      const item = itemOf(call, answer);
      const at = { item_id: item.id, output_index };
      yield quiet("response.output_item.added", { output_index, item: { ...item, arguments: "", status: "in_progress" } });
      yield loud("response.function_call_arguments.delta", { ...at, delta: "" });
      for (const delta of pieces(call.argsText, answer.chunk)) yield loud("response.function_call_arguments.delta", { ...at, delta });
      yield quiet("response.function_call_arguments.done", { ...at, arguments: call.argsText });
      yield quiet("response.output_item.done", { output_index, item });
      output_index++;
    }
    const isCut = answer.end === "length";
    const usage = {
      input_tokens: answer.inputTokens,
      input_tokens_details: { cached_tokens: 5 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: answer.inputTokens + 20,
    };
    const ending = { status: isCut ? "incomplete" : "completed", incomplete_details: isCut ? { reason: "max_output_tokens" } : null };
    yield quiet(`response.${ending.status}`, { response: { ...whole, ...ending, output: [], ...(answer.tellsUsage ? { usage } : {}) } });
  },

  error: (status, message, word) => ({ error: { message, type: ERRORS[status] ?? "server_error", param: null, code: word ?? null } }),
  overloaded: () =>
    sse(
      {
        type: "error",
        sequence_number: 99,
        error: { type: "server_error", code: "server_is_overloaded", message: "Overloaded", param: null },
      },
      "error",
    ),
  noModel: (model) => ({ message: `The requested model '${model}' does not exist.`, word: "model_not_found" }),
};

const ERRORS: { readonly [status: number]: string } = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  404: "invalid_request_error",
  429: "rate_limit_exceeded",
};

function itemOf({ id, name, argsText }: ServerCall, { end }: ServerAnswer) {
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name,
    arguments: argsText,
    status: end === "length" ? "incomplete" : "completed",
  };
}

/** @returns the number of answers: runs of items that are the model's. */
function checkInput(input: readonly unknown[], isStateless: boolean): number {
  demand(input.length > 0, "input: [] is too short");
  let turns = 0;
  let inAnswer = false;
  let bareReasoning: string | null = null;
  const open = new Set<string>();
  input.forEach((entry, index) => {
    const at = `input[${index}]`;
    const item = anObject(entry, at);
    const isMine = item.role === "assistant" || item.type === "function_call" || item.type === "reasoning";
    if (isMine && !inAnswer) turns++;
    inAnswer = isMine;
    if (item.type !== "reasoning") {
      demand(
        bareReasoning === null || isMine,
        `Item '${bareReasoning}' of type 'reasoning' was provided without its required following item.`,
      );
      bareReasoning = null;
    }
    switch (item.type ?? "message") {
      case "message":
        checkMessage(item, at);
        break;
      case "reasoning": {
        const said = aList(item.summary, `${at}.summary`).map((part) => aText(anObject(part, `${at}.summary`).text, `${at}.summary.text`));
        demand(!isStateless || isSeal(item.encrypted_content, said.join("")), `${at}.encrypted_content: could not be verified`);
        bareReasoning = aText(item.id, `${at}.id`);
        break;
      }
      case "function_call": {
        const id = aText(item.call_id, `${at}.call_id`);
        demand(id.length <= 64, `${at}.call_id: string too long`);
        checkToolName(item.name, `${at}.name`);
        aText(item.arguments, `${at}.arguments`);
        open.add(id);
        break;
      }
      case "function_call_output": {
        const id = aText(item.call_id, `${at}.call_id`);
        demand(open.delete(id), `No tool call found for function call output with call_id ${id}.`);
        for (const part of typeof item.output === "string" ? [] : aList(item.output, `${at}.output`)) checkInputPart(part, `${at}.output`);
        break;
      }
      default:
        demand(false, `${at}.type: ${String(item.type)} is not supported here`);
    }
  });
  demand(bareReasoning === null, `Item '${bareReasoning}' of type 'reasoning' was provided without its required following item.`);
  demand(open.size === 0, `No tool output found for function call ${[...open].join(", ")}.`);
  return turns;
}

function checkMessage(item: { readonly [key: string]: unknown }, at: string): void {
  demand(/^(system|developer|user|assistant)$/.test(String(item.role)), `${at}.role: ${String(item.role)} is not a role`);
  if (typeof item.content === "string") return void someText(item.content, `${at}.content`);
  for (const entry of aList(item.content, `${at}.content`)) {
    const part = anObject(entry, `${at}.content`);
    if (item.role === "assistant") {
      demand(part.type === "output_text" || part.type === "refusal", `${at}.content: an assistant's part is output_text or refusal`);
    } else checkInputPart(part, `${at}.content`);
  }
}

function checkInputPart(entry: unknown, at: string): void {
  const part = anObject(entry, at);
  if (part.type === "input_text") return void someText(part.text, `${at}.text`);
  demand(part.type === "input_image", `${at}.type: ${String(part.type)} is no input`);
  demand(/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(aText(part.image_url, at)), `${at}.image_url: no image`);
}

function isStrict(parameters: unknown): boolean {
  const { properties, required } = anObject(parameters, "tools.parameters");
  const wanted = Object.keys(anObject(properties ?? {}, "tools.parameters.properties"));
  return wanted.every((name) => Array.isArray(required) && required.includes(name));
}
