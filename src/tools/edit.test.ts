import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256 } from "../base/hash.ts";
import { memorySandbox } from "../sandbox/index.ts";
import { callOf, executePlan, planOf } from "../testing/direct-call.ts";
import { edit } from "./edit.ts";

const ONCE = { path: "a.ts", old_string: "1", new_string: "2" };

/** Edits a file of this content; gives the new content, or the error. */
async function edited(text: string | Uint8Array, args: object) {
  const sandbox = memorySandbox({ f: text });
  const done = await callOf(edit, { path: "f", ...args }, sandbox);
  if (
    !done.ok &&
    sandbox.bytes("f")?.toString() !== new Uint8Array(typeof text === "string" ? new TextEncoder().encode(text) : text).toString()
  ) {
    throw new Error("a failed edit changed the file");
  }
  return done.ok ? sandbox.files().f : done.error;
}

describe("edit", () => {
  test("plans the write without making it", async () => {
    const sandbox = memorySandbox({ "a.ts": "let é = 1;\n" });
    const { effects } = await planOf(edit, ONCE, sandbox);
    expect(effects).toEqual([
      {
        kind: "file.write",
        sure: "exact",
        path: "/a.ts",
        before: { sha256: sha256("let é = 1;\n"), size_bytes: 12, mode: 0o644 },
        after: { sha256: sha256("let é = 2;\n"), size_bytes: 12, mode: 0o644 },
        diff: "--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-let é = 1;\n+let é = 2;\n",
      },
    ]);
    expect(sandbox.files()).toEqual({ "a.ts": "let é = 1;\n" });
  });

  test("tells what it did", async () => {
    expect(await callOf(edit, ONCE, memorySandbox({ "a.ts": "1" }))).toEqual({
      ok: true,
      output: "Edited a.ts (replacements: 1).",
      path: "/a.ts",
      sha256_before: sha256("1"),
      sha256_after: sha256("2"),
      diff: "--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n",
      replacements: 1,
    });
  });

  test.each([
    ["one text", "a\nb\nc\n", { old_string: "b", new_string: "B" }, "a\nB\nc\n"],
    ["nothing for a text", "a\nb\nc\n", { old_string: "b\n", new_string: "" }, "a\nc\n"],
    ["every place", "id, id\n", { old_string: "id", new_string: "user_id", replace_all: true }, "user_id, user_id\n"],
    ["all places of overlapping text, from the left", "aaaaa", { old_string: "aa", new_string: "b", replace_all: true }, "bba"],
    ["a text with dollar signs", "cost: 1", { old_string: "1", new_string: "$& $$ $1 $` $'" }, "cost: $& $$ $1 $` $'"],
    ["a text that looks like a pattern", "cost($x)[0]+;", { old_string: "cost($x)[0]+", new_string: "x" }, "x;"],
    ["backslashes as they are", 'print("hi")\n', { old_string: '"hi"', new_string: '"hi\\nyou\\t\\\\"' }, 'print("hi\\nyou\\t\\\\")\n'],
    ["the last line, without a line break", "alpha\nomega", { old_string: "omega", new_string: "zeta" }, "alpha\nzeta"],
    [
      "a line among tabs",
      "all:\n\tcc\n\nclean:\n\trm app\n",
      { old_string: "rm app", new_string: "rm -f app" },
      "all:\n\tcc\n\nclean:\n\trm -f app\n",
    ],
    ["text behind a byte-order mark", "\ufeffhello\r\n", { old_string: "hello", new_string: "HELLO" }, "\ufeffHELLO\r\n"],
    ["text beside a lone carriage return", "a\rb\nc\n", { old_string: "c", new_string: "C" }, "a\rb\nC\n"],
    ["a text of many bytes", "x😀y", { old_string: "😀", new_string: "日本" }, "x日本y"],
  ])("replaces %s", async (_, before, args, after) => {
    expect(await edited(before, args)).toBe(after);
  });

  test("keeps every byte outside the match", async () => {
    const before = "// keeps “curly” — dash\u00a0gap, e\u0301   \nconst name = 1;\n";
    expect(await edited(before, { old_string: "1", new_string: "2" })).toBe(before.replace("1", "2"));
  });

  test("writes through an inner link and keeps the mode", async () => {
    const sandbox = memorySandbox({ "store/v1": "on\n" }, { links: { current: "store/v1" } });
    await callOf(edit, { path: "current", old_string: "on", new_string: "off" }, sandbox);
    expect(sandbox.files()).toEqual({ "store/v1": "off\n" });
    expect(sandbox.look("current")).toEqual({ type: "link" });
  });

  test.each([
    ["not_found", { path: "gone" }, {}],
    ["read_failed", { path: "folder" }, { reason: "is_directory" }],
    ["read_failed", { path: "latin1" }, { reason: "not_utf8" }],
    ["no_match", { old_string: "9" }, { path: "a.ts" }],
    ["not_unique", { old_string: "1" }, { count: 2, lines: [1, 3] }],
    ["no_change", { old_string: "0", new_string: "0" }, { reason: "same_text" }],
    ["invalid_args", { old_string: "" }, {}],
    ["invalid_args", { old_string: undefined }, { reason: "edit_form" }],
    ["invalid_args", { new_string: undefined }, { reason: "edit_form" }],
    ["invalid_args", { old_string: undefined, new_string: undefined }, { reason: "edit_form" }],
    ["invalid_args", { edits: [{ old_string: "0", new_string: "5" }] }, { reason: "edit_form" }],
    ["invalid_args", { new_string: "[secret:TOKEN]" }, { reason: "secret_mark" }],
    ["invalid_args", { new_string: "\udc00" }, { reason: "lone_surrogate" }],
    ["outside_workspace", { path: "/etc/passwd" }, {}],
  ])("fails with %s for %j and leaves the files", async (kind, args, details) => {
    const files = { "/ws/a.ts": "1 + 0\n\n1\n", "/ws/latin1": new Uint8Array([0x63, 0x61, 0x66, 0xe9]) };
    const sandbox = memorySandbox(files, { workspace: "/ws" });
    sandbox.folder("/ws/folder");
    const before = sandbox.bytes("latin1");
    const done = await callOf(edit, { path: "a.ts", old_string: "0", new_string: "2", ...args }, sandbox);
    expect(done).toMatchObject({ ok: false, error: { kind, details } });
    expect(sandbox.files()["a.ts"]).toBe("1 + 0\n\n1\n");
    expect(sandbox.bytes("latin1")).toEqual(before);
  });

  test("cannot match half a character", async () => {
    expect(await edited("😀", { old_string: "\ud83d", new_string: "x" })).toMatchObject({ kind: "invalid_args" });
  });

  test("takes overlapping places for two when one is wanted", async () => {
    expect(await edited("\n\n\n", { old_string: "\n\n", new_string: "x" })).toMatchObject({ kind: "not_unique", details: { count: 2 } });
  });

  test("writes nothing when the file has changed since the plan", async () => {
    const sandbox = memorySandbox({ "a.ts": "1" });
    const plan = await planOf(edit, ONCE, sandbox);
    sandbox.put("a.ts", "1 and more");
    await expect(executePlan(edit, plan, sandbox)).rejects.toMatchObject({ kind: "changed_since_plan" });
    expect(sandbox.files()).toEqual({ "a.ts": "1 and more" });
  });

  test("refuses a result that no file may have, before it is built", async () => {
    const args = { old_string: "a", new_string: "x".repeat(1000), replace_all: true };
    expect(await edited("a".repeat(100_000), args)).toMatchObject({ kind: "write_failed", details: { reason: "too_large" } });
  });

  test("stops counting where it is clear that the text is not unique", async () => {
    expect(await edited("a".repeat(3_000_000), { old_string: "a", new_string: "b" })).toMatchObject({
      kind: "not_unique",
      details: { count: 10_000, count_is_at_least: true },
    });
  });

  test("replaces each place once, whatever the texts", async () => {
    const piece = fc
      .array(fc.constantFrom("a", "b", "\n", "é", "$&", "ab"), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(piece, piece, piece, piece, async (before, old_string, new_string, after) => {
        fc.pre(old_string !== new_string);
        const text = `${before}${old_string}${after}`;
        const wanted = text.split(old_string).join(new_string);
        expect(await edited(text, { old_string, new_string, replace_all: true })).toBe(wanted);
      }),
      { numRuns: 150 },
    );
  });

  test("takes a mark that is in the file already", async () => {
    expect(await edited("k=[secret:T]\n", { old_string: "k=[secret:T]", new_string: "key=[secret:T]" })).toBe("key=[secret:T]\n");
  });
});

