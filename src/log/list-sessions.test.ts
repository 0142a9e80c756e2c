import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findSession, listSessions } from "./index.ts";
import { type LogFixture, logFixture } from "./log-fixture.ts";

const SHA = "0".repeat(64);
let fixture: LogFixture;
beforeEach(() => {
  fixture = logFixture();
});
afterEach(() => rmSync(fixture.root, { recursive: true, force: true }));

const list = () => listSessions(fixture.stateDir, { workspace: fixture.workspace });
const started = () =>
  ({ collet: "1", workspace: fixture.workspace, cwd: fixture.workspace, mode: "ask", rules: [], tools_sha256: SHA }) as const;

/** A session with a prompt or, without one, with a single call. */
async function session(
  id: string,
  { prompt, ended = true, workspace = fixture.workspace }: { prompt?: string; ended?: boolean; workspace?: string },
) {
  const log = await fixture.open({ sessionId: id, workspace });
  log.append("session_started", started());
  if (prompt !== undefined) log.append("user_message", { text: prompt });
  else log.append("tool_call", { call_id: "c1", provider_call_id: null, name: "read", args: {} });
  if (ended) log.append("turn_ended", { status: "done", error: null, head: log.head() });
  await log.close();
  return log;
}

test("without a state folder there are no sessions", async () => {
  expect(await list()).toEqual([]);
  expect(await listSessions(fixture.stateDir, "all")).toEqual([]);
});

test("sessions are listed newest first, with their prompt, end and size", async () => {
  await session("b-first", { prompt: "Fix the test\nplease" });
  await session("a-second", { prompt: "Then this", ended: false });
  const single = await session("c-third", { ended: false });
  expect(await list()).toMatchObject([
    { id: "c-third", content: "calls", prompt: null, status: null, events: 3, dir: single.dir },
    { id: "a-second", content: "turns", prompt: "Then this", prompt_is_cut: false, status: null, events: 3 },
    {
      id: "b-first",
      content: "turns",
      prompt: "Fix the test\nplease",
      status: "done",
      events: 3,
      workspace: fixture.workspace,
      error: null,
    },
  ]);
});

test("those of other workspaces are listed only when all are asked for", async () => {
  const workspace = join(fixture.root, "other");
  mkdirSync(workspace);
  await session("here", { prompt: "a" });
  await session("there", { prompt: "b", workspace });
  expect((await list()).map(({ id }) => id)).toEqual(["here"]);
  expect((await listSessions(fixture.stateDir, "all")).map(({ id }) => id)).toEqual(["there", "here"]);
});

describe("a prompt", () => {
  test.each([
    ["of just 200 units", "x".repeat(200), "x".repeat(200), false],
    ["that is longer", "x".repeat(201), "x".repeat(200), true],
    ["that is cut within a character", `${"x".repeat(199)}🙂`, "x".repeat(199), true],
    ["that ends with what looks like an escape", "C:\\b", "C:\\b", false],
    ["of escapes only", '"\\\n\u0001'.repeat(60), '"\\\n\u0001'.repeat(50), true],
    ["of a megabyte", "é".repeat(500_000), "é".repeat(200), true],
    ["that is empty", "", "", false],
  ])("%s is shown by its start", async (_, prompt, shown, isCut) => {
    await session("s", { prompt });
    expect(await list()).toMatchObject([{ prompt: shown, prompt_is_cut: isCut, status: "done", events: 3 }]);
  });
});

