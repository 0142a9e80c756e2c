import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Failure } from "../base/fail.ts";
import type { AnyEvent } from "./events.ts";
import { type LogEnd, type ReadLogOptions, readBlob, readSessionLog, type SessionLog, type TornTail } from "./index.ts";
import { type LogFixture, logFixture } from "./log-fixture.ts";

let fixture: LogFixture;
let log: SessionLog;
beforeEach(async () => {
  fixture = logFixture();
  log = await fixture.open({ sessionId: "s1" });
});
afterEach(async () => {
  await log.close().catch(() => {});
  rmSync(fixture.root, { recursive: true, force: true });
});

/** Everything that a reading tells. */
async function read(options: ReadLogOptions = {}) {
  const events: AnyEvent[] = [];
  const corrupt: Failure[] = [];
  const torn: TornTail[] = [];
  const reading = readSessionLog(log.dir, { onCorrupt: (failure) => corrupt.push(failure), onTorn: (tail) => torn.push(tail), ...options });
  let step = await reading.next();
  for (; !step.done; step = await reading.next()) events.push(step.value);
  const end: LogEnd = step.value;
  return { events, seqs: events.map(({ seq }) => seq), corrupt: corrupt.map(({ kind, details }) => ({ kind, ...details })), torn, end };
}

const say = (...texts: string[]) => texts.map((text) => log.append("user_message", { text }));
/** Rewrites the log, each line through the function. */
function tamper(change: (line: string, index: number) => string) {
  const lines = readFileSync(log.path, "utf8").split("\n").slice(0, -1);
  writeFileSync(log.path, lines.map((line, index) => `${change(line, index)}\n`).join(""));
}

test("a log is read as it was written, over the edges of pieces and with lines of many sizes", async () => {
  const written = say("é", "x".repeat(300_000), "", "漢".repeat(200_000), "end");
  const { events, corrupt, torn, end } = await read({ chain: "verify" });
  expect(events).toEqual(written);
  expect([corrupt, torn]).toEqual([[], []]);
  expect(end).toMatchObject({
    lines: 5,
    last_seq: 4,
    epoch: 1,
    head: log.head(),
    void_lines: 0,
    torn: null,
    size_bytes: readFileSync(log.path).length,
  });
});

test("an empty log has no events", async () => {
  expect((await read()).end).toMatchObject({ lines: 0, last_seq: -1, head: "0".repeat(64), torn: null });
});

describe("a torn last line", () => {
  test("is left out wherever it was torn, and cut off by the repair", async () => {
    say("first", "sécond");
    const whole = readFileSync(log.path);
    const second = whole.indexOf(10) + 1;
    for (let size = second + 1; size < whole.length; size += 7) {
      writeFileSync(log.path, whole.subarray(0, size));
      const tail = { dropped_bytes: size - second, after_seq: 0 };
      const { seqs, corrupt, torn } = await read();
      expect([seqs, corrupt, torn]).toEqual([[0], [], [tail]]);
    }
  });

  test("that lacks nothing but its line feed is torn too: its writer was never told that it stands", async () => {
    say("first", "second");
    writeFileSync(log.path, readFileSync(log.path).subarray(0, -1));
    expect(await read()).toMatchObject({ seqs: [0], torn: [{ after_seq: 0 }] });
  });

  test("of zeros, as a power failure leaves them, is one as well, also where nothing stood before", async () => {
    appendFileSync(log.path, Buffer.alloc(4096));
    expect(await read()).toMatchObject({ seqs: [], corrupt: [], torn: [{ dropped_bytes: 4096, after_seq: -1 }] });
  });
});

describe("a line in the middle that is no event", () => {
  const envelope = (more: object) =>
    JSON.stringify({ v: 1, seq: 1, epoch: 1, id: "x", session_id: "s1", ts: "2026-11-30T00:00:00.000Z", type: "t", data: {}, ...more });
  test.each<[string, string | Buffer, object]>([
    ["no JSON", "{", { reason: "not_json" }],
    ["an empty line", "", { reason: "not_json" }],
    ["a byte-order mark", `\ufeff${envelope({})}`, { reason: "not_json" }],
    ["bytes that are no UTF-8", Buffer.from('{"a":"\xff"}', "latin1"), { reason: "not_utf8" }],
    ["another version", envelope({ v: 2 }), { reason: "unfit", pointer: "/v" }],
    ["data that does not fit", envelope({ type: "user_message", data: {} }), { reason: "unfit", pointer: "/data/text" }],
    ["a streamed event", envelope({ type: "text_delta", data: { text: "" } }), { kind: "ephemeral_not_loggable" }],
    ["another session", envelope({ session_id: "s2" }), { reason: "other_session" }],
    ["a number that was there", envelope({ seq: 0 }), { reason: "seq_repeated" }],
    ["more than 16 MiB", `"${"x".repeat(16 * 1024 * 1024)}"`, { reason: "line_too_long", size_bytes: 16 * 1024 * 1024 + 2 }],
  ])("%s is told with its number, and reading goes on", async (_, line, details) => {
    say("first", "second", "third");
    const [first = "", , third = ""] = readFileSync(log.path, "utf8").split("\n");
    writeFileSync(log.path, Buffer.concat([Buffer.from(`${first}\n`), Buffer.from(line), Buffer.from(`\n${third}\n`)]));
    const { seqs, corrupt, torn } = await read();
    expect(seqs).toEqual([0, 2]);
    expect(corrupt).toMatchObject([{ kind: "corrupt_log_line", line: 2, path: log.path, ...details }]);
    expect(torn).toEqual([]);
    await expect(read({ onCorrupt: undefined })).rejects.toMatchObject({ kind: corrupt[0]?.kind, details: { line: 2 } });
  });

  test("a gap is told, and what stands behind it is read", async () => {
    say("0", "1", "2", "3");
    const lines = readFileSync(log.path, "utf8").split("\n");
    writeFileSync(log.path, [lines[0], lines[3], ""].join("\n"));
    expect(await read()).toMatchObject({ seqs: [0, 3], corrupt: [{ line: 2, reason: "seq_gap", found: 3, want: 1 }] });
  });
});

