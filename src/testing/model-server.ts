/**
 * A model server for tests: Anthropic Messages, Chat Completions and OpenAI Responses over real sockets on 127.0.0.1, from a script. It
 * judges requests as the real ones do, so that a mistake on the wire is a 400 here too, and it can fail in all the ways that they fail.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chat } from "./model-server-chat.ts";
import { messages } from "./model-server-messages.ts";
import { responses } from "./model-server-responses.ts";
import {
  anObject,
  BadRequest,
  demand,
  type ModelServerFault,
  type ModelServerStep,
  type ServerAnswer,
  type ServerCall,
  type ServerProtocol,
  someText,
} from "./model-server-script.ts";

export type { ModelServerFault, ModelServerStep } from "./model-server-script.ts";

/** What a scripted server says and demands. */
export interface ModelServerOptions {
  /** One a turn: the n-th for a request whose history holds n answers. Past the end the server answers 400. */
  readonly steps: readonly ModelServerStep[];
  /** The key that requests have to bring, else 401. Default: any or none. */
  readonly key?: string;
  /** The models it has, else 404. Default: any. */
  readonly models?: readonly string[];
  /** Characters of text or arguments in one frame; default 8. */
  readonly chunk?: number;
}

/** A server that listens, and what it was asked. */
export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1`, the same for the three protocols. */
  readonly baseUrl: string;
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly ModelServerRequest[];
  /** Ends the server and every connection. */
  close(): Promise<void>;
}

/** One request as it arrived. */
export interface ModelServerRequest {
  readonly protocol: "chat" | "messages" | "responses" | null;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  /** As parsed; `null` when it is no JSON object. */
  readonly body: { readonly [key: string]: unknown } | null;
  /** Number of answers in its history; `null` when it was refused before that was known. */
  readonly step: number | null;
  readonly status: number;
  /** Why it was refused. */
  readonly problem: string | null;
  /** Settles when its connection is done with this request: true when the client went away before the end. */
  readonly aborted: Promise<boolean>;
}

const PROTOCOLS: readonly ServerProtocol[] = [messages, chat, responses];

/** Starts a server on a free port of 127.0.0.1. It is ready when the promise resolves; `close` it. */
export async function createModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: ModelServerRequest[] = [];
  const hits = new Map<number, number>();

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const raw = await bodyOf(incoming);
    const path = (incoming.url ?? "/").split("?")[0] ?? "/";
    const protocol = PROTOCOLS.find((candidate) => path === `/v1${candidate.path}`) ?? null;
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const aborted = new Promise<boolean>((resolve) => outgoing.once("close", () => resolve(!outgoing.writableFinished)));
    const body = parsed(raw);
    const note = (step: number | null, status: number, problem: string | null) => {
      requests.push({ protocol: protocol?.name ?? null, path, headers, body, step, status, problem, aborted });
    };
    const refuse = (status: number, problem: string, word?: string) => {
      note(null, status, problem);
      const error = protocol === null ? { error: { message: problem } } : protocol.error(status, problem, word);
      json(outgoing, { status, body: JSON.stringify(error) });
    };

    if (protocol === null || incoming.method !== "POST") return refuse(404, `there is no ${incoming.method} ${path}`);
    if (options.key !== undefined && options.key !== keyOf(headers)) return refuse(401, "Incorrect API key provided");
    try {
      demand(body !== null, "the body is no JSON object");
      checkText(body);
      const model = someText(body.model, "model");
      if (options.models !== undefined && !options.models.includes(model)) {
        const { message, word } = protocol.noModel(model);
        return refuse(404, message, word);
      }
      const step = protocol.turnOf({ body, headers });
      const scripted = options.steps[step];
      demand(scripted !== undefined, `the script has ${options.steps.length} steps, and this is turn ${step}`);
      const hit = hits.get(step) ?? 0;
      hits.set(step, hit + 1);
      const fault = scripted.fault !== undefined && hit < (scripted.fault.times ?? 1) ? scripted.fault : undefined;
      if (fault?.kind === "status") {
        note(step, fault.status, null);
        const error = protocol.error(fault.status, fault.message ?? `scripted ${fault.status}`, fault.error);
        return json(outgoing, { status: fault.status, body: fault.body ?? JSON.stringify(error), headers: fault.headers });
      }
      note(step, 200, null);
      const answer = answerOf(scripted, { step, fault, model, inputTokens: raw.length >> 2, chunk: options.chunk ?? 8 });
      await stream(outgoing, protocol, { answer, fault });
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      refuse(400, error.message);
    }
  };

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((error) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Turn {
  readonly step: number;
  readonly fault: ModelServerFault | undefined;
  readonly model: string;
  readonly inputTokens: number;
  readonly chunk: number;
}

function answerOf(scripted: ModelServerStep, { step, fault, ...rest }: Turn): ServerAnswer {
  const half = (text: string) => text.slice(0, text.length >> 1);
  const isCut = fault?.kind === "truncated";
  const calls = (scripted.calls ?? []).map(({ name, args }, index): ServerCall => {
    const argsText = JSON.stringify(args);
    return { id: `s${step}c${index}`, name, argsText: isCut || fault?.kind === "badargs" ? half(argsText) : argsText };
  });
  const text = scripted.text ?? "";
  const said = {
    text: isCut && calls.length === 0 ? half(text) : text,
    reasoning: scripted.reasoning ?? "",
    tellsUsage: fault?.kind !== "no_usage",
  };
  if (fault?.kind === "refusal") return { ...rest, ...said, step, calls: [], end: "refusal" };
  return { ...rest, ...said, step, calls, end: isCut ? "length" : calls.length > 0 ? "tool_calls" : "stop" };
}

interface Streaming {
  readonly answer: ServerAnswer;
  readonly fault: ModelServerFault | undefined;
}

async function stream(outgoing: ServerResponse, protocol: ServerProtocol, { answer, fault }: Streaming): Promise<void> {
  outgoing.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "request-id": `req_${answer.step}`,
  });
  outgoing.flushHeaders();
  const breakAt = fault !== undefined && "after" in fault ? (fault.after ?? 1) : 1;
  let content = 0;
  for (const frame of protocol.frames(answer)) {
    if (frame.isContent && content++ === breakAt && fault !== undefined) {
      switch (fault.kind) {
        case "reset":
          // what was written has to be on its way, else the reset overtakes it
          await new Promise((resolve) => setTimeout(resolve, 5));
          outgoing.socket?.resetAndDestroy();
          return;
        case "eof":
          outgoing.end();
          return;
        case "stall":
          return;
        case "error_frame":
          outgoing.end(protocol.overloaded());
          return;
        case "badsse":
          outgoing.write('data: {"broken": tru\n\n');
      }
    }
    if (outgoing.destroyed) return;
    // a client that does not read holds the server up, as a real one
    if (!outgoing.write(frame.text)) await readOn(outgoing);
  }
  if (fault?.kind === "ping") {
    const pings = setInterval(() => outgoing.write(": ping\n\n"), 5);
    outgoing.once("close", () => clearInterval(pings));
  } else if (fault?.kind !== "hold") outgoing.end();
}

/** Settles when the client has read on, or is gone. */
async function readOn(outgoing: ServerResponse): Promise<void> {
  let done = () => {};
  await new Promise<void>((resolve) => {
    done = resolve;
    outgoing.once("drain", done).once("close", done);
  });
  outgoing.off("drain", done).off("close", done);
}

interface Plain {
  readonly status: number;
  readonly body: string;
  readonly headers?: { readonly [name: string]: string } | undefined;
}

function json(outgoing: ServerResponse, { status, body, headers }: Plain): void {
  outgoing.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers }).end(body);
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parsed(raw: string): { readonly [key: string]: unknown } | null {
  try {
    return anObject(JSON.parse(raw), "the body");
  } catch {
    return null;
  }
}

/** Half a surrogate pair is no Unicode: strict servers refuse the request. */
function checkText(value: unknown): void {
  if (typeof value === "string") demand(!/\p{Surrogate}/u.test(value), "no low surrogate in string");
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(checkText);
}

function keyOf(headers: { readonly [name: string]: string }): string | undefined {
  return headers["x-api-key"] ?? /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
}
