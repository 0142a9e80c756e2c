import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Asker, defineTool, fail, type Question, type ScriptedStep } from "../../src/index.ts";
import { scripted } from "../../src/node.ts";
import { codingTools } from "../../src/tools/index.ts";
import { type AnyRunEvent, dataOf, makePlace, open, type Place, typesOf } from "./place.ts";

const EDIT = { path: "a.txt", old_string: "one", new_string: "two" } as const;
const at = (place: Place, name = "a.txt") => join(place.workspace, name);
const text = (place: Place) => readFileSync(at(place), "utf8");
const hash = /^[0-9a-f]{64}$/;

/** Answers as it is told, one after the other, and changes the file before each answer that comes with a text. */
function changing(place: Place, texts: readonly (string | null)[]) {
  const questions: Question[] = [];
  const asker: Asker = async (question) => {
    const now = texts[questions.length] ?? null;
    questions.push(question);
    if (now !== null) writeFileSync(at(place), now);
    return { answer: "allow" };
  };
  return { asker, questions };
}

describe("a file that changes while a person is asked", () => {
  test("is asked about again, with the new diff, and then edited", async () => {
    const place = makePlace({ "a.txt": "one\n" });
    const { asker, questions } = changing(place, ["zero\none\n"]);
    const { runtime, events } = await open(place, { permissions: { mode: "ask", asker } });
    expect(await runtime.call("edit", EDIT)).toMatchObject({ ok: true, sha256_before: expect.stringMatching(hash) });
    expect(text(place)).toBe("zero\ntwo\n");
    expect(questions.map(({ again, changed }) => ({ again, changed }))).toEqual([
      { again: false, changed: false },
      { again: true, changed: false },
    ]);
    expect(JSON.stringify(questions[1]?.effects)).toContain("zero");
    expect(typesOf(events)).toEqual([
      "session_started",
      "tool_call",
      "permission_decision",
      "permission_decision",
      "permission_decision",
      "permission_decision",
      "tool_started",
      "tool_result",
    ]);
    const started = dataOf(events, "tool_started")[0]?.plan_sha256;
    expect(dataOf(events, "permission_decision").map(({ plan_sha256 }) => plan_sha256 === started)).toEqual([false, false, true, true]);
  });

  test("three times is changed_since_plan, with its path and both hashes", async () => {
    const place = makePlace({ "a.txt": "one\n" });
    const { asker, questions } = changing(place, ["1 one\n", "2 one\n", "3 one\n"]);
    const { runtime, events } = await open(place, { permissions: { mode: "ask", asker } });
    const details = { path: at(place), sha256_planned: expect.stringMatching(hash), sha256_now: expect.stringMatching(hash) };
    expect(await runtime.call("edit", EDIT)).toMatchObject({ ok: false, error: { kind: "changed_since_plan", details } });
    expect({ asked: questions.length, text: text(place) }).toEqual({ asked: 3, text: "3 one\n" });
    expect(typesOf(events).filter((type) => type.startsWith("tool_"))).toEqual(["tool_call", "tool_result"]);
  });

  test("so that the call fits no more has the failure of the new plan", async () => {
    const place = makePlace({ "a.txt": "one\n" });
    const { asker, questions } = changing(place, ["theirs\n"]);
    const { runtime } = await open(place, { permissions: { mode: "ask", asker } });
    expect(await runtime.call("edit", EDIT)).toMatchObject({ ok: false, error: { kind: "no_match" } });
    expect({ asked: questions.length, text: text(place) }).toEqual({ asked: 1, text: "theirs\n" });
  });

  test("can be refused the second time", async () => {
    const place = makePlace({ "a.txt": "one\n" });
    const asker: Asker = async ({ again }) => {
      if (again) return { answer: "deny", reason: "somebody else works on it" };
      writeFileSync(at(place), "one!\n");
      return { answer: "allow" };
    };
    const { runtime } = await open(place, { permissions: { mode: "ask", asker } });
    expect(await runtime.call("edit", EDIT)).toMatchObject({
      ok: false,
      error: { kind: "permission_denied", details: { reason: "somebody else works on it" } },
    });
    expect(text(place)).toBe("one!\n");
  });

  test.each<[string, string | null, string | null]>([
    ["appears", null, "theirs\n"],
    ["goes", "theirs\n", null],
  ])("and %s is asked about again before it is written", async (_, before, after) => {
    const place = makePlace(before === null ? {} : { "a.txt": before });
    const asked: boolean[] = [];
    const asker: Asker = async ({ again }) => {
      asked.push(again);
      if (again) return { answer: "deny" };
      if (after === null) rmSync(at(place));
      else writeFileSync(at(place), after);
      return { answer: "allow" };
    };
    const { runtime, events } = await open(place, { permissions: { mode: "ask", asker } });
    expect(await runtime.call("write", { path: "a.txt", content: "ours\n" })).toMatchObject({ ok: false });
    expect(asked).toEqual([false, true]);
    expect(existsSync(at(place)) ? text(place) : null).toBe(after);
    expect(typesOf(events)).not.toContain("tool_started");
  });

  test("keeps the reads that were allowed while it was planned", async () => {
    const place = makePlace({ "a.txt": "one\n" });
    const { asker, questions } = changing(place, [null, "one!\n"]);
    const { runtime } = await open(place, { permissions: { mode: "ask", ask: ["read(a.txt)"], asker } });
    expect(await runtime.call("edit", EDIT)).toMatchObject({ ok: true });
    const kinds = questions.map(({ again, effects }) => [again, ...effects.map(({ kind }) => kind)]);
    expect(kinds).toEqual([
      [false, "file.read"],
      [false, "file.write"],
      [true, "file.write"],
    ]);
  });
});