describe("a session that is broken", () => {
  test.each<[string, (dir: string) => void, object]>([
    ["without a log", (dir) => rmSync(join(dir, "log.ndjson")), { content: "broken", error: { kind: "not_found" } }],
    ["with an empty log", (dir) => truncateSync(join(dir, "log.ndjson"), 0), { content: "empty", error: null, events: 0 }],
    ["with half a line", (dir) => truncateSync(join(dir, "log.ndjson"), 20), { content: "empty", size_bytes: 20 }],
    [
      "whose first line is no event",
      (dir) => writeFileSync(join(dir, "log.ndjson"), "{}\n"),
      { content: "broken", error: { kind: "corrupt_log_line" } },
    ],
    [
      "whose last line is no event",
      (dir) => appendFileSync(join(dir, "log.ndjson"), "junk\n"),
      { content: "broken", error: { details: { which: "last" } } },
    ],
    ["of zeros", (dir) => writeFileSync(join(dir, "log.ndjson"), Buffer.alloc(100_000)), { content: "empty", size_bytes: 100_000 }],
    [
      "whose log is a link",
      (dir) => [rmSync(join(dir, "log.ndjson")), symlinkSync("/etc/passwd", join(dir, "log.ndjson"))],
      { content: "broken", error: { kind: "log_read_failed" } },
    ],
    [
      "that is another's",
      (dir) =>
        writeFileSync(
          join(dir, "log.ndjson"),
          '{"v":1,"seq":0,"epoch":1,"id":"e","session_id":"x","ts":"2026-11-30T00:00:00.000Z","type":"t","data":{}}\n',
        ),
      { content: "broken", error: { details: { reason: "other_session" } } },
    ],
    [
      "that is a file",
      (dir) => [rmSync(dir, { recursive: true }), writeFileSync(dir, "")],
      { content: "broken", error: { kind: "not_found" } },
    ],
  ])("%s is shown as that, beside the others", async (_, harm, expected) => {
    await session("20261201-000000-good", { prompt: "fine" });
    const { dir } = await session("20261130-000000-bad1", { prompt: "gone" });
    harm(dir);
    const all = await list();
    expect(all).toHaveLength(2);
    expect(all.find(({ id }) => id.endsWith("bad1"))).toMatchObject(expected);
    expect(all.find(({ id }) => id.endsWith("good"))).toMatchObject({ content: "turns", prompt: "fine" });
  });

  test("with a torn end is shown by its last whole line", async () => {
    const { path } = await session("s", { prompt: "p" });
    appendFileSync(path, '{"v":1,"seq":3');
    expect(await list()).toMatchObject([{ content: "turns", status: "done", events: 3 }]);
  });

  test("does not make a name that is no session id one", async () => {
    const { dir } = await session("s", { prompt: "p" });
    for (const name of [".tmp", "a b", "-x"]) mkdirSync(join(dirname(dir), name));
    expect(await list()).toHaveLength(1);
  });

  test("by a link in the state path makes the list fail", async () => {
    await session("s", { prompt: "p" });
    const link = join(fixture.root, "link");
    symlinkSync(fixture.stateDir, link);
    await expect(listSessions(link, "all")).rejects.toMatchObject({ kind: "unsafe_state_path", details: { reason: "symlink_component" } });
  });
});

describe("a session is found", () => {
  test("by its id or by a start that is its alone", async () => {
    const one = await session("20261130-aa", { prompt: "a" });
    await session("20261130-ab", { prompt: "b" });
    const short = await session("20261130", { prompt: "c" });
    expect(await findSession(fixture.stateDir, "20261130-aa")).toEqual({ dir: one.dir, id: "20261130-aa" });
    expect(await findSession(fixture.stateDir, "20261130")).toEqual({ dir: short.dir, id: "20261130" });
    await expect(findSession(fixture.stateDir, "2026113")).rejects.toMatchObject({
      kind: "invalid_args",
      details: { reason: "ambiguous" },
    });
    await expect(findSession(fixture.stateDir, "20261130-a")).rejects.toMatchObject({ details: { ids: ["20261130-ab", "20261130-aa"] } });
    await expect(findSession(fixture.stateDir, "x")).rejects.toMatchObject({
      kind: "not_found",
      details: { known: ["20261130-ab", "20261130-aa", "20261130"] },
    });
    await expect(findSession(fixture.stateDir, "../x")).rejects.toMatchObject({ kind: "invalid_args" });
  });
});