describe("the chain", () => {
  const turn = () => {
    say("prompt");
    log.append("turn_ended", { status: "done", error: null, head: log.head() });
  };

  test("shows a line that was changed, at the end of its turn", async () => {
    turn();
    turn();
    expect((await read({ chain: "verify" })).corrupt).toEqual([]);
    tamper((line, index) => (index === 0 ? line.replace("prompt", "prompT") : line));
    expect((await read({ chain: "verify" })).corrupt).toMatchObject([
      { reason: "chain_broken", line: 2 },
      { reason: "chain_broken", line: 4 },
    ]);
    expect((await read()).corrupt).toEqual([]);
  });

  test("that is broken does not hide lines that are gone behind it, nor does a gap hide the next", async () => {
    turn();
    say("gone", "kept", "gone too", "kept too");
    tamper((line, index) => (index === 0 ? line.replace("prompt", "prompT") : line));
    const kept = readFileSync(log.path, "utf8").split("\n");
    writeFileSync(log.path, [kept[0], kept[1], kept[3], kept[5], ""].join("\n"));
    expect(await read({ chain: "verify" })).toMatchObject({
      seqs: [0, 1, 3, 5],
      corrupt: [
        { reason: "chain_broken", line: 2 },
        { reason: "seq_gap", line: 3, want: 2 },
        { reason: "seq_gap", line: 4, want: 4 },
      ],
    });
  });
});

test("lines of a lower epoch after a higher one are void, and no part of the chain", async () => {
  say("old", "new", "late", "newer");
  tamper((line, index) =>
    index === 2
      ? line.replace('"seq":2', '"seq":1')
      : index === 0
        ? line
        : line.replace('"epoch":1', '"epoch":2').replace('"seq":3', '"seq":2'),
  );
  const { events, corrupt, end } = await read({ chain: "verify" });
  expect(events.map(({ seq, epoch }) => [seq, epoch])).toEqual([
    [0, 1],
    [1, 2],
    [2, 2],
  ]);
  expect(corrupt).toEqual([]);
  expect(end).toMatchObject({ void_lines: 1, epoch: 2, lines: 4 });
});

test("types that are not known are given out as they are", async () => {
  say("first", "second");
  tamper((line, index) => (index === 1 ? line.replace('"user_message"', '"skill_activation"') : line));
  expect((await read()).events[1]).toMatchObject({ type: "skill_activation", data: { text: "second" } });
});

describe("what is no log", () => {
  test.each<[string, (path: string) => void, string]>([
    ["nothing", () => {}, "not_found"],
    ["a link", (path) => symlinkSync("/etc/hostname", path), "log_read_failed"],
    ["a folder", (path) => mkdirSync(path), "log_read_failed"],
    ["a pipe, without waiting", (path) => spawnSync("mkfifo", [path]), "log_read_failed"],
  ])("%s is refused", async (_, make, kind) => {
    rmSync(log.path);
    make(log.path);
    await expect(read()).rejects.toMatchObject({ kind });
  });
});

describe("a blob", () => {
  test.each<[string, (path: string) => void, string]>([
    ["is gone", (path) => rmSync(path), "gone"],
    ["is shorter", (path) => writeFileSync(path, "a"), "altered"],
    ["has other bytes", (path) => writeFileSync(path, "contenT"), "altered"],
    ["is a link", (path) => [rmSync(path), symlinkSync("/etc/hostname", path)], "symlink_component"],
    ["is a folder", (path) => [rmSync(path), mkdirSync(path)], "altered"],
  ])("that %s is missing", async (_, harm, reason) => {
    const ref = await log.blobs.put(Buffer.from("content"), "x");
    expect(readBlob(log.dir, ref).toString()).toBe("content");
    harm(join(log.dir, "blobs", ref.sha256));
    expect(() => readBlob(log.dir, ref)).toThrow(
      expect.objectContaining({ kind: "resource_missing", details: expect.objectContaining({ reason }) }),
    );
  });

  test("is never looked for outside of its folder", () => {
    const ref = { sha256: "../log.ndjson", size_bytes: 0, mime_type: "x" };
    expect(() => readBlob(log.dir, ref)).toThrow(
      expect.objectContaining({ kind: "resource_missing", details: expect.objectContaining({ reason: "no_hash" }) }),
    );
  });
});
