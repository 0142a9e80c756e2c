import { describe, expect, test } from "vitest";
import { sha256 } from "../base/hash.ts";
import { memorySandbox } from "../sandbox/index.ts";
import { callOf, executePlan, planOf } from "../testing/direct-call.ts";
import { write } from "./write.ts";

describe("write", () => {
  test("plans the very write and makes none", async () => {
    const sandbox = memorySandbox({ "a.txt": "old\n" });
    const { effects } = await planOf(write, { path: "a.txt", content: "néw\n" }, sandbox);
    expect(effects).toEqual([
      {
        kind: "file.write",
        sure: "exact",
        path: "/a.txt",
        before: { sha256: sha256("old\n"), size_bytes: 4, mode: 0o644 },
        after: { sha256: sha256("néw\n"), size_bytes: 5, mode: 0o644 },
        diff: "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-old\n+néw\n",
      },
    ]);
    expect(sandbox.files()).toEqual({ "a.txt": "old\n" });
  });

  test("makes a file with its folders", async () => {
    const sandbox = memorySandbox();
    const done = await callOf(write, { path: "out/new/deep.txt", content: "x\n" }, sandbox);
    expect(done).toEqual({
      ok: true,
      output: "Created out/new/deep.txt (2 bytes).",
      path: "/out/new/deep.txt",
      sha256_before: null,
      sha256_after: sha256("x\n"),
      diff: "--- /dev/null\n+++ out/new/deep.txt\n@@ -0,0 +1 @@\n+x\n",
      replacements: 0,
    });
    expect(sandbox.files()).toEqual({ "out/new/deep.txt": "x\n" });
  });

  test.each([
    ["empty content", ""],
    ["no line break at the end", "a"],
    ["Windows line ends", "a\r\n"],
    ["a byte-order mark and a NUL", "\ufeffa\0b"],
    ["escapes, as they are", "a\\n$&"],
  ])("writes %s as it is", async (_, content) => {
    const sandbox = memorySandbox({ "a.txt": "old" });
    expect(await callOf(write, { path: "a.txt", content }, sandbox)).toMatchObject({ ok: true, sha256_before: sha256("old") });
    expect(sandbox.bytes("a.txt")).toEqual(new TextEncoder().encode(content));
  });

  test("keeps the mode of the file and writes through an inner link", async () => {
    const sandbox = memorySandbox({ "real.sh": "old" }, { links: { "link.sh": "real.sh" } });
    const { effects } = await planOf(
      write,
      { path: "link.sh", content: "new" },
      {
        ...sandbox,
        version: async (...args) => {
          const found = await sandbox.version(...args);
          return { ...found, version: found.version && { ...found.version, mode: 0o755 } };
        },
        read: async (...args) => {
          const found = await sandbox.read(...args);
          return { ...found, version: { ...found.version, mode: 0o755 } };
        },
      },
    );
    expect(effects).toMatchObject([{ path: "/real.sh", after: { mode: 0o755 } }]);
    await callOf(write, { path: "link.sh", content: "new" }, sandbox);
    expect(sandbox.files()).toEqual({ "real.sh": "new" });
    expect(sandbox.look("link.sh")).toEqual({ type: "link" });
  });

  test("says when the content was there already", async () => {
    const done = await callOf(write, { path: "a", content: "same" }, memorySandbox({ a: "same" }));
    expect(done).toMatchObject({ ok: true, sha256_before: sha256("same"), sha256_after: sha256("same"), diff: "" });
  });

  test("does not overwrite when it is told not to", async () => {
    const sandbox = memorySandbox({ a: "kept" });
    expect(await callOf(write, { path: "a", content: "x", overwrite: false }, sandbox)).toMatchObject({
      error: { kind: "write_failed", details: { reason: "exists" } },
    });
    expect(await callOf(write, { path: "b", content: "x", overwrite: false }, sandbox)).toMatchObject({ ok: true });
    expect(sandbox.files()).toEqual({ a: "kept", b: "x" });
  });

  test.each([
    ["changed", "other"],
    ["gone", null],
  ])("writes nothing when the file is %s since the plan", async (_, now) => {
    const sandbox = memorySandbox({ a: "old" });
    const plan = await planOf(write, { path: "a", content: "new" }, sandbox);
    sandbox.put("a", now);
    await expect(executePlan(write, plan, sandbox)).rejects.toMatchObject({ kind: "changed_since_plan" });
    expect(sandbox.files()).toEqual(now === null ? {} : { a: now });
  });

  test("writes nothing when a file has come where there was none", async () => {
    const sandbox = memorySandbox();
    const plan = await planOf(write, { path: "a", content: "new" }, sandbox);
    sandbox.put("a", "someone else's");
    await expect(executePlan(write, plan, sandbox)).rejects.toMatchObject({ kind: "changed_since_plan" });
    expect(sandbox.files()).toEqual({ a: "someone else's" });
  });

  test.each([
    ["no content", "invalid_args", { path: "a" }, {}],
    ["content that is no text", "invalid_args", { path: "a", content: { x: 1 } }, {}],
    ["half a character", "invalid_args", { path: "a", content: "x\ud83d" }, { reason: "lone_surrogate" }],
    [
      "a mark of a secret",
      "invalid_args",
      { path: "a", content: "key=[secret:API_KEY]" },
      { reason: "secret_mark", mark: "[secret:API_KEY]" },
    ],
    ["a folder", "read_failed", { path: "folder", content: "x" }, {}],
    ["a path outside", "outside_workspace", { path: "../x", content: "x" }, {}],
    ["the home folder", "outside_workspace", { path: "~/notes/todo.txt", content: "x" }, {}],
  ])("refuses %s and leaves the files", async (_, kind, args, details) => {
    const sandbox = memorySandbox({ "/ws/a": "precious\n" }, { workspace: "/ws" });
    sandbox.folder("/ws/folder");
    const done = await callOf(write, args, sandbox);
    expect(done).toMatchObject({ ok: false, error: { kind, details } });
    expect(sandbox.files()).toEqual({ a: "precious\n" });
  });

  test("takes a mark that the file holds already, wherever in a large one", async () => {
    const mark = "see [secret:API_KEY]";
    const sandbox = memorySandbox({ a: mark, big: "x".repeat(2_000_000) + mark });
    expect(await callOf(write, { path: "a", content: `${mark}\n` }, sandbox)).toMatchObject({ ok: true });
    expect(await callOf(write, { path: "big", content: mark }, sandbox)).toMatchObject({ ok: true });
  });

  test("does not replace a huge file, nor hash it to find out", async () => {
    const sandbox = memorySandbox({ a: "x" });
    const huge = {
      ...sandbox,
      stat: async (...args: Parameters<typeof sandbox.stat>) => ({
        ...(await sandbox.stat(...args)),
        type: "file" as const,
        path: "/a",
        mode: 0o644,
        size_bytes: 2 ** 31,
      }),
      version: () => Promise.reject(new Error("hashed")),
    };
    expect(await callOf(write, { path: "a", content: "y" }, huge)).toMatchObject({
      error: { kind: "write_failed", details: { reason: "too_large" } },
    });
  });

  test("does not show what is no text in its diff", async () => {
    const sandbox = memorySandbox({ a: new Uint8Array([0xff, 0xfe, 0x00]) });
    const [effect] = (await planOf(write, { path: "a", content: "x\n" }, sandbox)).effects;
    expect(effect).toMatchObject({ diff: "--- (content that is not shown)\n+++ a\n@@ -0,0 +1 @@\n+x\n" });
  });

  test("keeps the diff of a large write small", async () => {
    const sandbox = memorySandbox({ a: "old line\n".repeat(100_000) });
    const [effect] = (await planOf(write, { path: "a", content: "new line\n".repeat(100_000) }, sandbox)).effects;
    expect(JSON.stringify(effect).length).toBeLessThan(80_000);
  });
});
