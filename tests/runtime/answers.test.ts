import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Asker, defineTool, foldSession, type Model, type Question, type ScriptedStep } from "../../src/index.ts";
import { scripted } from "../../src/node.ts";
import { codingTools } from "../../src/tools/index.ts";
import { dataOf, makePlace, open, type Place, typesOf } from "./place.ts";

const read = (place: Place, name: string) => readFileSync(join(place.workspace, name), "utf8");
const EDIT = { path: "a.txt", old_string: "one", new_string: "two" } as const;

/** Gives its answers one after the other, then denies. */
function scriptedAsker(...answers: readonly unknown[]) {
  const questions: Question[] = [];
  const asker: Asker = async (question) => {
    questions.push(question);
    return (answers[questions.length - 1] ?? { answer: "deny", reason: "no answer is left" }) as never;
  };
  return { asker, questions };
}

async function place(answers: readonly unknown[], files: Record<string, string> = { "a.txt": "one\n" }, more: object = {}) {
  const made = makePlace(files);
  const { asker, questions } = scriptedAsker(...answers);
  const opened = await open(made, { permissions: { mode: "ask", asker, ...more } });
  return { ...opened, place: made, questions };
}

describe("allow always", () => {
  const always = (rules: readonly string[], scope = "session") => ({ answer: "allow", remember: { rules, scope } });

  test("lets the same call through from then on, by the rule that was kept", async () => {
    const { runtime, events, questions } = await place([always(["write(a.txt)"])]);
    expect(await runtime.call("edit", EDIT)).toMatchObject({ ok: true });
    expect(await runtime.call("edit", { ...EDIT, old_string: "two", new_string: "three" })).toMatchObject({ ok: true });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({ offers: ["write(a.txt)"], narrowest: 1, scopes: ["session"] });
    expect(dataOf(events, "permission_decision").slice(1)).toMatchObject([
      { decision: { outcome: "allow", source: { from: "person" } }, remembered: { rules: ["write(a.txt)"], scope: "session" } },
      { decision: { outcome: "allow", rule: "write(a.txt)", source: { from: "approval" } } },
    ]);
  });

  test("does not reach another session of the runtime", async () => {
    const made = makePlace();
    const { asker, questions } = scriptedAsker(always(["write(a.txt)"]), { answer: "deny" });
    const write = { calls: [{ name: "write", args: { path: "a.txt", content: "x" } }] };
    const { runtime } = await open(made, {
      model: scripted([write, { text: "." }, write, { text: "." }]),
      permissions: { mode: "ask", asker },
    });
    await (await runtime.session()).run("Go.").result;
    await (await runtime.session()).run("Go.").result;
    expect(questions).toHaveLength(2);
  });

  test("by the offers of the question suffices, for a program by its path too", async () => {
    const made = makePlace({ run: "#!/bin/sh\necho hi\n" });
    let offers: readonly string[] = [];
    let asked = 0;
    const asker: Asker = async (question) => {
      asked += 1;
      offers = question.offers.slice(0, question.narrowest);
      return { answer: "allow", remember: { rules: offers, scope: "session" } };
    };
    const { runtime } = await open(made, { permissions: { mode: "ask", asker } });
    for (const command of ["sh ./run > out.txt", "sh ./run > out.txt"])
      expect(await runtime.call("bash", { command })).toMatchObject({ ok: true });
    expect({ asked, some: offers.length > 0 }).toEqual({ asked: 1, some: true });
  });

  test.each<[string, unknown, string]>([
    ["a rule that cannot be read", always(["write(a.txt)", "everything"]), "bad_rule"],
    ["rules that do not let the call through", always(["write(b.txt)"]), "not_enough"],
  ])("with %s keeps nothing, and is a denial", async (_, answer, why) => {
    const { runtime, place: made, questions, events } = await place([answer]);
    expect(await runtime.call("edit", EDIT)).toMatchObject({
      ok: false,
      error: { kind: "permission_denied", details: { reason: "unusable_rules", why, source: { from: "person" } } },
    });
    expect(read(made, "a.txt")).toBe("one\n");
    await runtime.call("edit", EDIT);
    expect(questions).toHaveLength(2);
    expect(dataOf(events, "permission_decision").some(({ remembered }) => remembered)).toBe(false);
  });

  test("for the workspace holds in its next session, and is read from where it was kept", async () => {
    const made = makePlace({ "a.txt": "one\n" });
    const { asker, questions } = scriptedAsker(always(["write(a.txt)"], "workspace"));
    const { runtime } = await open(made, { rulesFiles: true, permissions: { mode: "ask", asker } });
    expect(await runtime.call("edit", EDIT)).toMatchObject({ ok: true });
    expect(questions[0]?.scopes).toEqual(["session", "workspace"]);
    await runtime.close();
    const { runtime: next, events } = await open(made, { rulesFiles: true, permissions: { mode: "ask", asker: null } });
    expect(await next.call("edit", { ...EDIT, old_string: "two", new_string: "three" })).toMatchObject({ ok: true });
    expect(dataOf(events, "permission_decision")).toMatchObject([
      {
        decision: {
          outcome: "allow",
          rule: "write(a.txt)",
          source: { from: "approval", file: expect.any(String), line: expect.any(Number) },
        },
      },
    ]);
  });

  test("for the workspace is refused where nothing is kept", async () => {
    const made = makePlace({ "a.txt": "one\n" });
    const { asker, questions } = scriptedAsker(always(["write(a.txt)"], "workspace"));
    const { runtime } = await open(made, { log: false, permissions: { mode: "ask", asker } });
    expect(await runtime.call("edit", EDIT)).toMatchObject({
      ok: false,
      error: { details: { reason: "unusable_rules", why: "not_kept" } },
    });
    expect(questions[0]?.scopes).toEqual(["session"]);
    expect(read(made, "a.txt")).toBe("one\n");
  });

  test("lifts neither the guard nor read_only nor an ask or deny rule", async () => {
    const rules = ["write(a.txt)", "write(.env)", "read(.env)", "write(.git/config)"];
    const guarded = await place([always(rules)], { "a.txt": "one\n", ".env": "a=1\n" });
    expect(await guarded.runtime.call("edit", EDIT)).toMatchObject({ ok: true });
    for (const path of [".env", ".git/config"]) {
      expect(await guarded.runtime.call("write", { path, content: "x" })).toMatchObject({ ok: false, error: { kind: "protected_path" } });
    }
    const asked = await place([always(["write(a.txt)"])], undefined, { ask: ["write(a.txt)"] });
    expect(await asked.runtime.call("edit", EDIT)).toMatchObject({ ok: false, error: { details: { why: "not_enough" } } });
    const ceiling = await place([always(["read(a.txt)"])], undefined, { mode: "read_only", ask: ["read(a.txt)"] });
    expect(await ceiling.runtime.call("read", { path: "a.txt" })).toMatchObject({ ok: false, error: { details: { why: "not_enough" } } });
  });

  test("keeps no secret, and offers none", async () => {
    const made = makePlace();
    const { asker, questions } = scriptedAsker(always(["command(echo tok-0123456789abcdef $)"]), { answer: "allow" });
    const { runtime } = await open(made, { permissions: { mode: "ask", asker }, secrets: { TOKEN: "tok-0123456789abcdef" } });
    const call = () => runtime.call("bash", { command: "echo tok-0123456789abcdef > a.txt; touch b.txt" });
    expect(await call()).toMatchObject({ ok: false, error: { details: { reason: "unusable_rules", why: "secret" } } });
    expect(JSON.stringify(questions)).not.toContain("tok-0123");
  });
});

