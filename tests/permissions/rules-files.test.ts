/** Rules in files, their trust, and what a runtime makes of them. */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../src/index.ts";
import { type RuntimeOptions, readPolicy, workspaceTrust } from "../../src/node.ts";
import { dataOf, makePlace, open, type Place } from "../runtime/place.ts";

const OWN = ".collet/permissions.json";
const userFile = ({ root }: Place) => join(root, "home/.config/collet/permissions.json");
const ownFile = ({ workspace }: Place) => join(workspace, OWN);

function put(path: string, file: object | string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, typeof file === "string" ? file : JSON.stringify({ version: 1, ...file }), { mode: 0o600 });
  return path;
}

const ASK = { mode: "ask", asker: null } as const;
const withFiles = (place: Place, more: Partial<RuntimeOptions> = {}) => open(place, { rulesFiles: true, permissions: ASK, ...more });
const policyOf = ({ workspace, stateDir, env }: Place, more: Partial<RuntimeOptions> = {}) =>
  readPolicy({ workspace, stateDir, env, rulesFiles: true, permissions: ASK, ...more });
const trustOf = ({ workspace, stateDir, env }: Place) => workspaceTrust({ workspace, stateDir, env });
const writing = (path: string) => ["write", { path, content: "x" }] as const;

async function problemOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return isFailure(error) ? { kind: error.kind, message: error.message, ...error.details } : error;
}

