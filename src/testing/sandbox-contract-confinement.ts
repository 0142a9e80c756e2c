import assert from "node:assert/strict";
import { fail } from "../base/fail.ts";
import { sha256 } from "../base/hash.ts";
import { failsWith } from "./contract-case.ts";
import { accessTo, FILE_CALLS, readText, writeText } from "./sandbox-calls.ts";
import type { SandboxCases, SandboxFixture } from "./sandbox-fixture.ts";

/** Fails unless every file method refuses the path as outside, and nothing outside has changed. */
async function isRefused(fixture: SandboxFixture, path: string): Promise<void> {
  for (const call of Object.values(FILE_CALLS)) {
    const gate = () => assert.fail("the gate was asked about a place outside");
    await failsWith(() => call(fixture.sandbox, path, gate), "outside_workspace", { path });
  }
}

/** Paths that lead nowhere good, by what is there; all below `secrets/`. */
const HIDDEN = [
  "file.txt",
  "missing.txt",
  "folder",
  "file.txt/below",
  "missing/below.txt",
  "link.txt",
  "cycle",
  `${"n".repeat(256)}`,
  "file.txt/",
];

async function hide({ sandbox, put, link, folder }: SandboxFixture): Promise<void> {
  const at = `${sandbox.workspace}/secrets`;
  await put(`${at}/file.txt`, "x");
  await put(`${at}/target.txt`, "x");
  await folder(`${at}/folder`);
  await link(`${at}/link.txt`, "target.txt");
  await link(`${at}/cycle`, "cycle");
}

