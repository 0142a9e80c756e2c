/** What must infer, and what must be refused, at compile time; nothing here runs. */
import { type } from "arktype";
import { z } from "zod";
import type { Effect } from "../base/effect.ts";
import type { Tool } from "./contract.ts";
import { defineTool } from "./define-tool.ts";
import { result } from "./result.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <_A, _B>(_proof: Same<_A, _B>) => {};

// 1 zod
export const weather = defineTool({
  name: "get_weather",
  description: "Current weather for a location.",
  parameters: z.strictObject({ location: z.string().describe("City name"), days: z.int().default(1), unit: z.enum(["C", "F"]).optional() }),
  effects: [{ kind: "network", host: "api.example.com", port: 443, sure: "declared" }],
  async execute({ location, days, unit }, context) {
    same<typeof location, string>(true);
    same<typeof days, number>(true);
    same<typeof unit, "C" | "F" | undefined>(true);
    same<typeof context.signal, AbortSignal>(true);
    return `Temperature in ${location}: ${days}`;
  },
});
same<typeof weather, Tool<{ location: string; days: number; unit?: "C" | "F" | undefined }>>(true);

// 1b zod transform: the tool gets the output type
defineTool({
  name: "t",
  description: "",
  parameters: z.strictObject({ when: z.string().transform((s) => new Date(s)) }),
  effects: [],
  execute({ when }) {
    same<typeof when, Date>(true);
    return { iso: when.toISOString() };
  },
});

// 2 raw JSON Schema, literal
defineTool({
  name: "query",
  description: "",
  effects: [],
  parameters: {
    type: "object",
    properties: { q: { type: "string" }, limit: { type: "integer" }, tags: { type: "array", items: { enum: ["a", "b"] } } },
    required: ["q"],
  },
  execute(args) {
    same<typeof args.q, string>(true);
    same<typeof args.limit, number | undefined>(true);
    same<typeof args.tags, readonly ("a" | "b")[] | undefined>(true);
    return args.q;
  },
});
// 2b raw JSON Schema, from elsewhere (an MCP server)
declare const foreign: { type: "object"; properties: Record<string, unknown> };
defineTool({
  name: "f",
  description: "",
  parameters: foreign,
  execute(args) {
    const v = args.x;
    return v ?? null;
  },
});

// 3 arktype by Standard Schema
defineTool({
  name: "ark",
  description: "",
  parameters: type({ n: "number" }),
  effects: [],
  execute({ n }) {
    same<typeof n, number>(true);
    return n;
  },
});

// 4 parameterised: a function that returns a tool
export const table = (options: { table: string }) =>
  defineTool({
    name: `query_${options.table}`,
    description: `Query the ${options.table} table`,
    parameters: z.strictObject({ q: z.string() }),
    effects: (args) => {
      same<typeof args.q, string>(true);
      return [{ kind: "network", host: "db", port: 5432, sure: "declared" }];
    },
    async execute({ q }) {
      same<typeof q, string>(true);
      return [{ id: 1, q }];
    },
  });
const tools: readonly Tool[] = [weather, table({ table: "users" }), table({ table: "orders" })];
void tools;

// 4b parameterised through defineTool, plain and planned
export const table2 = defineTool((options: { table: string }) => ({
  name: `query_${options.table}`,
  description: "",
  parameters: z.strictObject({ q: z.string() }),
  effects: [],
  async execute({ q }, context) {
    same<typeof q, string>(true);
    same<typeof context.signal, AbortSignal>(true);
    return q;
  },
}));
export const file2 = defineTool((options: { root: string }) => ({
  name: "peek",
  description: "",
  parameters: z.strictObject({ path: z.string() }),
  plan: ({ path }) => ({
    effects: [{ kind: "file.read", sure: "exact", path: `${options.root}/${path}` }],
    full: `${options.root}/${path}`,
  }),
  execute(plan) {
    same<typeof plan.full, string>(true);
    return plan.full;
  },
}));
export const twice: readonly Tool[] = [table2({ table: "users" }), table2({ table: "orders" }), file2({ root: "/a" })];
// @ts-expect-error options are typed
table2({ tabel: "users" });

// 4c an interface may be returned
interface Celsius {
  temperature: number;
}
defineTool({
  name: "i",
  description: "",
  parameters: z.strictObject({}),
  effects: [],
  execute: async (): Promise<Celsius> => ({ temperature: 1 }),
});

// 5 planned: execute gets the plan
export const edit = defineTool({
  name: "edit",
  description: "",
  parameters: z.strictObject({ path: z.string(), old_string: z.string(), new_string: z.string() }),
  kinds: ["no_match", "not_unique"],
  async plan({ path, old_string, new_string }, { sandbox }) {
    const { bytes, version } = await sandbox.read(path);
    const after = new TextEncoder().encode(new TextDecoder().decode(bytes).split(old_string).join(new_string));
    const effects: readonly Effect[] = [
      {
        kind: "file.write",
        sure: "exact",
        path,
        before: version,
        after: { sha256: "…", size_bytes: after.length, mode: version.mode },
        diff: "",
      },
    ];
    return { effects, path, after, before: version.sha256 };
  },
  async execute(plan, { sandbox }) {
    same<typeof plan.after, Uint8Array<ArrayBuffer>>(true);
    same<typeof plan.before, string>(true);
    await sandbox.write(plan.path, plan.after, { before: plan.before });
    return result({ output: `Edited ${plan.path}.`, replacements: 1 });
  },
});
same<typeof edit, Tool<{ path: string; old_string: string; new_string: string }>>(true);

// 5b inline effects literal in a planned tool
defineTool({
  name: "inline",
  description: "",
  parameters: z.strictObject({ p: z.string() }),
  plan: ({ p }) => ({ effects: [{ kind: "file.read", sure: "exact", path: p }], p }),
  execute: ({ p }) => {
    same<typeof p, string>(true);
    return p;
  },
});

// 6 a value with a field called output stays a value; details may not use reserved names
defineTool({ name: "v", description: "", parameters: z.strictObject({}), effects: [], execute: () => ({ output: "mine", n: 1 }) });
// @ts-expect-error `ok` is the executor's
result({ output: "", ok: false });
// @ts-expect-error no `before` on a declared write
export const wrong: Effect = { kind: "file.write", sure: "exact", path: "/a" };
// @ts-expect-error a plain tool has no plan argument: args.nope
defineTool({ name: "x", description: "", parameters: z.strictObject({ a: z.string() }), execute: (args) => args.nope });
// @ts-expect-error both effects and plan
defineTool({ name: "x", description: "", parameters: z.object({}), effects: [], plan: () => ({ effects: [] }), execute: () => "" });

// 7 exhaustive over effects, and narrowing by sureness
export function brief(effect: Effect): string {
  switch (effect.kind) {
    case "file.read":
      return effect.path;
    case "file.write":
      return effect.sure === "exact" ? effect.after.sha256 : effect.path;
    case "file.delete":
      return effect.sure === "exact" ? effect.before.sha256 : effect.path;
    case "command":
      return effect.argv.join(" ");
    case "network":
      return `${effect.host}:${effect.port}`;
    case "agent":
      return effect.name;
    case "unknown":
      return effect.reason;
    default: {
      const never: never = effect;
      return never;
    }
  }
}
