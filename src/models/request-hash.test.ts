import { expect, test } from "vitest";
import { sha256, sha256OfJson } from "../base/hash.ts";
import type { ModelMessage, ModelRequest } from "./port.ts";
import { requestHash } from "./request-hash.ts";

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const base = (): ModelRequest => ({
  system: "s",
  tools: [{ name: "read", description: "d", parameters: { type: "object" } }],
  messages: [user("a"), user("b")],
});

test("equal requests have equal hashes, whatever their objects and the order of keys", () => {
  expect(requestHash(base())).toBe(requestHash(structuredClone(base())));
  const turned: ModelMessage = JSON.parse('{"content":[{"text":"b","type":"text"}],"role":"user"}');
  expect(requestHash({ ...base(), messages: [user("a"), turned] })).toBe(requestHash(base()));
});

test("is what its description says", () => {
  const request = base();
  const hash = sha256OfJson({
    system: "s",
    tools: sha256OfJson(request.tools),
    messages: request.messages.map((message) => sha256OfJson(message)),
  });
  expect(requestHash(request)).toBe(hash);
});

test.each([
  ["system", { system: "t" }],
  ["a message", { messages: [user("a"), user("c")] }],
  ["the order", { messages: [user("b"), user("a")] }],
  ["one less", { messages: [user("a")] }],
  ["a tool", { tools: [] }],
])("another %s is another hash", (_what, change) => {
  expect(requestHash({ ...base(), ...change })).not.toBe(requestHash(base()));
});

test("an image counts by its bytes", () => {
  const message = (byte: number): ModelMessage => ({
    role: "user",
    content: [{ type: "image", data: new Uint8Array([1, byte]), mime_type: "image/png" }],
  });
  const hashed = { role: "user", content: [{ type: "image", mime_type: "image/png", sha256: sha256(new Uint8Array([1, 2])) }] };
  const request = { system: "", tools: [], messages: [message(2)] };
  expect(requestHash(request)).toBe(sha256OfJson({ system: "", tools: sha256OfJson([]), messages: [sha256OfJson(hashed)] }));
  expect(requestHash({ ...request, messages: [message(3)] })).not.toBe(requestHash(request));
});

test("a grown conversation costs its new messages only", () => {
  let reads = 0;
  const counted = (text: string): ModelMessage => ({
    role: "user",
    get content() {
      reads++;
      return [{ type: "text" as const, text }];
    },
  });
  const messages = Array.from({ length: 50 }, (_, index) => counted(String(index)));
  const tools = base().tools;
  requestHash({ system: "", tools, messages });
  const once = reads;
  requestHash({ system: "", tools, messages: [...messages, counted("new")] });
  expect(reads).toBe(once + once / 50);
});