describe("several edits", () => {
  const two = (a: object, b: object) => ({ edits: [a, b] });

  test("are matched against the file as it is, not against each other", async () => {
    expect(await edited("a b", two({ old_string: "a", new_string: "b" }, { old_string: "b", new_string: "c" }))).toBe("b c");
    expect(await edited("a", two({ old_string: "a", new_string: "b" }, { old_string: "b", new_string: "c" }))).toMatchObject({
      kind: "no_match",
    });
  });

  test("are made in any order of their places", async () => {
    expect(await edited("1 2 3", two({ old_string: "3", new_string: "three" }, { old_string: "1", new_string: "one" }))).toBe(
      "one 2 three",
    );
  });

  test("may touch, and may not overlap", async () => {
    expect(await edited("abcd", two({ old_string: "ab", new_string: "x" }, { old_string: "cd", new_string: "y" }))).toBe("xy");
    expect(await edited("abcd", two({ old_string: "abc", new_string: "x" }, { old_string: "cd", new_string: "y" }))).toMatchObject({
      kind: "invalid_args",
      details: { reason: "overlap", lines: [1, 1] },
    });
    expect(await edited("ab", two({ old_string: "ab", new_string: "x" }, { old_string: "ab", new_string: "y" }))).toMatchObject({
      kind: "invalid_args",
    });
  });

  test.each([
    ["no_match", { old_string: "host: b", new_string: "host: c" }],
    ["not_unique", { old_string: "o", new_string: "0" }],
    ["no_change", { old_string: "host", new_string: "host" }],
    ["invalid_args", { old_string: "host", new_string: "[secret:A]" }],
  ])("are all left undone for one with %s, which is named", async (kind, second) => {
    const error = await edited("port: 80\nhost: a\n", two({ old_string: "port: 80", new_string: "port: 81" }, second));
    expect(error).toMatchObject({ kind, details: { pointer: expect.stringMatching(/^\/edits\/1/) } });
  });

  test("may come as JSON text, or as one object", async () => {
    const one = { old_string: "one", new_string: "uno" };
    expect(await edited("one two\n", { edits: JSON.stringify([one]) })).toBe("uno two\n");
    expect(await edited("one two\n", { edits: one })).toBe("uno two\n");
    expect(await edited("one two\n", { edits: [one], old_string: null, new_string: null, replace_all: null })).toBe("uno two\n");
  });
});
