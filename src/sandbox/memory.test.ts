import { describe, expect, test } from "vitest";
import { sha256 } from "../base/hash.ts";
import { memorySandbox } from "./memory.ts";

const open = { cwd: "/", gate() {} };

describe("the memory sandbox", () => {
  test("has its workspace at the root, and tells its files by relative paths", async () => {
    const sandbox = memorySandbox({ "a.ts": "let é = 1;\n", "/src/b.ts": "b" }, { links: { "src/c.ts": "../a.ts" } });
    expect(sandbox.files()).toEqual({ "a.ts": "let é = 1;\n", "src/b.ts": "b" });
    const bytes = new TextEncoder().encode("2");
    await sandbox.write("src/c.ts", bytes, { ...open, before: sha256("let é = 1;\n"), mode: 0o600 });
    bytes.fill(0);
    expect(sandbox.files()).toEqual({ "a.ts": "2", "src/b.ts": "b" });
    expect(sandbox.look("a.ts")).toEqual({ type: "file", text: "2", mode: 0o600 });
    expect(await sandbox.stat("..", open)).toMatchObject({ path: "/", type: "directory" });
  });

  test("keeps files outside its workspace out of reach, and tells them by absolute paths", async () => {
    const sandbox = memorySandbox({ "a.ts": "a", "/etc/secret": "s" }, { workspace: "/work", home: "/home/me" });
    expect(sandbox.files()).toEqual({ "a.ts": "a", "/etc/secret": "s" });
    const reading = { cwd: "/work", gate() {}, maxBytes: 10 };
    await expect(sandbox.read("/etc/secret", reading)).rejects.toMatchObject({ kind: "outside_workspace" });
    expect((await sandbox.read("/work/a.ts", reading)).path).toBe("/work/a.ts");
    expect(await sandbox.resolve("~/x", { cwd: "/work" })).toEqual({ path: "/home/me/x" });
    expect(await sandbox.resolve("~", { cwd: "/work" })).toEqual({ path: "/home/me" });
  });

  test("can be changed from the side, as by another program", async () => {
    const sandbox = memorySandbox({ "a.ts": "a" });
    sandbox.put("a.ts", "b");
    await expect(sandbox.remove("a.ts", { ...open, before: sha256("a") })).rejects.toMatchObject({ kind: "changed_since_plan" });
    sandbox.put("a.ts", null);
    expect([sandbox.bytes("a.ts"), sandbox.look("a.ts")]).toEqual([null, null]);
  });
});
