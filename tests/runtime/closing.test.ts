import { readdirSync, readlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { scripted } from "../../src/node.ts";
import { makePlace, open } from "./place.ts";

/** Files below the folder that this process holds open. */
function openBelow(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

test("a runtime that is closed while a call opens its session leaves no log open, and answers the call", async () => {
  const place = makePlace();
  const { runtime } = await open(place);
  const call = runtime.call("read", { path: "none.txt" });
  await runtime.close();
  expect(await call).toMatchObject({ ok: false });
  expect(openBelow(place.stateDir)).toEqual([]);
});

test("a runtime that is closed while a session opens refuses it, and leaves no log open", async () => {
  const place = makePlace();
  const { runtime } = await open(place, { model: scripted([{ text: "hello" }]) });
  const session = runtime.session();
  const refused = expect(session).rejects.toMatchObject({ kind: "session_record_unavailable" });
  await runtime.close();
  expect(openBelow(place.stateDir)).toEqual([]);
  await refused;
  expect(await runtime.call("read", { path: "a" })).toMatchObject({
    ok: false,
    call_id: null,
    error: { kind: "session_record_unavailable" },
  });
  await expect(runtime.session()).rejects.toMatchObject({ kind: "session_record_unavailable" });
});

test("a log that cannot be opened fails the call, and closes what was opened", async () => {
  const place = makePlace();
  const { runtime } = await open(place, { stateDir: "/dev/null/state" });
  expect(await runtime.call("read", { path: "none.txt" })).toMatchObject({ ok: false, error: { kind: "unsafe_state_path" } });
  await runtime.close();
});

test("a session of a closed runtime runs no turn", async () => {
  const { runtime } = await open(makePlace(), { model: scripted([{ text: "hello" }]) });
  const session = await runtime.session();
  await runtime.close();
  expect(() => session.run("Do it.")).toThrow(expect.objectContaining({ kind: "session_record_unavailable" }));
});