describe("a runtime", () => {
  test("reads no file unless it is asked to, a broken one neither", async () => {
    const place = makePlace();
    put(userFile(place), { allow: ["write(**)"] });
    put(ownFile(place), "broken");
    const { runtime } = await open(place, { permissions: ASK });
    expect(await runtime.call(...writing("a"))).toMatchObject({ ok: false, error: { kind: "permission_denied" } });
  });

  test("holds to the user's rules, and names the file and line that decided", async () => {
    const place = makePlace();
    const file = put(userFile(place), '{ "version": 1,\n"allow": ["write(src/**)"],\n"deny": ["write(src/gen/**)"] }');
    const { runtime, events } = await withFiles(place);
    expect(await runtime.call(...writing("src/a"))).toMatchObject({ ok: true });
    expect(await runtime.call(...writing("src/gen/a"))).toMatchObject({
      ok: false,
      error: { kind: "permission_denied", details: { rule: "write(src/gen/**)", source: { from: "file", file, line: 3 } } },
    });
    expect(dataOf(events, "permission_decision")[0]?.decision).toMatchObject({
      outcome: "allow",
      rule: "write(src/**)",
      source: { from: "file", file, line: 2 },
    });
    expect(dataOf(events, "session_started")[0]?.rules).toEqual([
      { rule: "write(src/**)", effect: "allow", source: { from: "file", file, line: 2 } },
      { rule: "write(src/gen/**)", effect: "deny", source: { from: "file", file, line: 3 } },
    ]);
  });

  test("lets deny beat ask beat allow, wherever each stands", async () => {
    const place = makePlace();
    put(userFile(place), { deny: ["write(a)"], ask: ["write(b)"] });
    const { runtime } = await withFiles(place, { permissions: { mode: "auto", allow: ["write(**)"] } });
    const kinds = [];
    for (const path of ["a", "b", "c"]) kinds.push(await runtime.call(...writing(path)));
    expect(kinds).toMatchObject([
      { ok: false, error: { details: { rule: "write(a)" } } },
      { ok: false, error: { details: { rule: "write(b)", reason: "nobody_to_ask" } } },
      { ok: true },
    ]);
  });

  test.each<[string, (place: Place) => string, object]>([
    ["is no JSON", (place) => put(userFile(place), "{\n"), { reason: "not_json" }],
    [
      "holds a rule that is none",
      (place) => put(userFile(place), '{ "version": 1,\n"deny": ["raed(x)"] }'),
      { reason: "bad_rule", line: 2 },
    ],
    ["chooses auto", (place) => put(userFile(place), { mode: "auto" }), { reason: "bad_mode", line: 1 }],
    ["of the workspace is broken", (place) => put(ownFile(place), { allowed: [] }), { reason: "unknown_key", line: 1 }],
    ["is too large", (place) => put(userFile(place), " ".repeat(256 * 1024 + 1)), { reason: "too_large" }],
    ["is a folder", (place) => dirname(put(join(userFile(place), "x"), "")), { reason: "not_a_file" }],
    [
      "is no text",
      (place) => {
        const path = put(userFile(place), "");
        writeFileSync(path, new Uint8Array([0xff, 0xfe]));
        return path;
      },
      { reason: "not_utf8" },
    ],
    [
      "of the workspace is a link",
      (place) => {
        const path = put(ownFile(place), "");
        rmSync(path);
        symlinkSync("/dev/zero", path);
        return path;
      },
      { reason: "symlink" },
    ],
    [
      "lies in a folder of the workspace that is a link",
      (place) => {
        put(join(place.root, "elsewhere/permissions.json"), {});
        symlinkSync("../elsewhere", join(place.workspace, ".collet"));
        return ownFile(place);
      },
      { reason: "symlink" },
    ],
    [
      "is a link to nothing",
      (place) => {
        const path = put(userFile(place), "");
        rmSync(path);
        symlinkSync("gone", path);
        return path;
      },
      { reason: "symlink" },
    ],
  ])("is not made where a file %s", async (_, make, details) => {
    const place = makePlace();
    const path = make(place);
    expect(await problemOf(withFiles(place))).toMatchObject({ kind: "invalid_config", path, ...details });
  });

  test("is not made where others may write the user's file or its folder, and follows a link to one of the user's own", async () => {
    const place = makePlace();
    const path = put(userFile(place), {});
    chmodSync(path, 0o622);
    expect(await problemOf(withFiles(place))).toMatchObject({ kind: "invalid_config", path, reason: "writable_by_others" });
    chmodSync(path, 0o600);
    chmodSync(dirname(path), 0o720);
    expect(await problemOf(withFiles(place))).toMatchObject({ path: dirname(path), reason: "writable_by_others" });
    chmodSync(dirname(path), 0o700);
    rmSync(path);
    symlinkSync(put(join(place.root, "dotfiles/permissions.json"), { allow: ["write(a)"] }), path);
    const { runtime } = await withFiles(place);
    expect(await runtime.call(...writing("a"))).toMatchObject({ ok: true });
  });

  test("denies every call while a file is broken that was whole when it was made", async () => {
    const place = makePlace();
    const path = put(userFile(place), { allow: ["write(a)"] });
    const { runtime, events } = await withFiles(place);
    put(path, "{");
    for (const tool of ["write", "read"])
      expect(await runtime.call(tool, { path: "a", content: "" })).toMatchObject({
        ok: false,
        call_id: null,
        error: { kind: "invalid_config" },
      });
    expect(events).toEqual([]);
    put(path, { allow: ["write(a)"] });
    expect(await runtime.call(...writing("a"))).toMatchObject({ ok: true });
  });
});