describe("a file that changes where nobody is asked", () => {
  /** Changes the file when the decision is recorded, so between plan and act, as often as it is told. */
  function between(place: Place, texts: readonly string[]) {
    let made = 0;
    return (event: AnyRunEvent) => {
      const now = event.type === "permission_decision" ? texts[made++] : undefined;
      if (now !== undefined) writeFileSync(at(place), now);
    };
  }

  test("is planned and decided anew, and edited", async () => {
    const place = makePlace({ "a.txt": "one\n" });
    const { runtime } = await open(place, { onEvent: between(place, ["zero\none\n", "one!\n"]) });
    expect(await runtime.call("edit", EDIT)).toMatchObject({ ok: true });
    expect(text(place)).toBe("two!\n");
  });

  test("is changed_since_plan after two more plans", async () => {
    const place = makePlace({ "a.txt": "one\n" });
    const { runtime } = await open(place, { onEvent: between(place, ["1 one\n", "2 one\n", "3 one\n"]) });
    expect(await runtime.call("edit", EDIT)).toMatchObject({
      ok: false,
      error: { kind: "changed_since_plan", details: { path: at(place) } },
    });
    expect(text(place)).toBe("3 one\n");
  });

  test("is changed_since_plan at once when the new plan would have to be asked about", async () => {
    const place = makePlace({ "a.txt": "a" });
    const target = { now: "a.txt" };
    const fickle = defineTool({
      name: "fickle",
      description: "",
      parameters: z.strictObject({}),
      plan: () => ({ effects: [{ kind: "file.write", sure: "declared", path: at(place, target.now) }] as const }),
      execute() {
        target.now = "b.txt";
        throw fail("changed_since_plan", "it changed", { path: at(place) });
      },
    });
    const permissions = { mode: "ask", asker: null, allow: ["write(a.txt)"] } as const;
    const { runtime, events } = await open(place, { tools: [fickle], permissions });
    expect(await runtime.call("fickle", {})).toMatchObject({ ok: false, error: { kind: "changed_since_plan", message: "it changed" } });
    expect(typesOf(events).filter((type) => type === "tool_started")).toHaveLength(1);
  });
});

describe("a call that began", () => {
  const deed = (how: "nothing" | "write" | "network") =>
    defineTool({
      name: "deed",
      description: "",
      parameters: z.strictObject({}),
      effects: (_args, { workspace }) =>
        how === "network"
          ? [{ kind: "network", sure: "declared", host: "h", port: 1 }]
          : [{ kind: "file.write", sure: "declared", path: join(workspace, "b.txt") }],
      async execute(_args, { sandbox }) {
        if (how === "write") await sandbox.write("b.txt", new Uint8Array([98]), { before: null });
        throw fail("changed_since_plan", "it changed");
      },
    });

  test.each([
    ["nothing", 3],
    ["write", 1],
    ["network", 1],
  ] as const)("and may have done %s is begun %i times", async (how, times) => {
    const { runtime, events } = await open(makePlace(), { tools: [deed(how)] });
    expect(await runtime.call("deed", {})).toMatchObject({ ok: false, error: { kind: "changed_since_plan" } });
    const types = typesOf(events);
    expect(types.filter((type) => type === "tool_started")).toHaveLength(times);
    expect(types.filter((type) => type === "tool_result")).toHaveLength(1);
  });
});

test("a stale plan in a batch is settled before the next call is planned", async () => {
  const place = makePlace({ "a.txt": "one\n" });
  const { asker, questions } = changing(place, ["one one\n"]);
  const edit = (args: object) => ({ name: "edit", args: { path: "a.txt", ...args } as never });
  const steps: ScriptedStep[] = [
    { calls: [edit({ old_string: "one\n", new_string: "two\n" }), edit({ old_string: "two", new_string: "three" })] },
    { text: "." },
  ];
  const { runtime, events } = await open(place, {
    tools: codingTools(),
    model: scripted(steps),
    permissions: { mode: "ask", asker },
  });
  const session = await runtime.session();
  expect(await session.run("Go.").result).toMatchObject({ status: "done" });
  expect(text(place)).toBe("one three\n");
  expect(questions.map(({ call_id, again }) => [call_id, again])).toEqual([
    ["c1", false],
    ["c1", true],
    ["c2", false],
  ]);
  expect(dataOf(events, "tool_result").map(({ ok }) => ok)).toEqual([true, true]);
});
