import { sha256, sha256OfJson } from "../base/hash.ts";
import type { ModelContent, ModelMessage, ModelRequest } from "./port.ts";

/**
 * Hashes of messages and tool lists that were hashed before. A conversation grows by a message or two a request, and its earlier messages
 * are the same objects: so a request costs its new messages, not the whole history. Keyed by identity, hence: messages are never changed.
 */
const known = new WeakMap<object, string>();

/**
 * SHA-256 of a request, for `model_request.request_sha256`: of the canonical JSON of
 * `{ system, tools: SHA-256 of the tools' canonical JSON, messages: [SHA-256 of each message's] }`, where an image stands as
 * `{ type: "image", mime_type, sha256 }`. The caller redacts beforehand. Messages and the tool list must not be changed afterwards.
 */
export function requestHash(request: ModelRequest): string {
  return sha256OfJson({
    system: request.system,
    tools: remembered(request.tools, () => sha256OfJson(request.tools)),
    messages: request.messages.map((message) => remembered(message, () => sha256OfJson(withoutImages(message)))),
  });
}

function remembered(key: object, make: () => string): string {
  const old = known.get(key);
  if (old !== undefined) return old;
  const hash = make();
  known.set(key, hash);
  return hash;
}

function withoutImages(message: ModelMessage): unknown {
  switch (message.role) {
    case "assistant":
      return message;
    case "user":
      return { ...message, content: message.content.map(hashed) };
    case "tool":
      return { ...message, results: message.results.map((result) => ({ ...result, content: result.content.map(hashed) })) };
  }
}

function hashed(content: ModelContent): unknown {
  return content.type === "text" ? content : { type: "image", mime_type: content.mime_type, sha256: sha256(content.data) };
}