export const sandboxConfinementCases: SandboxCases = {
  "refuses paths that are spelled outside": async (fixture) => {
    const { sandbox, outside, put } = fixture;
    await put(`${outside}/secret.txt`, "SECRET");
    await put(`${sandbox.workspace}-evil/secret.txt`, "SECRET");
    const name = outside.slice(outside.lastIndexOf("/") + 1);
    const spelled = [`${outside}/secret.txt`, `${outside}/new.txt`, outside, `../${name}/secret.txt`, `a/../../${name}/secret.txt`, ".."];
    const more = [`${sandbox.workspace}-evil/secret.txt`, `${sandbox.workspace}/../${name}/secret.txt`, "/", "/proc/self/root/etc/passwd"];
    for (const path of [...spelled, ...more]) await isRefused(fixture, path);
    assert.deepEqual(await fixture.look(`${outside}/new.txt`), null);
    assert.equal((await fixture.look(`${outside}/secret.txt`))?.text, "SECRET");
  },

  "takes a leading tilde for the home folder": async (fixture) => {
    for (const path of ["~", "~/notes/todo.txt", "~root/x", "~+"]) await isRefused(fixture, path);
    assert.equal(await fixture.look(`${fixture.sandbox.workspace}/~`), null);
    await writeText(fixture.sandbox, "./~", { text: "mine", before: null });
    assert.equal(await readText(fixture.sandbox, "./~"), "mine");
  },

  "refuses links that leave, wherever they stand in the path": async (fixture) => {
    const { sandbox, outside, put, link } = fixture;
    const at = sandbox.workspace;
    const name = outside.slice(outside.lastIndexOf("/") + 1);
    await put(`${outside}/secret.txt`, "x");
    await link(`${at}/file`, `${outside}/secret.txt`);
    await link(`${at}/relative`, `../${name}/secret.txt`);
    await link(`${at}/dangling`, `${outside}/new.txt`);
    await link(`${at}/folder`, outside);
    await link(`${at}/chain`, "folder/secret.txt");
    await link(`${at}/deep/up`, `../../${name}`);
    const paths = ["file", "relative", "dangling", "chain", "folder", "folder/secret.txt", "folder/new/sub/file.txt", "deep/up/secret.txt"];
    for (const path of [...paths, "folder/../secret.txt", `${at}/folder/secret.txt`]) await isRefused(fixture, path);
    assert.equal((await fixture.look(`${outside}/secret.txt`))?.text, "x");
    assert.deepEqual([await fixture.look(`${outside}/new.txt`), await fixture.look(`${outside}/new`)], [null, null]);
    assert.equal((await fixture.look(`${at}/dangling`))?.type, "link");
  },

  "refuses a working folder outside": async ({ sandbox, outside }) => {
    await failsWith(() => sandbox.stat("a.txt", { cwd: outside, gate() {} }), "outside_workspace");
  },

  "follows links that stay inside and tells the real path": async ({ sandbox, put, link }) => {
    const at = sandbox.workspace;
    await put(`${at}/store/v1.txt`, "one");
    await link(`${at}/relative`, "store/v1.txt");
    await link(`${at}/absolute`, `${at}/store/v1.txt`);
    await link(`${at}/folder`, "store");
    await link(`${at}/store/back`, "../relative");
    await link(`${at}/out-and-in`, `../${at.slice(at.lastIndexOf("/") + 1)}/store/v1.txt`);
    for (const path of ["relative", "absolute", "folder/v1.txt", "folder/back", "out-and-in", "folder/../store/v1.txt"]) {
      const seen: string[] = [];
      const gate = ({ path: real }: { readonly path: string }) => void seen.push(real);
      const { path: told } = await sandbox.read(path, { ...accessTo(sandbox, gate), maxBytes: 10 });
      assert.deepEqual({ path, told, seen }, { path, told: `${at}/store/v1.txt`, seen: [`${at}/store/v1.txt`] });
    }
  },

  "takes paths as they are written": async ({ sandbox, put }) => {
    const at = sandbox.workspace;
    await put(`${at}/src/a.txt`, "A");
    const paths = [
      "src/a.txt",
      "./src//a.txt",
      "src/./a.txt",
      "src/../src/a.txt",
      "missing/../src/a.txt",
      "src/a.txt/../a.txt",
      `${at}/src/a.txt`,
    ];
    for (const path of paths) assert.equal(await readText(sandbox, path), "A", path);
    const fromBelow = await sandbox.read("../src/a.txt", { cwd: `${at}/src`, gate() {}, maxBytes: 10 });
    assert.equal(fromBelow.path, `${at}/src/a.txt`);
  },

  "asks the gate once, with the real path, before each use": async ({ sandbox, put }) => {
    const at = sandbox.workspace;
    for (const [name, call] of Object.entries(FILE_CALLS)) {
      await put(`${at}/d/file.txt`, "x");
      const path = name === "list" ? "d" : name === "write" ? "new/file.txt" : "d/file.txt";
      const seen: unknown[] = [];
      await call(sandbox, path, (location) => void seen.push(location));
      assert.deepEqual({ name, seen }, { name, seen: [{ path: `${at}/${path}` }] });
    }
  },

  "throws what the gate throws, whatever is there": async (fixture) => {
    await hide(fixture);
    const { sandbox } = fixture;
    for (const [name, call] of Object.entries(FILE_CALLS)) {
      for (const path of HIDDEN) {
        for (const [wait, later] of [
          [false, () => {}],
          [true, () => Promise.resolve()],
        ] as const) {
          const refusal = fail("protected_path", "not this one", {});
          const gate = wait
            ? async () => {
                await later();
                throw refusal;
              }
            : () => {
                throw refusal;
              };
          await assert.rejects(call(sandbox, `secrets/${path}`, gate), (error) => error === refusal, `${name} ${path}`);
        }
      }
    }
    const listed = await sandbox.list("secrets", accessTo(sandbox));
    assert.deepEqual(
      listed.entries.map(({ name }) => name),
      ["cycle", "file.txt", "folder", "link.txt", "target.txt"],
    );
  },

  "names what can be no path": async ({ sandbox, put }) => {
    await put(`${sandbox.workspace}/file.txt`, "x");
    const rows: readonly [string, string][] = [
      ["", "invalid_path"],
      ["a\0b", "invalid_path"],
      ["a\ud800b", "invalid_path"],
      ["é".repeat(128), "name_too_long"],
      [`${"d/".repeat(2048)}a`, "name_too_long"],
      ["file.txt/below", "not_a_directory"],
      ["file.txt/below/further", "not_a_directory"],
    ];
    for (const [path, reason] of rows) {
      for (const [name, call] of Object.entries(FILE_CALLS)) {
        await failsWith(() => call(sandbox, path), name === "write" || name === "remove" ? "write_failed" : "read_failed", { reason });
      }
    }
  },

  "ends at a cycle of links": async ({ sandbox, link }) => {
    await link(`${sandbox.workspace}/a`, "b");
    await link(`${sandbox.workspace}/b`, "a");
    for (const path of ["a", "a/below"]) {
      await failsWith(() => sandbox.stat(path, accessTo(sandbox)), "read_failed", { reason: "link_cycle" });
      await failsWith(() => writeText(sandbox, path, { text: "", before: null }), "write_failed", { reason: "link_cycle" });
      await failsWith(() => sandbox.resolve(path, { cwd: sandbox.workspace }), "read_failed", { reason: "link_cycle" });
    }
  },

  "resolves paths anywhere, existing or not": async ({ sandbox, outside, put, link }) => {
    const at = sandbox.workspace;
    await put(`${outside}/secret.txt`, "SECRET");
    await put(`${at}/a.txt`, "x");
    await link(`${at}/leak`, outside);
    const rows: readonly [string, string][] = [
      ["a.txt", `${at}/a.txt`],
      ["leak/secret.txt", `${outside}/secret.txt`],
      ["leak/new/sub.txt", `${outside}/new/sub.txt`],
      ["leak/../x", `${outside.slice(0, outside.lastIndexOf("/"))}/x`],
      ["new/../b.txt", `${at}/b.txt`],
      ["a.txt/below", `${at}/a.txt/below`],
      [".", at],
      ["/", "/"],
      ["/../no-such-folder/x", "/no-such-folder/x"],
    ];
    for (const [path, real] of rows) assert.deepEqual({ path, at: await sandbox.resolve(path, { cwd: at }) }, { path, at: { path: real } });
    await failsWith(() => sandbox.resolve("a\0b", { cwd: at }), "read_failed", { reason: "invalid_path" });
    await failsWith(() => sandbox.resolve("~nobody/x", { cwd: at }), "read_failed", { reason: "home_unknown" });
  },

  "removes through a link what the link means": async ({ sandbox, put, link, look }) => {
    const at = sandbox.workspace;
    await put(`${at}/real.txt`, "x");
    await link(`${at}/link.txt`, "real.txt");
    assert.deepEqual(await sandbox.remove("link.txt", { ...accessTo(sandbox), before: sha256("x") }), { path: `${at}/real.txt` });
    assert.deepEqual([await look(`${at}/real.txt`), (await look(`${at}/link.txt`))?.type], [null, "link"]);
  },
};