describe("the file of a workspace", () => {
  test("only narrows until it is trusted, and again when it was changed", async () => {
    const place = makePlace();
    put(ownFile(place), { allow: ["write(a)"], deny: ["write(b)"] });
    const call = async (path: string) =>
      (await withFiles(place, { permissions: { ...ASK, allow: ["write(b)"] } })).runtime.call(...writing(path));
    expect(await call("a")).toMatchObject({ ok: false, error: { details: { reason: "nobody_to_ask" } } });
    expect(await call("b")).toMatchObject({ ok: false, error: { details: { rule: "write(b)" } } });
    expect(await policyOf(place)).toMatchObject({
      files: [
        { owner: "user", state: "absent" },
        { owner: "workspace", state: "narrowing" },
      ],
      rules: [
        { rule: "write(b)", in_force: true },
        { rule: "write(a)", in_force: false },
      ],
    });

    const trust = await trustOf(place);
    expect(trust.files).toMatchObject([{ file: OWN, trusted: false, asks: ["allow write(a)"] }]);
    await trust.trust();
    expect(await call("a")).toMatchObject({ ok: true });
    expect(await call("b")).toMatchObject({ ok: false });
    expect((await policyOf(place)).files[1]).toMatchObject({ state: "in_force" });

    put(ownFile(place), { allow: ["write(a)", "write(c)"] });
    expect(await call("c")).toMatchObject({ ok: false });
    expect((await trustOf(place)).files).toMatchObject([{ trusted: false }]);
  });

  test("is trusted as it was shown, whatever stands there by then", async () => {
    const place = makePlace();
    put(ownFile(place), { allow: ["write(a)"] });
    const shown = await trustOf(place);
    put(ownFile(place), { allow: ["write(**)"] });
    await shown.trust();
    expect((await trustOf(place)).files).toMatchObject([{ trusted: false, asks: ["allow write(**)"] }]);
    put(ownFile(place), { allow: ["write(a)"] });
    expect((await trustOf(place)).files).toMatchObject([{ trusted: true }]);
  });

  test("is trusted in its own workspace alone, until that is taken back", async () => {
    const [place, other] = [makePlace(), makePlace()];
    for (const each of [place, other]) put(ownFile(each), { allow: ["write(a)"] });
    await (await trustOf(place)).trust();
    await (await trustOf(place)).trust();
    expect((await trustOf({ ...other, stateDir: place.stateDir })).files).toMatchObject([{ trusted: false }]);
    expect(await (await trustOf(place)).revoke()).toBe(1);
    expect((await trustOf(place)).files).toMatchObject([{ trusted: false }]);
  });

  test("holds without trust where it denies and asks, and opens no guarded file to a question until then", async () => {
    const place = makePlace({ ".env": "KEY=1" });
    put(ownFile(place), { ask: ["read(.env)", "write(a)"] });
    expect((await trustOf(place)).files).toMatchObject([{ trusted: false, asks: ["ask read(.env)"] }]);
    const asked: string[] = [];
    const asker = async ({ tool }: { tool: string }) => {
      asked.push(tool);
      return { answer: "allow" } as const;
    };
    const { runtime } = await withFiles(place, { permissions: { mode: "auto", asker } });
    expect(await runtime.call("read", { path: ".env" })).toMatchObject({ ok: false, error: { kind: "protected_path" } });
    expect(await runtime.call(...writing("a"))).toMatchObject({ ok: true });
    expect(asked).toEqual(["write"]);
  });

  test.each([
    ["auto", "read_only", "read_only"],
    ["auto", "ask", "ask"],
    ["ask", "read_only", "read_only"],
    ["read_only", "ask", "read_only"],
  ] as const)("narrows the mode: %s and %s are %s", async (chosen, named, mode) => {
    const place = makePlace();
    put(ownFile(place), { mode: named });
    const permissions = { mode: chosen, asker: null } as const;
    const isNarrower = mode !== chosen;
    const source = isNarrower ? { from: "file", file: ownFile(place) } : { from: "api" };
    expect(await policyOf(place, { permissions })).toMatchObject({ mode, mode_source: source });
    const { runtime, events } = await withFiles(place, { permissions });
    await runtime.call("read", { path: "none" });
    expect(dataOf(events, "session_started")[0]?.mode).toBe(mode);
  });

  test("cannot be written by a call that is allowed everything else", async () => {
    const place = makePlace();
    const { runtime } = await withFiles(place, { permissions: { mode: "auto", allow: ["write(**)"] } });
    expect(await runtime.call(...writing(OWN))).toMatchObject({ ok: false, error: { kind: "protected_path" } });
  });
});

test("the user's mode is the default where the host says that its own is only that", async () => {
  const place = makePlace();
  const file = put(userFile(place), { mode: "read_only" });
  expect(await policyOf(place)).toMatchObject({ mode: "ask", mode_source: { from: "api" } });
  expect(await policyOf(place, { modeIsDefault: true })).toMatchObject({ mode: "read_only", mode_source: { from: "file", file } });
  expect(readFileSync(file, "utf8")).toContain("read_only");
});
