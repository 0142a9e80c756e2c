import { describe, expect, test } from "vitest";
import { memorySandbox } from "../sandbox/index.ts";
import { callOf, planOf } from "../testing/direct-call.ts";
import { read } from "./read.ts";
import { LINE_BYTES, WINDOW_BYTES, WINDOW_LINES } from "./read-window.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join("");

describe("read", () => {
  test("plans one read of the real path and opens nothing", async () => {
    const sandbox = memorySandbox({ "real/a.txt": "a\n" }, { links: { "b.txt": "real/a.txt" } });
    const closed = { ...sandbox, stream: () => Promise.reject(new Error("opened")), read: () => Promise.reject(new Error("opened")) };
    const { effects } = await planOf(read, { path: "b.txt" }, closed);
    expect(effects).toEqual([{ kind: "file.read", sure: "exact", path: "/real/a.txt" }]);
  });

  test.each([
    ["a whole file", "a\nb\n"],
    ["a file without a last line break", "a\nb"],
    ["Windows line ends", "a\r\nb\r\n"],
    ["blank lines at the end", "a\n\n\n"],
    ["characters of several bytes", "日本\né\n😀\n"],
  ])("gives %s as it is, without a notice", async (_, text) => {
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    expect(await callOf(read, { path: "a.txt" }, memorySandbox({ "a.txt": text }))).toEqual({
      ok: true,
      output: text,
      path: "/a.txt",
      lines_total: lines,
      lines_returned: lines,
      offset_effective: 1,
      next_offset: null,
    });
  });

  test("pages by lines, each notice naming the call that goes on", async () => {
    const sandbox = memorySandbox({ "a.txt": numbered(5) });
    const first = await callOf(read, { path: "a.txt", limit: 2 }, sandbox);
    expect(first).toMatchObject({
      output: 'line 1\nline 2\n[lines 1-2 of 5; next: read {"path":"a.txt","limit":2,"offset":3}]',
      lines_total: 5,
      lines_returned: 2,
      next_offset: 3,
    });
    const last = await callOf(read, { path: "a.txt", offset: 5, limit: 2 }, sandbox);
    expect(last).toMatchObject({ output: "line 5\n[line 5; end of the file]", offset_effective: 5, next_offset: null });
  });

  test("following the notices gives every byte once", async () => {
    const text = Array.from({ length: 7000 }, (_, n) => `${n} ${"é".repeat(n % 40)}\n`).join("");
    const sandbox = memorySandbox({ "a.txt": text });
    let [all, offset] = ["", 1 as number | null];
    while (offset !== null) {
      const page = await callOf(read, { path: "a.txt", offset }, sandbox);
      if (!page.ok) throw new Error(JSON.stringify(page));
      all += String(page.output).replace(/\[lines? [^\n]*\]$/, "");
      offset = page.next_offset as number | null;
    }
    expect(all).toBe(text);
  });

  test("stops at the window in lines", async () => {
    const page = await callOf(read, { path: "a.txt", limit: 9999 }, memorySandbox({ "a.txt": "\n".repeat(WINDOW_LINES + 1) }));
    expect(page).toMatchObject({ lines_returned: WINDOW_LINES, next_offset: WINDOW_LINES + 1, lines_total: WINDOW_LINES + 1 });
  });

  test("stops at the window in bytes, after a whole line", async () => {
    const page = await callOf(read, { path: "a.txt" }, memorySandbox({ "a.txt": `${"x".repeat(999)}\n`.repeat(100) }));
    expect(page).toMatchObject({ lines_returned: Math.floor(WINDOW_BYTES / 1000), next_offset: Math.floor(WINDOW_BYTES / 1000) + 1 });
  });

  test("cuts a huge line at a whole character, says how much is missing, and goes on behind it", async () => {
    const sandbox = memorySandbox({ "a.min.js": `x${"é".repeat(750_000)}\nnext\n` });
    const page = await callOf(read, { path: "a.min.js" }, sandbox);
    const shown = (LINE_BYTES - 2) / 2;
    expect(page).toMatchObject({
      output:
        `x${"é".repeat(shown)}… [${1_500_001 - 1 - 2 * shown} more bytes in this line]\nnext\n` +
        `[line 1: only the first ${LINE_BYTES} bytes are shown]`,
      lines_total: 2,
    });
  });

  test("shows a line of exactly the limit whole", async () => {
    const text = `${"x".repeat(LINE_BYTES)}\n`;
    expect(await callOf(read, { path: "a" }, memorySandbox({ a: text }))).toMatchObject({ output: text });
  });

  test("says that a file is empty, and that there is no such line", async () => {
    const sandbox = memorySandbox({ empty: "", a: "1\n2\n" });
    expect(await callOf(read, { path: "empty" }, sandbox)).toMatchObject({
      ok: true,
      output: "[the file is empty]",
      lines_total: 0,
      lines_returned: 0,
    });
    expect(await callOf(read, { path: "a", offset: 3 }, sandbox)).toMatchObject({
      ok: true,
      output: "[there is no line 3; the file has 2]",
      lines_total: 2,
      lines_returned: 0,
      next_offset: null,
    });
  });

  test("takes offset 0 as 1, and numbers in text", async () => {
    const sandbox = memorySandbox({ a: "1\n2\n3\n" });
    expect(await callOf(read, { path: "a", offset: 0, limit: 1 }, sandbox)).toMatchObject({ offset_effective: 1, next_offset: 2 });
    expect(await callOf(read, { path: "a", offset: "2", limit: "1" }, sandbox)).toMatchObject({ offset_effective: 2, lines_returned: 1 });
  });

  test("does not show a byte-order mark, and says so", async () => {
    const page = await callOf(read, { path: "a" }, memorySandbox({ a: "\ufeffhello\n" }));
    expect(page).toMatchObject({ output: "hello\n[the byte-order mark at the start is not shown]" });
  });

  test("shows text with a few broken bytes, and says where", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode(`${"plain text\n".repeat(5)}caf`), 0xe9, 0x0a]);
    expect(await callOf(read, { path: "a" }, memorySandbox({ a: bytes }))).toMatchObject({
      output: `${"plain text\n".repeat(5)}caf\ufffd\n[line 6: bytes that are no UTF-8 are shown as U+FFFD]`,
    });
  });

  test("never gives a NUL, even one far behind the start", async () => {
    const page = await callOf(read, { path: "a", offset: 2 }, memorySandbox({ a: `${"x".repeat(70_000)}\nleft\0right\n` }));
    expect(page).toMatchObject({ output: "left␀right\n[line 2: NUL bytes are shown as U+2400]\n[line 2; end of the file]" });
  });

  test.each([
    ["with a NUL", new Uint8Array([0x50, 0x4b, 3, 4, 0, 1])],
    ["of random bytes", Uint8Array.from({ length: 500 }, (_, n) => 128 + ((n * 37) % 128))],
    ["in UTF-16", new Uint8Array([0xff, 0xfe, 0x61, 0])],
  ])("refuses a file %s as binary", async (_, bytes) => {
    const page = await callOf(read, { path: "a" }, memorySandbox({ a: bytes }));
    expect(page).toMatchObject({ ok: false, error: { kind: "read_failed", details: { reason: "binary", size_bytes: bytes.length } } });
  });

  test.each([
    ["not_found", { path: "gone" }, {}],
    ["read_failed", { path: "folder" }, { reason: "is_directory" }],
    ["outside_workspace", { path: "../x" }, {}],
    ["outside_workspace", { path: "~/x" }, {}],
    ["invalid_args", { path: "a", offset: -1 }, {}],
    ["invalid_args", { path: "a", limit: 0 }, {}],
    ["invalid_args", { path: "a", offset: 1.5 }, {}],
    ["invalid_args", { path: "" }, {}],
    ["invalid_args", { file_path: "a" }, {}],
  ])("fails with %s for %j", async (kind, args, details) => {
    const sandbox = memorySandbox({ "ws/folder/a": "a\n", "ws/a": "a\n" }, { workspace: "/ws" });
    sandbox.folder("/ws/folder");
    expect(await callOf(read, args, sandbox)).toMatchObject({ ok: false, error: { kind, details } });
  });

  test("stops when the call is aborted", async () => {
    const abort = new AbortController();
    abort.abort(new Error("stop"));
    await expect(callOf(read, { path: "a" }, memorySandbox({ a: "a\n" }), { signal: abort.signal })).rejects.toThrow("stop");
  });
});
