import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, fail, foldSession, type Model, result } from "../../src/index.ts";
import { readSessionLog } from "../../src/log/index.ts";
import { type RuntimeOptions, scripted } from "../../src/node.ts";
import { createModelServer, type ModelServerStep } from "../../src/testing/index.ts";
import { codingTools } from "../../src/tools/index.ts";
import { dataOf, makePlace, open, type Place, typesOf } from "./place.ts";

async function turn(place: Place, options: Partial<RuntimeOptions>, signal?: AbortSignal) {
  const opened = await open(place, options);
  const session = await opened.runtime.session();
  return { ...opened, session, end: await session.run("Do it.", signal ? { signal } : {}).result };
}

describe("a turn", () => {
  test("goes on until the model answers, and its log folds to what happened", async () => {
    const place = makePlace({ "a.txt": "one\n" });
    const model = scripted([
      { text: "Looking.", calls: [{ name: "read", args: { path: "a.txt" } }] },
      { calls: [{ name: "edit", args: { path: "a.txt", old_string: "one", new_string: "two" } }] },
      { text: "Done." },
    ]);
    const { end, session, events } = await turn(place, { model });
    expect(end).toMatchObject({ status: "done", text: "Done.", error: null });
    expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("two\n");
    const logged = events.filter(({ seq }) => seq !== null);
    expect(logged.map(({ seq }) => seq)).toEqual([...logged.keys()]);
    const view = foldSession(logged);
    expect(view.turns).toHaveLength(1);
    const [folder] = [...walk(place.stateDir)].filter((path) => path.endsWith(session.id));
    const onDisk = [];
    for await (const event of readSessionLog(folder ?? "")) onDisk.push(event);
    expect(onDisk).toEqual(logged);
  });

  test("counts the tokens of an answer that broke", async () => {
    const model: Model = {
      name: "test/broken",
      async *stream() {
        yield { type: "usage", usage: { input_tokens: 7 } };
        throw fail("network", "the cable was pulled");
      },
    };
    const { end, events } = await turn(makePlace(), { model });
    expect(end).toMatchObject({ status: "failed", usage: { input_tokens: 7 }, error: { kind: "network" } });
    expect(foldSession(events.filter(({ seq }) => seq !== null)).usage).toEqual({ input_tokens: 7 });
  });

  test("hands its events to whoever iterates, streamed ones too", async () => {
    const { runtime } = await open(makePlace(), { model: scripted([{ text: "Hello there." }]) });
    const session = await runtime.session();
    const run = session.run("Hi.");
    const types: string[] = [];
    for await (const event of run) types.push(event.type);
    expect(types.filter((type) => type !== "text_delta")).toEqual(["user_message", "model_request", "assistant_message", "turn_ended"]);
    expect(types).toContain("text_delta");
    expect((await run.result).status).toBe("done");
  });

  test("remembers the one before", async () => {
    const server = await createModelServer({ steps: [{ text: "One." }, { text: "Two." }] });
    const { runtime } = await open(makePlace(), { model: "openai-compatible/m", baseUrl: server.baseUrl });
    const session = await runtime.session();
    await session.run("First.").result;
    expect(await session.run("Second.").result).toMatchObject({ status: "done", text: "Two." });
    await server.close();
  });

  test("that reaches its cap is a failure, and the calls of its last answer did not run", async () => {
    const place = makePlace();
    const write = (n: number) => ({ calls: [{ name: "write", args: { path: `${n}.txt`, content: "x" } }] });
    const { end, events } = await turn(place, { model: scripted([write(1), write(2), write(3)]), maxIterations: 2 });
    expect(end).toMatchObject({ status: "capped", error: { kind: "iteration_cap", details: { cap: 2 } } });
    expect(["1.txt", "2.txt"].map((name) => existsSync(join(place.workspace, name)))).toEqual([true, false]);
    expect(dataOf(events, "tool_result").map(({ ok, error }) => ok || error?.kind)).toEqual([true, "cancelled"]);
  });

  test("that is interrupted stops its command, records the end and starts nothing more", async () => {
    const place = makePlace();
    const stop = new AbortController();
    const model = scripted([
      {
        calls: [
          { name: "bash", args: { command: "echo started > started.txt; sleep 300" } },
          { name: "write", args: { path: "late.txt", content: "x" } },
        ],
      },
      { text: "never said" },
    ]);
    const looking = setInterval(() => {
      if (existsSync(join(place.workspace, "started.txt"))) stop.abort();
    }, 5);
    const { end } = await turn(place, { model }, stop.signal);
    clearInterval(looking);
    expect(end).toMatchObject({ status: "interrupted", error: { kind: "cancelled" } });
    expect(existsSync(join(place.workspace, "late.txt"))).toBe(false);
  });

  test("whose script is at its end fails, and says so", async () => {
    const { end } = await turn(makePlace(), { model: scripted([{ calls: [{ name: "read", args: { path: "none" } }] }]) });
    expect(end).toMatchObject({ status: "failed", error: { kind: expect.any(String) } });
  });

  test("goes on after a refused call, an unknown tool and arguments that are no JSON", async () => {
    const steps: ModelServerStep[] = [
      {
        calls: [
          { name: "nope", args: {} },
          { name: "write", args: { path: "a.txt", content: "x" } },
        ],
      },
      { calls: [{ name: "read", args: { path: "a.txt" } }], fault: { kind: "badargs" } },
      { text: "I see." },
    ];
    const server = await createModelServer({ steps });
    const { end, events } = await turn(makePlace(), {
      model: "openai-compatible/m",
      baseUrl: server.baseUrl,
      permissions: { mode: "read_only" },
    });
    await server.close();
    expect(end).toMatchObject({ status: "done", text: "I see." });
    expect(dataOf(events, "tool_result").map(({ error }) => error?.kind)).toEqual(["unknown_tool", "permission_denied", "invalid_args"]);
  });
});

