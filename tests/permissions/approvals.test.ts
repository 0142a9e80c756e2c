/** What is allowed for good in a workspace: kept on disk, in force from then on, and gone when it is forgotten. */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Answer } from "../../src/index.ts";
import { forgetApproved, type RuntimeOptions, readPolicy } from "../../src/node.ts";
import { makePlace, open, type Place } from "../runtime/place.ts";

const remember = (rules: readonly string[]): Answer => ({ answer: "allow", remember: { rules, scope: "workspace" } });
const writing = (path: string) => ["write", { path, content: "x" }] as const;
const HEADLESS = { mode: "ask", asker: null } as const;

async function withAnswers(place: Place, answers: readonly Answer[], more: Partial<RuntimeOptions> = {}) {
  const left = [...answers];
  const asker = async () => left.shift() ?? ({ answer: "deny", reason: "no more answers" } as const);
  return (await open(place, { rulesFiles: true, permissions: { mode: "ask", asker }, ...more })).runtime;
}
const headless = async (place: Place, more: Partial<RuntimeOptions> = {}) =>
  (await open(place, { rulesFiles: true, permissions: HEADLESS, ...more })).runtime;
const policyOf = ({ workspace, stateDir, env }: Place) => readPolicy({ workspace, stateDir, env, rulesFiles: true, permissions: HEADLESS });
const file = ({ stateDir }: Place) => {
  const [folder = ""] = existsSync(join(stateDir, "workspaces")) ? readdirSync(join(stateDir, "workspaces")) : [];
  return join(stateDir, "workspaces", folder, "approvals.json");
};

describe("a rule that is allowed for the workspace", () => {
  test("is in force for the rest of the session, and in the next, with its place", async () => {
    const place = makePlace();
    const runtime = await withAnswers(place, [remember(["write(src/**)"])]);
    expect(await runtime.call(...writing("src/a"))).toMatchObject({ ok: true });
    expect(await runtime.call(...writing("src/b"))).toMatchObject({ ok: true });
    expect(await (await headless(place)).call(...writing("src/c"))).toMatchObject({ ok: true });
    expect(await (await headless(place)).call(...writing("d"))).toMatchObject({ ok: false });
    const source = { from: "approval", file: file(place), line: 2 };
    expect((await policyOf(place)).rules).toEqual([{ rule: "write(src/**)", effect: "allow", source, in_force: true }]);
  });

  test("is of that workspace alone, and of nobody who reads no files", async () => {
    const [place, other] = [makePlace(), makePlace()];
    await (await withAnswers(place, [remember(["write(a)"])])).call(...writing("a"));
    expect(await (await headless({ ...other, stateDir: place.stateDir })).call(...writing("a"))).toMatchObject({ ok: false });
    expect(await (await headless(place, { rulesFiles: false })).call(...writing("a"))).toMatchObject({ ok: false });
  });

  test("is not kept, and nothing runs, where files have no say and where there is no log", async () => {
    for (const more of [{ rulesFiles: false }, { log: false }]) {
      const place = makePlace();
      const runtime = await withAnswers(place, [remember(["write(a)"])], more);
      expect(await runtime.call(...writing("a"))).toMatchObject({ ok: false });
      expect([existsSync(file(place)), existsSync(join(place.workspace, "a"))]).toEqual([false, false]);
    }
  });

  test("is in force without a log too", async () => {
    const place = makePlace();
    await (await withAnswers(place, [remember(["write(a)"])])).call(...writing("a"));
    expect(await (await headless(place, { log: false })).call(...writing("a"))).toMatchObject({ ok: true });
  });

  test("is beaten by deny and ask rules", async () => {
    const place = makePlace();
    await (await withAnswers(place, [remember(["write(a)"])])).call(...writing("a"));
    for (const rules of [{ deny: ["write(a)"] }, { ask: ["write(a)"] }])
      expect(await (await headless(place, { permissions: { ...HEADLESS, ...rules } })).call(...writing("a"))).toMatchObject({ ok: false });
  });

  test("is forgotten, one or all", async () => {
    const place = makePlace();
    const runtime = await withAnswers(place, [remember(["write(a)"]), remember(["write(b)"]), remember(["write(c)"])]);
    for (const name of ["a", "b", "c"]) await runtime.call(...writing(name));
    const { workspace, stateDir, env } = place;
    expect(await forgetApproved({ workspace, stateDir, env }, " write(b) ")).toMatchObject([{ rule: "write(b)" }]);
    expect((await policyOf(place)).rules.map(({ rule }) => rule)).toEqual(["write(a)", "write(c)"]);
    expect(await forgetApproved({ workspace, stateDir, env }, null)).toHaveLength(2);
    expect(await forgetApproved({ workspace, stateDir, env }, null)).toEqual([]);
    expect((await policyOf(place)).rules).toEqual([]);
  });

  test("makes every call fail where the file is broken, and names the line", async () => {
    const place = makePlace();
    await (await withAnswers(place, [remember(["write(a)"])])).call(...writing("a"));
    writeFileSync(file(place), '{ "version": 1, "approvals": [\n{"rule":"raed(x)","at":"","session_id":""}\n] }');
    await expect(headless(place)).rejects.toMatchObject({
      kind: "invalid_config",
      details: { path: file(place), line: 2, reason: "bad_rule" },
    });
  });
});

test("rules that many processes keep at once are all kept", async () => {
  const place = makePlace();
  mkdirSync(join(place.root, "home"), { recursive: true });
  const script = fileURLToPath(new URL("./keep-rules.mjs", import.meta.url));
  const keep = (index: number) =>
    new Promise<number | null>((resolve) => {
      const argv = [script, place.workspace, place.stateDir, String(index)];
      spawn(process.execPath, argv, { stdio: "inherit" }).on("close", resolve);
    });
  expect(await Promise.all([0, 1, 2].map(keep))).toEqual([0, 0, 0]);
  const { rules } = await policyOf(place);
  expect(rules).toHaveLength(3 * 6);
});
