import assert from "node:assert/strict";
import { canonicalJson } from "../base/canonical.ts";
import type { Effect } from "../base/effect.ts";
import { isFailure } from "../base/fail.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isKind } from "../base/kinds.ts";
import type { SandboxPort } from "../sandbox/index.ts";
import { type Tool, toolInternals } from "../tools/index.ts";
import type { ContractCase } from "./contract-case.ts";
import { callOf, planOf } from "./direct-call.ts";

/** A sandbox in which the examples of the tool can be carried out. */
export interface ToolFixture {
  readonly sandbox: SandboxPort;
  /** All that a tool could change there, in a form that can be compared. */
  snapshot(): unknown;
  close(): void | Promise<void>;
}

/**
 * What every tool must hold, as cases for any test runner. Each case makes its own fixture. The examples of the tool are its test data, so
 * there must be some, and they must succeed.
 *
 * `for (const { name, run } of toolContract(tool, create)) test(name, run);`
 */
export function toolContract(tool: Tool, create: () => ToolFixture | Promise<ToolFixture>): readonly ContractCase[] {
  return Object.entries(cases).map(([name, check]) => ({
    name: `${tool.name}: ${name}`,
    async run() {
      const fixture = await create();
      try {
        await check(tool, fixture);
      } finally {
        await fixture.close();
      }
    },
  }));
}

const cases: Readonly<Record<string, (tool: Tool, fixture: ToolFixture) => void | Promise<void>>> = {
  "describes itself and every parameter"(tool) {
    assert.notEqual(tool.description.trim(), "", "the description is empty");
    for (const { pointer, schema } of members(tool.jsonSchema)) {
      assert.equal(typeof schema.description, "string", `${pointer} has no description`);
      if (schema.type === "array") assert.ok(schema.items, `${pointer} does not say what its items are`);
    }
  },

  "takes no members that it does not know"(tool) {
    assert.equal(tool.jsonSchema.type, "object");
    assert.ok("additionalProperties" in tool.jsonSchema || "unevaluatedProperties" in tool.jsonSchema, "the schema is open");
  },

  "declares kinds of the vocabulary"(tool) {
    assert.deepEqual(
      tool.kinds.filter((kind) => !isKind(kind)),
      [],
    );
  },

  async "has examples that its own schema takes as they are"(tool) {
    assert.ok(tool.examples.length > 0, "there are no examples");
    for (const args of tool.examples) {
      const validation = await tool[toolInternals].validate(args);
      assert.ok(validation.ok, validation.ok ? "" : validation.failure.message);
      assert.deepEqual({ args: validation.args, repairs: validation.repairs }, { args, repairs: [] });
    }
  },

  async "refuses a member that nobody knows, and names it"(tool) {
    const known = tool.jsonSchema.additionalProperties;
    if (known !== false) return;
    const validation = await tool[toolInternals].validate({ ...tool.examples[0], no_such_member: 1 });
    assert.ok(!validation.ok && validation.failure.kind === "invalid_args", "it was taken");
    assert.match(JSON.stringify(validation.failure.details), /\/no_such_member/);
  },

  async "plans without changing anything, and the same each time"(tool, fixture) {
    const before = fixture.snapshot();
    for (const args of tool.examples) {
      const [first, second] = [await planOf(tool, args, fixture.sandbox), await planOf(tool, args, fixture.sandbox)];
      assert.equal(canonicalJson(first.effects), canonicalJson(second.effects));
    }
    assert.deepEqual(fixture.snapshot(), before);
  },

  async "plans effects with absolute paths"(tool, fixture) {
    for (const args of tool.examples) {
      const { effects } = await planOf(tool, args, fixture.sandbox);
      for (const path of effects.flatMap(pathsOf)) assert.ok(path.startsWith("/"), `${path} is not absolute`);
    }
  },

  async "changes nothing when its plan only reads"(tool, fixture) {
    for (const args of tool.examples) {
      const before = fixture.snapshot();
      const { effects } = await planOf(tool, args, fixture.sandbox);
      await callOf(tool, args, fixture.sandbox);
      if (effects.every(({ kind }) => kind === "file.read")) assert.deepEqual(fixture.snapshot(), before);
    }
  },

  async "succeeds at its examples, with a result that can be logged"(tool, fixture) {
    for (const args of tool.examples) {
      const { content: _, ...done } = { content: null, ...(await callOf(tool, args, fixture.sandbox)) };
      assert.ok(!("error" in done), `${JSON.stringify(args)}: ${JSON.stringify(done)}`);
      canonicalJson(done);
    }
  },

  async "raises only kinds that it declares when an example meets an empty workspace"(tool, fixture) {
    for (const args of tool.examples) {
      const lost = { ...fixture.sandbox, ...nothingThere(fixture.sandbox) };
      const failure = await planOf(tool, args, lost).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure === null) continue;
      assert.ok(isFailure(failure), `it threw what is no failure: ${String(failure)}`);
      assert.ok(tool.kinds.includes(failure.kind), `${failure.kind} is not declared`);
    }
  },
};

interface Member {
  readonly pointer: string;
  readonly schema: JsonObject;
}

function members(schema: JsonObject, pointer = ""): Member[] {
  const named = Object.entries((schema.properties ?? {}) as JsonObject).flatMap(([name, member]) => memberOf(`${pointer}/${name}`, member));
  return [...named, ...(schema.items ? members(schema.items as JsonObject, `${pointer}/0`) : [])];
}

function memberOf(pointer: string, value: JsonValue | undefined): Member[] {
  if (typeof value !== "object" || value === null) return [];
  // a schema, as `schemaOf` has checked
  const schema = value as JsonObject;
  return [{ pointer, schema }, ...members(schema, pointer)];
}

function pathsOf(effect: Effect): readonly string[] {
  if (effect.kind === "command") return [effect.cwd];
  return "path" in effect ? [effect.path] : [];
}

function nothingThere(sandbox: SandboxPort): Partial<SandboxPort> {
  const gone = (path: string, access: Parameters<SandboxPort["read"]>[1]) => sandbox.read(`gone/${path}`, access);
  return {
    stat: async () => null,
    read: gone,
    stream: (path, access) => sandbox.stream(`gone/${path}`, access),
    list: (path, access) => sandbox.list(`gone/${path}`, access),
  };
}
