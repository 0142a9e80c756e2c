import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { fail } from "../base/fail.ts";
import { readPipedText } from "./piped-text.ts";
import { promptOf } from "./prompt.ts";

const piped = (text: string) => ({ stdinIsTerminal: false, piped: async () => text });
const unread = {
  stdinIsTerminal: false,
  piped: async () => {
    throw fail("internal", "standard input was read");
  },
};

describe("the prompt", () => {
  test.each([
    ["joins words by a space", ["Fix", "the test"], unread, "Fix the test"],
    ["puts the piped text where the dash is", ["Review", "-", "now"], piped("a\nb\n"), "Review a\nb\n now"],
    ["is the piped text when there are no words", [], piped("do it\n"), "do it\n"],
    ["is a lone dash's piped text", ["-"], piped("x"), "x"],
    ["keeps a dash inside a word", ["a-b", "--", "c"], unread, "a-b -- c"],
  ])("%s", async (_, words, sources, prompt) => {
    expect(await promptOf({ words, ...sources })).toBe(prompt);
  });

  test.each([
    ["no words on a terminal", [], { ...unread, stdinIsTerminal: true }],
    ["a dash on a terminal", ["Review", "-"], { ...unread, stdinIsTerminal: true }],
    ["nothing piped", [], piped("")],
    ["only white space piped", [], piped(" \n\t")],
    ["an empty word", [""], unread],
  ])("is missing with %s", async (_, words, sources) => {
    await expect(promptOf({ words, ...sources })).rejects.toMatchObject({ kind: "no_prompt" });
  });
});

describe("piped text", () => {
  const options = { maxBytes: 8, signal: new AbortController().signal };
  const read = (...chunks: Buffer[]) => readPipedText(Readable.from(chunks), options);

  test("is put together before it is decoded", async () => {
    const bytes = Buffer.from("né€");
    expect(await read(bytes.subarray(0, 2), bytes.subarray(2))).toBe("né€");
  });

  test.each([
    ["too_large", Buffer.from("123456789")],
    ["not_utf8", Buffer.from([0x61, 0xff])],
    ["not_text", Buffer.from("a\0b")],
  ])("is refused as %s", async (reason, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ kind: "stdin_error", details: { reason } });
  });

  test("that cannot be read is a stdin_error", async () => {
    const broken = new Readable({
      read() {
        this.destroy(new Error("EISDIR"));
      },
    });
    await expect(readPipedText(broken, options)).rejects.toMatchObject({ kind: "stdin_error", details: { reason: "unreadable" } });
  });

  test("that never comes is given up at an interrupt", async () => {
    const controller = new AbortController();
    const waiting = readPipedText(new Readable({ read() {} }), { maxBytes: 8, signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ kind: "cancelled" });
  });
});
