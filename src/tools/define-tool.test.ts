import { type } from "arktype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Failure, fail } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { secret } from "../base/secret.ts";
import { memorySandbox } from "../sandbox/index.ts";
import { callOf, planOf } from "../testing/direct-call.ts";
import { type Tool, toolInternals } from "./contract.ts";
import { defineTool } from "./define-tool.ts";

const base = { name: "t", description: "", parameters: z.strictObject({}), effects: [], execute: () => "" } as const;
const validate = (tool: Tool, args: unknown) => tool[toolInternals].validate(args as JsonObject);
const sandbox = memorySandbox();

describe("defineTool", () => {
  test("gives a frozen tool with its schema, kinds and examples", () => {
    const tool = defineTool({ ...base, kinds: ["not_found"], examples: [{}], recovery: "repeat", timeoutMs: 5, secrets: [secret("A")] });
    expect(tool).toMatchObject({
      name: "t",
      kinds: ["not_found"],
      examples: [{}],
      jsonSchema: { type: "object", additionalProperties: false },
    });
    expect(tool[toolInternals]).toMatchObject({ recovery: "repeat", timeoutMs: 5, options: null });
    expect(Object.isFrozen(tool)).toBe(true);
  });

  test.each([
    ["no name", { name: "" }],
    ["a name that begins with a digit", { name: "1a" }],
    ["a name with a blank", { name: "a b" }],
    ["a name with a line break at its end", { name: "a\n" }],
    ["a name that is too long", { name: "a".repeat(65) }],
    ["no description", { description: undefined }],
    ["no parameters", { parameters: undefined }],
    ["no execute", { execute: undefined }],
    ["plan and effects", { plan: () => ({ effects: [] }) }],
    ["effects that are no list", { effects: {} }],
    ["an unknown kind", { kinds: ["oops"] }],
    ["an inherited kind", { kinds: ["toString"] }],
    ["an unknown recovery", { recovery: "maybe" }],
    ["a time limit of 0", { timeoutMs: 0 }],
    ["a time limit that no timer holds", { timeoutMs: 2 ** 31 }],
    ["a secret by its name alone", { secrets: ["TOKEN"] }],
    ["examples that are no JSON", { examples: [{ f: () => 1 }] }],
  ])("refuses %s with a TypeError", (_, part) => {
    expect(() => defineTool({ ...base, ...part } as never)).toThrow(TypeError);
  });

  test("refuses a schema that cannot be said, naming tool and pointer", () => {
    const define = () => defineTool({ ...base, parameters: z.object({ when: z.date() }) });
    expect(define).toThrow(
      expect.objectContaining({ kind: "invalid_args", details: { tool: "t", reason: "bad_schema", pointer: "/properties/when" } }),
    );
  });

  test("makes as many tools of a function as there are options, and hands them on", async () => {
    const table = defineTool((options: { table: string }) => ({
      name: `query_${options.table}`,
      description: "",
      parameters: z.strictObject({ q: z.string() }),
      effects: [],
      execute: ({ q }, context) => `${options.table} ${q} ${JSON.stringify(context.options)}`,
    }));
    const [users, orders] = [table({ table: "users" }), table({ table: "orders" })];
    expect([users.name, orders.name]).toEqual(["query_users", "query_orders"]);
    expect(await callOf(orders, { q: "x" }, sandbox)).toMatchObject({ output: 'orders x {"table":"orders"}' });
  });
});

describe("the effects of a plain tool", () => {
  const network = { kind: "network", host: "h", port: 1, sure: "declared" } as const;

  test("are the declared ones, those of its function, or unknown", async () => {
    const parameters = z.strictObject({ h: z.string().default("h") });
    const { effects: _, ...bare } = base;
    expect((await planOf(defineTool({ ...base, effects: [network] }), {}, sandbox)).effects).toEqual([network]);
    const own = defineTool({ ...bare, parameters, effects: ({ h }) => [{ ...network, host: h }] });
    expect((await planOf(own, { h: "x" }, sandbox)).effects).toEqual([{ ...network, host: "x" }]);
    expect((await planOf(defineTool(bare), {}, sandbox)).effects).toMatchObject([{ kind: "unknown", sure: "open" }]);
  });

  test("cannot be changed after they were planned", async () => {
    const effects = [{ ...network }];
    const tool = defineTool({ ...base, effects });
    effects.pop();
    const plan = await planOf(tool, {}, sandbox);
    expect(plan.effects).toHaveLength(1);
    expect(() => (plan.effects as unknown[]).pop()).toThrow(TypeError);
  });
});

describe("a planned tool", () => {
  const { effects: _, ...bare } = base;

  test("executes the very plan that it made, class instances and all", async () => {
    class Plan {
      readonly effects = [];
      readonly #secret = 42;
      reveal = () => this.#secret;
    }
    const tool = defineTool({ ...bare, plan: () => new Plan(), execute: (plan) => plan.reveal() });
    expect(await callOf(tool, {}, sandbox)).toMatchObject({ value: 42 });
  });

  test.each([
    ["nothing", undefined],
    ["no effects", {}],
    ["effects that are no JSON", { effects: [{ kind: "agent", at: new Date(0) }] }],
    ["an effect without a kind", { effects: [{ sure: "exact" }] }],
  ])("fails with tool_failed when it plans %s", async (_, plan) => {
    const tool = defineTool({ ...bare, plan: () => plan as never, execute: () => "ran" });
    expect(await callOf(tool, {}, sandbox)).toMatchObject({
      ok: false,
      error: { kind: "tool_failed", details: { reason: "bad_effects" } },
    });
  });

  test("may return a failure instead of throwing it", async () => {
    const tool = defineTool({ ...bare, plan: () => fail("not_found", "no") as never, execute: () => "ran" });
    expect(await callOf(tool, {}, sandbox)).toMatchObject({ ok: false, error: { kind: "not_found" } });
  });
});

