import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LogFixture, logFixture } from "./log-fixture.ts";
import type { SessionLog } from "./session-log.ts";

let fixture: LogFixture;
let log: SessionLog;
beforeEach(async () => {
  fixture = logFixture();
  log = await fixture.open();
  log.append("user_message", { text: "first" });
});
afterEach(async () => {
  await log.close().catch(() => {});
  rmSync(fixture.root, { recursive: true, force: true });
});

const append = () => log.append("user_message", { text: "next" });
const writeFailure = (reason: string) =>
  expect.objectContaining({ kind: "log_write_failed", details: expect.objectContaining({ reason }) });

describe("a log that can no longer be trusted takes nothing more", () => {
  test.each([
    ["its file was deleted", () => unlinkSync(log.path), "gone"],
    ["its folder was deleted", () => rmSync(log.dir, { recursive: true }), "gone"],
    ["someone else wrote to it", () => appendFileSync(log.path, "{}\n"), "changed_by_another"],
    ["someone else cut it", () => truncateSync(log.path, 0), "changed_by_another"],
  ])("when %s", async (_, harm, reason) => {
    harm();
    expect(append).toThrow(writeFailure(reason));
    expect(append).toThrow(writeFailure(reason));
    await expect(log.sync()).rejects.toMatchObject({ kind: "log_write_failed", details: { reason } });
    await expect(log.close()).rejects.toMatchObject({ kind: "log_write_failed" });
    expect(append).toThrow(expect.objectContaining({ kind: "session_record_unavailable" }));
  });

  test("and a sync tells of it even when nothing was to be written", async () => {
    await log.sync();
    unlinkSync(log.path);
    await expect(log.sync()).rejects.toMatchObject({ kind: "log_write_failed", details: { reason: "gone" } });
  });
});

describe("a blob that cannot be written", () => {
  test("fails its event, and the next one has its number", () => {
    rmSync(log.blobs.dir, { recursive: true });
    const large = { call_id: "c", ok: true, details: {}, output: "x".repeat(9000) } as const;
    expect(() => log.append("tool_result", large)).toThrow(writeFailure("gone"));
    expect(append()).toMatchObject({ seq: 1 });
    mkdirSync(log.blobs.dir);
    expect(log.append("tool_result", large)).toMatchObject({ seq: 2 });
    expect(readFileSync(log.path, "utf8").trim().split("\n")).toHaveLength(3);
  });

  test("fails its put", async () => {
    rmSync(log.blobs.dir, { recursive: true });
    writeFileSync(log.blobs.dir, "");
    await expect(log.blobs.put(Buffer.from("x"), "x")).rejects.toMatchObject({ kind: "log_write_failed" });
  });

  test("that vanished before the sync fails it, and the log with it", async () => {
    const { sha256 } = await log.blobs.put(Buffer.from("before-image"), "x");
    unlinkSync(join(log.blobs.dir, sha256));
    await expect(log.sync()).rejects.toMatchObject({ kind: "log_write_failed", details: { reason: "gone" } });
    expect(append).toThrow(writeFailure("gone"));
  });
});

// root may write everywhere, so there is nothing to be refused
test.skipIf(process.getuid?.() === 0)("a state folder without the right to write fails the start", async () => {
  const stateDir = join(fixture.root, "read-only");
  mkdirSync(stateDir);
  chmodSync(stateDir, 0o500);
  await expect(fixture.open({ stateDir })).rejects.toMatchObject({ kind: "session_start_failed", details: { reason: "no_right" } });
});