describe("other arguments", () => {
  const change = (args: unknown) => ({ answer: "change", args });

  test("are planned, asked about and carried out in the place of the model's, and the log says so", async () => {
    const args = { ...EDIT, new_string: "three" };
    const { runtime, events, place: made, questions } = await place([change(args), { answer: "allow" }]);
    const envelope = await runtime.call("edit", EDIT);
    expect(envelope).toMatchObject({ ok: true, args, changed_by: "person" });
    expect(read(made, "a.txt")).toBe("three\n");
    expect(questions.map(({ changed, args: shown }) => ({ changed, new_string: shown.new_string }))).toEqual([
      { changed: false, new_string: "two" },
      { changed: true, new_string: "three" },
    ]);
    expect(dataOf(events, "tool_call")).toMatchObject([{ args: EDIT }]);
    expect(dataOf(events, "permission_decision")).toMatchObject([
      { decision: { outcome: "ask" } },
      { decision: { outcome: "deny", reason: "args_changed", source: { from: "person" } } },
      { decision: { outcome: "ask" }, changed_by: "person", args },
      { decision: { outcome: "allow", source: { from: "person" } }, changed_by: "person", args },
    ]);
    const hashes = dataOf(events, "permission_decision").map(({ plan_sha256 }) => plan_sha256);
    expect(new Set(hashes).size).toBe(2);
    expect(dataOf(events, "tool_started")[0]?.plan_sha256).toBe(hashes[3]);
    expect(dataOf(events, "tool_result")).toMatchObject([{ ok: true, args, changed_by: "person" }]);
    const logged = events.filter(({ seq }) => seq !== null);
    expect(foldSession(logged).turns[0]?.steps[0]?.calls[0]).toMatchObject({ args: EDIT, changed: { by: "person", args }, status: "done" });
  });

  test("that need no question run without one, and stand on record all the same", async () => {
    const peek = defineTool({
      name: "peek",
      description: "",
      parameters: z.strictObject({ path: z.string() }),
      effects: ({ path }, { workspace }) => [{ kind: "file.read", sure: "declared", path: resolve(workspace, path) }],
      execute: ({ path }) => `looked at ${path}`,
    });
    const { asker, questions } = scriptedAsker(change({ path: "a.txt" }));
    const { runtime, events } = await open(makePlace(), { tools: [peek], permissions: { mode: "ask", asker } });
    expect(await runtime.call("peek", { path: "/etc/passwd" })).toMatchObject({
      ok: true,
      output: "looked at a.txt",
      changed_by: "person",
    });
    expect(questions).toHaveLength(1);
    expect(dataOf(events, "permission_decision").at(-1)).toMatchObject({ args: { path: "a.txt" }, decision: { outcome: "allow" } });
  });

  test("are told to the model", async () => {
    const made = makePlace();
    const { asker } = scriptedAsker(change({ path: "b.txt", content: "theirs" }), { answer: "allow" });
    const steps: ScriptedStep[] = [{ calls: [{ name: "write", args: { path: "a.txt", content: "mine" } }] }, { text: "." }];
    const list = scripted(steps);
    let heard: unknown = null;
    const model: Model = {
      name: list.name,
      stream(request, options) {
        heard = request.messages.at(-1);
        return list.stream(request, options);
      },
    };
    const { runtime } = await open(made, { tools: codingTools(), model, permissions: { mode: "ask", asker } });
    await (await runtime.session()).run("Go.").result;
    expect(existsSync(join(made.workspace, "a.txt"))).toBe(false);
    expect(read(made, "b.txt")).toBe("theirs");
    expect(JSON.stringify(heard)).toContain("a person changed the arguments of this call");
  });

  test.each<[string, unknown, string]>([
    ["that do not fit the tool", { path: 7 }, "invalid_args"],
    ["whose plan fails", { ...EDIT, old_string: "none" }, "no_match"],
    ["that are forbidden", { ...EDIT, path: "../x" }, "outside_workspace"],
  ])("%s fail as that, and the failure says whose they are", async (_, args, kind) => {
    const { runtime, events } = await place([change(args)]);
    expect(await runtime.call("edit", EDIT)).toMatchObject({ ok: false, error: { kind, details: { args, changed_by: "person" } } });
    expect(dataOf(events, "tool_result")).toMatchObject([{ ok: false, args, changed_by: "person" }]);
  });

  test("can be given at a read that the plan wants", async () => {
    const { runtime, place: made } = await place(
      [change({ ...EDIT, path: "b.txt" }), { answer: "allow" }],
      { "a.txt": "one", "b.txt": "one" },
      { ask: ["read(a.txt)"] },
    );
    expect(await runtime.call("edit", EDIT)).toMatchObject({ ok: true, changed_by: "person" });
    expect([read(made, "a.txt"), read(made, "b.txt")]).toEqual(["one", "two"]);
  });

  test("can be changed ten times, and then it is a denial", async () => {
    const answers = Array.from({ length: 20 }, (_, n) => change({ ...EDIT, new_string: `${n}` }));
    const { runtime, questions, events } = await place(answers);
    expect(await runtime.call("edit", EDIT)).toMatchObject({ ok: false, error: { details: { reason: "too_many_changes" } } });
    expect(questions).toHaveLength(11);
    expect(typesOf(events).filter((type) => type.startsWith("tool_"))).toEqual(["tool_call", "tool_result"]);
  });

  test("that are long stand in a blob of the log", async () => {
    const content = "x".repeat(20_000);
    const made = makePlace();
    const { asker } = scriptedAsker(change({ path: "b.txt", content }), { answer: "allow" });
    const { runtime, events } = await open(made, { permissions: { mode: "ask", asker } });
    const envelope = await runtime.call("write", { path: "a.txt", content: "mine" });
    expect(envelope).toMatchObject({ ok: true, args: { content } });
    for (const data of [dataOf(events, "permission_decision").at(-1), dataOf(events, "tool_result")[0]]) {
      expect(data).toMatchObject({ changed_by: "person", args_blob: { size_bytes: expect.any(Number) } });
      expect(data).not.toHaveProperty("args");
    }
    expect(read(made, "b.txt")).toBe(content);
  });
});