describe("validation", () => {
  test("gives the tool the library's output, and keeps the arguments as they were asked", async () => {
    const tool = defineTool({ ...base, parameters: z.object({ n: z.int().default(1), s: z.string().transform((s) => s.length) }) });
    expect(await validate(tool, { s: "abc" })).toEqual({ ok: true, args: { s: "abc" }, value: { n: 1, s: 3 }, repairs: [] });
  });

  test("tells all problems, then those that only the library sees, by pointer", async () => {
    const parameters = z.object({ list: z.array(z.object({ a: z.string().refine((a) => a !== "x", "must not be x") })) });
    const tool = defineTool({ ...base, parameters });
    const first = await validate(tool, { list: [{ b: 1 }], c: 2 });
    expect(first).toMatchObject({
      ok: false,
      failure: { kind: "invalid_args", details: { problems: [{ pointer: "/c" }, { pointer: "/list/0/a" }, { pointer: "/list/0/b" }] } },
    });
    const second = await validate(tool, { list: [{ a: "x" }] });
    expect(second).toMatchObject({ ok: false, failure: { details: { problems: [{ pointer: "/list/0/a", message: "must not be x" }] } } });
  });

  test("waits for refinements that take time", async () => {
    const tool = defineTool({ ...base, parameters: z.object({ a: z.string().refine(async (a) => a === "ok", "no") }) });
    expect(await validate(tool, { a: "ok" })).toMatchObject({ ok: true });
    expect(await validate(tool, { a: "x" })).toMatchObject({ ok: false, failure: { kind: "invalid_args" } });
  });

  test("works for arktype and for plain JSON Schema", async () => {
    const ark = defineTool({ ...base, parameters: type({ n: "number > 3" }) });
    expect(await validate(ark, { n: 2 })).toMatchObject({ ok: false, failure: { details: { problems: [{ pointer: "/n" }] } } });
    const raw = defineTool({ ...base, parameters: { type: "object", properties: { at: { type: "string", format: "date" } } } });
    expect(await validate(raw, { at: "2026-11-30" })).toEqual({
      ok: true,
      args: { at: "2026-11-30" },
      value: { at: "2026-11-30" },
      repairs: [],
    });
  });

  test("repairs once, says it, and gives the library what was repaired", async () => {
    const tool = defineTool({ ...base, parameters: z.object({ n: z.int().optional(), o: z.string().optional() }) });
    expect(await validate(tool, { n: "3", o: null })).toEqual({
      ok: true,
      args: { n: 3 },
      value: { n: 3 },
      repairs: ["/n: the text was taken as 3", "/o: null was taken as left out"],
    });
  });

  test("tells what is still wrong after a repair", async () => {
    const tool = defineTool({ ...base, parameters: z.object({ n: z.int().min(1) }) });
    expect(await validate(tool, { n: "0" })).toMatchObject({
      ok: false,
      failure: { details: { problems: [{ pointer: "/n" }], repairs: [expect.any(String)] } },
    });
  });

  test("hands out copies that later changes do not reach", async () => {
    const tool = defineTool({ ...base, parameters: { type: "object", properties: { list: { type: "array" } } } });
    const args = { list: [1] };
    const checked = await validate(tool, args);
    args.list.push(2);
    expect(checked).toMatchObject({ value: { list: [1] } });
    expect(Object.isFrozen(checked.ok && checked.args)).toBe(true);
  });

  test.each([
    ["a list", []],
    ["nothing", null],
    ["text", "{}"],
    ["a function in it", { f: () => 1 }],
    [
      "a getter that throws",
      {
        get a() {
          throw new Error("no");
        },
      },
    ],
    ["a prototype of its own", JSON.parse('{"__proto__": {"a": 1}}')],
    ["a nest without end", JSON.parse(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)],
  ])("refuses %s as invalid_args", async (_, args) => {
    expect(await validate(defineTool(base), args)).toMatchObject({ ok: false, failure: { kind: "invalid_args" } });
  });

  test("counts what it does not list", async () => {
    const args = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 1]));
    const checked = await validate(defineTool(base), args);
    const { details } = (checked as { failure: Failure }).failure;
    expect((details.problems as unknown[]).length).toBe(20);
    expect(details.more).toBe(30);
  });

  test("tells a library that throws, and a schema that goes round in circles, as the tool's fault", async () => {
    const cause = new Error("boom");
    const throwing = defineTool({
      ...base,
      parameters: z.object({
        a: z.string().refine(() => {
          throw cause;
        }),
      }),
    });
    expect(await validate(throwing, { a: "x" })).toMatchObject({ ok: false, failure: { kind: "tool_failed", cause } });
    const circle = {
      type: "object",
      properties: { a: { $ref: "#/$defs/x" } },
      $defs: { x: { $ref: "#/$defs/y" }, y: { $ref: "#/$defs/x" } },
    } as const;
    expect(await validate(defineTool({ ...base, parameters: circle }), { a: 1 })).toMatchObject({
      ok: false,
      failure: { kind: "tool_failed" },
    });
  });

  test("lets a recursive schema judge data that is not too deep", async () => {
    const tree = { type: "object", properties: { kids: { type: "array", items: { $ref: "#" } } } } as const;
    const tool = defineTool({ ...base, parameters: tree });
    expect(await validate(tool, { kids: [{ kids: [{}] }] })).toMatchObject({ ok: true });
    expect(await validate(tool, { kids: [{ kids: [{ x: 1 }] }] })).toMatchObject({
      failure: { details: { problems: [{ pointer: "/kids/0/kids/0/x" }] } },
    });
  });
});
