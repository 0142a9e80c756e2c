import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isFailure } from "../base/fail.ts";
import { approvalsPath, readApprovals, readTrust, type WorkspacePlace, writeApprovals, writeTrust } from "./index.ts";

let place: WorkspacePlace;
beforeEach(() => {
  place = { stateDir: join(mkdtempSync(join(tmpdir(), "collet-state-")), "state"), workspace: "/some/ws" };
});
afterEach(() => rmSync(dirname(place.stateDir), { recursive: true, force: true }));

const approval = (rule: string) => ({ rule, at: "2026-11-30T12:00:00.000Z", session_id: "s1" });

async function put(text: string | Uint8Array): Promise<string> {
  await writeApprovals(place, [], "x");
  writeFileSync(approvalsPath(place), text, { mode: 0o600 });
  return approvalsPath(place);
}

async function problem() {
  const error = await readApprovals(place).catch((thrown: unknown) => thrown);
  return isFailure(error) ? { kind: error.kind, ...error.details } : error;
}

describe("what is kept beside the sessions of a workspace", () => {
  test("is nothing, and makes nothing, before something is kept", async () => {
    expect([await readApprovals(place), await readTrust(place)]).toEqual([[], []]);
    expect(existsSync(place.stateDir)).toBe(false);
  });

  test("is private, and comes back with the line of each", async () => {
    await writeApprovals(place, [approval("command(npm test)"), approval("write(a\nb)")], "x");
    expect(await readApprovals(place)).toEqual([
      { ...approval("command(npm test)"), line: 2 },
      { ...approval("write(a\nb)"), line: 3 },
    ]);
    const path = approvalsPath(place);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(path))).toEqual(["approvals.json"]);
  });

  test("is replaced whole", async () => {
    await writeApprovals(place, [approval("read(a)"), approval("read(c)")], "x");
    await writeApprovals(place, [approval("read(b)")], "x");
    expect(await readApprovals(place)).toMatchObject([{ rule: "read(b)" }]);
  });

  test("is of one workspace", async () => {
    await writeTrust(place, [{ file: ".collet/permissions.json", sha256: "a".repeat(64), at: "2026-11-30T12:00:00.000Z" }], "x");
    expect(await readTrust({ ...place, workspace: "/other" })).toEqual([]);
    expect(await readTrust(place)).toHaveLength(1);
  });

  test.each<[string, string | Uint8Array, object]>([
    ["no JSON", "{", { reason: "not_json", line: 1 }],
    ["a list", "[]", { reason: "bad_shape" }],
    ["another version", '{"version": 2, "approvals": []}', { reason: "bad_shape" }],
    ["an approval that is none", '{"version": 1, "approvals": [\n{"rule": 1}]}', { reason: "bad_shape", line: 2 }],
    ["no text", new Uint8Array([0xff]), { reason: "not_utf8" }],
    ["too much", " ".repeat(1024 * 1024 + 1), { reason: "too_large" }],
  ])("is refused when the file holds %s", async (_, text, details) => {
    const path = await put(text);
    expect(await problem()).toMatchObject({ kind: "invalid_config", path, ...details });
  });

  test("is refused when others may write it, when it is a link, and when it is no file", async () => {
    const path = await put('{"version": 1, "approvals": []}');
    chmodSync(path, 0o620);
    expect(await problem()).toMatchObject({ kind: "invalid_config", reason: "writable_by_others" });
    rmSync(path);
    writeFileSync(join(dirname(path), "other"), '{"version": 1, "approvals": []}');
    symlinkSync("other", path);
    expect(await problem()).toMatchObject({ kind: "invalid_config", reason: "symlink" });
    rmSync(path);
    mkdirSync(path);
    expect(await problem()).toMatchObject({ kind: "invalid_config", reason: "not_a_file" });
  });

  test("leaves what was there when it cannot be replaced", async () => {
    const path = await put('{"version": 1, "approvals": []}');
    writeFileSync(join(dirname(path), ".approvals.json-y"), "taken");
    await expect(writeApprovals(place, [approval("read(a)")], "y")).rejects.toMatchObject({ kind: "log_write_failed" });
    expect(readFileSync(path, "utf8")).toBe('{"version": 1, "approvals": []}');
    expect(readdirSync(dirname(path))).toContain(".approvals.json-y");
  });
});