describe("every answer that is malformed is a denial", () => {
  const allow = (remember: unknown) => ({ answer: "allow", remember });
  test.each<[string, unknown]>([
    ["rules without a scope", allow({ rules: ["write(a.txt)"] })],
    ["a scope that is not known", allow({ rules: ["write(a.txt)"], scope: "ever" })],
    ["no rules", allow({ rules: [], scope: "session" })],
    ["a rule that is no text", allow({ rules: [7], scope: "session" })],
    ["rules that are one text", allow({ rules: "write(a.txt)", scope: "session" })],
    ["a member too many", allow({ rules: ["write(a.txt)"], scope: "session", effect: "deny" })],
    ["nothing to remember", allow(null)],
    ["true to remember", allow(true)],
    ["rules without end", allow({ rules: Array.from({ length: 101 }, () => "write(a.txt)"), scope: "session" })],
    ["a rule without end", allow({ rules: [`write(${"a".repeat(10_001)})`], scope: "session" })],
    ["a change to nothing", { answer: "change" }],
    ["a change to a list", { answer: "change", args: [] }],
    ["a change to text", { answer: "change", args: "{}" }],
    ["a change with a reason", { answer: "change", args: {}, reason: "x" }],
    ["a change to what is no JSON", { answer: "change", args: { path: () => "a" } }],
    ["a yes with a reason", { answer: "allow", reason: "fine" }],
    ["a word that is not known", { answer: "Allow" }],
  ])("%s", async (_, answer) => {
    const { runtime, place: made, questions } = await place([answer]);
    expect(await runtime.call("edit", EDIT)).toMatchObject({
      ok: false,
      error: { kind: "permission_denied", details: { reason: "unknown_answer", source: { from: "person" } } },
    });
    expect({ text: read(made, "a.txt"), asked: questions.length }).toEqual({ text: "one\n", asked: 1 });
  });
});

test("an asker that never answers ends with the signal, in a batch too", async () => {
  const stop = new AbortController();
  const { runtime } = await open(makePlace(), {
    tools: codingTools(),
    model: scripted([{ calls: ["a", "b", "c"].map((path) => ({ name: "write", args: { path, content: "x" } })) }, { text: "." }]),
    permissions: {
      mode: "ask",
      asker: () => {
        setTimeout(() => stop.abort(), 20);
        return new Promise(() => {});
      },
    },
  });
  const session = await runtime.session();
  expect(await session.run("Go.", { signal: stop.signal }).result).toMatchObject({ status: "interrupted" });
});