describe("a batch", () => {
  const trace: string[] = [];
  /** A tool that ends when all that it names have begun: beside it, or never. */
  const waiting = (name: string, effects: [] | undefined) =>
    defineTool({
      name,
      description: "",
      parameters: z.strictObject({ id: z.string(), beside: z.array(z.string()).default([]) }),
      ...(effects ? { effects } : {}),
      async execute({ id, beside }) {
        trace.push(`${id} in`);
        while (!beside.every((other) => trace.includes(`${other} in`))) await new Promise((resolve) => setTimeout(resolve, 1));
        // what could begin beside it has begun by now
        await new Promise((resolve) => setTimeout(resolve, 20));
        trace.push(`${id} out`);
        return result({ output: id });
      },
    });

  test("runs reads beside each other, and whatever may change something alone, in call order", async () => {
    trace.length = 0;
    const call = (name: string, id: string, beside: string[] = []) => ({ name, args: { id, beside } });
    const calls = [call("pure", "a", ["b"]), call("pure", "b"), call("changing", "c"), call("pure", "d", ["e"]), call("pure", "e")];
    const { end, events } = await turn(makePlace(), {
      tools: [waiting("pure", []), waiting("changing", undefined)],
      model: scripted([{ calls }, { text: "Done." }]),
    });
    expect(end.status).toBe("done");
    const wave = (from: number, to: number) => trace.slice(from, to).sort();
    expect(wave(0, 4)).toEqual(["a in", "a out", "b in", "b out"]);
    expect(trace.slice(4, 6)).toEqual(["c in", "c out"]);
    expect(wave(6, 10)).toEqual(["d in", "d out", "e in", "e out"]);
    expect(dataOf(events, "tool_call").map(({ call_id }) => call_id)).toEqual(["c1", "c2", "c3", "c4", "c5"]);
    expect(typesOf(events).slice(3, 9)).toEqual(["assistant_message", "tool_call", "tool_call", "tool_call", "tool_call", "tool_call"]);
  });

  test("lands both of two edits of one file, and a command after them sees both", async () => {
    const place = makePlace({ "a.txt": "one two\n" });
    const edit = (old_string: string, new_string: string) => ({ name: "edit", args: { path: "a.txt", old_string, new_string } });
    const calls = [edit("one", "1"), edit("two", "2"), { name: "bash", args: { command: "cat a.txt" } }];
    const { events } = await turn(place, { tools: codingTools(), model: scripted([{ calls }, { text: "Done." }]) });
    expect(dataOf(events, "tool_result").map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(dataOf(events, "tool_result")[2]?.output).toContain("1 2");
  });
});

describe("two sessions of one process", () => {
  test("that edit one file lose neither change", async () => {
    const place = makePlace({ "a.txt": "0\n" });
    const { runtime } = await open(place);
    const other = await open(place);
    const append = async (door: typeof runtime, n: number) => {
      for (;;) {
        const before = readFileSync(join(place.workspace, "a.txt"), "utf8");
        const envelope = await door.call("edit", { path: "a.txt", old_string: before, new_string: `${before}${n}\n` });
        if (envelope.ok) return;
        expect(["changed_since_plan", "no_match"]).toContain(envelope.error?.kind);
      }
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => append(n % 2 ? runtime : other.runtime, n)));
    expect(readFileSync(join(place.workspace, "a.txt"), "utf8").split("\n").sort().join("")).toBe("0123456");
  });
});

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    yield path;
    if (entry.isDirectory()) yield* walk(path);
  }
}

describe("a model that repeats its key", () => {
  test("is redacted on the screen too, wherever its text is cut", async () => {
    const key = "sk-0123456789abcdefghij";
    const place = makePlace();
    const server = await createModelServer({ steps: [{ text: `Your key is ${key}, I think.` }], chunk: 3 });
    const { events, end } = await turn(
      { ...place, env: { ...place.env, COLLET_API_KEY: key } },
      { model: "openai-compatible/m", baseUrl: server.baseUrl },
    );
    await server.close();
    const streamed = dataOf(events, "text_delta")
      .map(({ text }) => text)
      .join("");
    expect(streamed).toBe("Your key is [secret:COLLET_API_KEY], I think.");
    expect(JSON.stringify(events)).not.toContain(key);
    expect(end.text).not.toContain(key);
  });
});
