import assert from "node:assert/strict";
import { isFailure } from "../base/fail.ts";
import { sha256 } from "../base/hash.ts";
import { failsWith } from "./contract-case.ts";
import { accessTo, readText, writeText } from "./sandbox-calls.ts";
import type { SandboxCases } from "./sandbox-fixture.ts";

export const sandboxWriteCases: SandboxCases = {
  "writes a new file and its folders": async ({ sandbox, look }) => {
    const at = sandbox.workspace;
    const told = await writeText(sandbox, "a/b/c.txt", { text: "é\n", before: null });
    assert.deepEqual(told, { path: `${at}/a/b/c.txt`, version: { sha256: sha256("é\n"), size_bytes: 3, mode: 0o644 } });
    assert.deepEqual(await look(`${at}/a/b/c.txt`), { type: "file", text: "é\n", mode: 0o644 });
    const { entries } = await sandbox.list("a/b", accessTo(sandbox));
    assert.deepEqual(entries, [{ name: "c.txt", type: "file" }]);
  },

  "replaces a file that is what the plan read": async ({ sandbox, put, look }) => {
    await put(`${sandbox.workspace}/a.sh`, "one");
    await writeText(sandbox, "a.sh", { text: "two", before: sha256("one"), mode: 0o755 });
    assert.deepEqual(await look(`${sandbox.workspace}/a.sh`), { type: "file", text: "two", mode: 0o755 });
    assert.deepEqual((await sandbox.list(".", accessTo(sandbox))).entries, [{ name: "a.sh", type: "file" }]);
  },

  "writes nothing over what the plan has not read": async ({ sandbox, put, look }) => {
    const at = sandbox.workspace;
    await put(`${at}/a.txt`, "now");
    const rows: readonly [string, string | null, string | null][] = [
      ["a.txt", sha256("then"), sha256("now")],
      ["a.txt", null, sha256("now")],
      ["gone.txt", sha256("then"), null],
      ["no/such/gone.txt", sha256("then"), null],
    ];
    for (const [path, before, now] of rows) {
      const details = { path, sha256_before: before, sha256_now: now };
      await failsWith(() => writeText(sandbox, path, { text: "mine", before }), "changed_since_plan", details);
    }
    assert.equal((await look(`${at}/a.txt`))?.text, "now");
    assert.deepEqual((await sandbox.list(".", accessTo(sandbox))).entries, [{ name: "a.txt", type: "file" }]);
  },

  "lets one of several writers of a new file win": async ({ sandbox }) => {
    const texts = ["one", "two", "three", "four"];
    const ends = await Promise.allSettled(texts.map((text) => writeText(sandbox, "d/new.txt", { text, before: null })));
    const won = texts.filter((_, index) => ends[index]?.status === "fulfilled");
    const lost = ends.flatMap((end) => (end.status === "rejected" ? [isFailure(end.reason) ? end.reason.kind : String(end.reason)] : []));
    assert.deepEqual({ won, lost }, { won: [await readText(sandbox, "d/new.txt")], lost: lost.map(() => "changed_since_plan") });
    assert.equal((await sandbox.list("d", accessTo(sandbox))).entries.length, 1);
  },

  "writes through a link, which stays": async ({ sandbox, put, link, look }) => {
    const at = sandbox.workspace;
    await put(`${at}/store/v1.txt`, "one");
    await link(`${at}/current`, "store/v1.txt");
    await link(`${at}/next`, "store/new/v2.txt");
    const over = await writeText(sandbox, "current", { text: "two", before: sha256("one") });
    const made = await writeText(sandbox, "next", { text: "three", before: null });
    assert.deepEqual([over.path, made.path], [`${at}/store/v1.txt`, `${at}/store/new/v2.txt`]);
    assert.deepEqual([(await look(`${at}/current`))?.type, (await look(`${at}/next`))?.type], ["link", "link"]);
    assert.deepEqual([(await look(`${at}/store/v1.txt`))?.text, (await look(`${at}/store/new/v2.txt`))?.text], ["two", "three"]);
  },

  "writes nothing where a folder stands or is meant": async ({ sandbox, folder, look }) => {
    await folder(`${sandbox.workspace}/d`);
    for (const path of ["d", "d/", ".", "new/", "new/sub/.", "d/.."]) {
      await failsWith(() => writeText(sandbox, path, { text: "x", before: null }), "write_failed", { path, reason: "is_directory" });
    }
    assert.equal(await look(`${sandbox.workspace}/new`), null);
  },

  "writes empty and large files whole": async ({ sandbox }) => {
    for (const text of ["", "z".repeat(1_000_000), "\ufeffb\r\n"]) {
      const { version } = await sandbox.version("a.txt", accessTo(sandbox));
      await writeText(sandbox, "a.txt", { text, before: version?.sha256 ?? null });
      assert.ok((await readText(sandbox, "a.txt")) === text);
    }
  },

  "takes the longest name that a file can have": async ({ sandbox }) => {
    const name = "n".repeat(255);
    await writeText(sandbox, name, { text: "x", before: null });
    await writeText(sandbox, name, { text: "y", before: sha256("x") });
    assert.equal(await readText(sandbox, name), "y");
  },

  "removes only the version that the plan read": async ({ sandbox, put, folder, look }) => {
    const at = sandbox.workspace;
    await put(`${at}/a.txt`, "now");
    await folder(`${at}/d`);
    const remove = (path: string, text: string) => sandbox.remove(path, { ...accessTo(sandbox), before: sha256(text) });
    const details = { sha256_before: sha256("then"), sha256_now: sha256("now") };
    await failsWith(() => remove("a.txt", "then"), "changed_since_plan", details);
    await failsWith(() => remove("none.txt", "then"), "not_found");
    await failsWith(() => remove("no/such.txt", "then"), "not_found");
    await failsWith(() => remove("d", "then"), "write_failed", { reason: "is_directory" });
    assert.equal((await look(`${at}/a.txt`))?.text, "now");
    assert.deepEqual(await remove("a.txt", "now"), { path: `${at}/a.txt` });
    assert.equal(await look(`${at}/a.txt`), null);
  },

  "has no processes where it says so": async ({ sandbox }) => {
    if (sandbox.processes) return;
    const request = { argv: ["true"] as const, cwd: sandbox.workspace, env: {}, timeoutMs: 1000, maxOutputBytes: 1000 };
    await failsWith(() => sandbox.exec({ ...request, signal: new AbortController().signal, onOutput() {} }), "bash_disabled");
  },
};
