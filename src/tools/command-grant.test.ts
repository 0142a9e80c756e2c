import { describe, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { secret } from "../base/secret.ts";
import { memorySandbox, type SandboxPort } from "../sandbox/index.ts";
import { callOf, planOf } from "../testing/direct-call.ts";
import { codingTools } from "./coding-tools.ts";
import { command } from "./command.ts";
import type { CommandOptions } from "./command-options.ts";
import { toolInternals } from "./contract.ts";
import { createToolSet } from "./tool-set.ts";

/** Plans only: a program is found at `/usr/bin`, and cannot be started. */
function findingSandbox(): SandboxPort {
  return {
    ...memorySandbox({}, { workspace: "/ws" }),
    processes: true,
    ground: {
      variables: {},
      locate: async (name) => ({ path: `/usr/bin/${name}` }),
      gitSettings: async () => [],
      gitTracked: async () => null,
    },
  };
}

function failureOf(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return error;
  }
}

async function validated(args: JsonObject) {
  const validation = await command({ command: "git" })[toolInternals].validate(args);
  return validation.ok ? { args: validation.args, repairs: validation.repairs } : validation.failure;
}

describe("the name of a grant", () => {
  test.each([
    ["git", "git"],
    ["/usr/bin/git", "git"],
    ["docker-compose", "docker-compose"],
    ["./scripts/foo.sh", "foo_sh"],
    ["7z", "cmd_7z"],
    ["_x", "cmd__x"],
    ["g++", "g__"],
    ["Rscript", "Rscript"],
    ["größe", "gr__e"],
    ["a".repeat(90), "a".repeat(64)],
  ])("of %s is %s", (program, name) => {
    expect(command({ command: program }).name).toBe(name);
  });

  test("can be given, and is refused where it is that of another tool", () => {
    expect(command({ command: "git", name: "vcs" }).name).toBe("vcs");
    const sameName = { kind: "invalid_args", details: { reason: "same_name" } };
    expect(failureOf(() => createToolSet([command({ command: "git" }), command({ command: "/opt/git" })]))).toMatchObject(sameName);
    expect(failureOf(() => createToolSet([...codingTools(), command({ command: "bash" })]))).toMatchObject(sameName);
  });
});

test.each([
  ["command", {}],
  ["command", { command: "" }],
  ["command", { command: "a\0b" }],
  ["name", { command: "[" }],
  ["name", { command: "git", name: "my git" }],
  ["evn", { command: "git", evn: {} }],
  ["env", { command: "git", env: { "A=B": "x" } }],
  ["env", { command: "git", env: { COLLET_CALL: "x" } }],
  ["env", { command: "git", env: { A: "x\0y" } }],
  ["env", { command: "git", env: { A: 1 } }],
  ["allow", { command: "git", allow: "status" }],
  ["allow", { command: "git", allow: [""] }],
  ["allow", { command: "git", allow: ["log $ x"] }],
  ["deny", { command: "git", deny: ["a;b"] }],
  ["cwd", { command: "git", cwd: "" }],
  ["timeout", { command: "git", timeout: 0 }],
  ["timeout", { command: "git", timeout: Number.NaN }],
])("a grant is refused for its %s: %j", (option, options) => {
  expect(failureOf(() => command(options as CommandOptions))).toMatchObject({ kind: "invalid_args", details: { option } });
});

describe("the arguments of a call", () => {
  test.each([
    ["log --oneline -n 3", ["log", "--oneline", "-n", "3"]],
    ["commit -m 'a; b' \"c d\"", ["commit", "-m", "a; b", "c d"]],
    ["", []],
    ["  status\t", ["status"]],
    ["[", ["["]],
  ])("that are a text are split where that is certain, and it is said: %j", async (text, args) => {
    expect(await validated({ args: text })).toEqual({
      args: { args },
      repairs: [expect.stringContaining("/args: the text was split into")],
    });
  });

  test("that are a list in a text are that list", async () => {
    expect(await validated({ args: '["log", "a b"]' })).toMatchObject({ args: { args: ["log", "a b"] }, repairs: [expect.any(String)] });
  });

  test.each(["one; touch made", "$(touch made)", "a | b", "*.ts", "a\nb", "'open", "$HOME", "a > b", "# no"])(
    "that are a text which only a shell could split are refused: %j",
    async (args) => {
      expect(await validated({ args })).toMatchObject({
        kind: "invalid_args",
        details: { pointer: "/args", reason: "not_literal", hint: expect.stringContaining("list") },
      });
    },
  );

  test.each([
    [{}],
    [{ args: [1] }],
    [{ args: null }],
    [{ args: 7 }],
    [{ args: [], command: "x" }],
    [{ args: [], cwd: "" }],
    [{ args: ["a"], timeout: "soon" }],
  ])("that do not fit are refused: %j", async (args) => {
    expect(await validated(args as JsonObject)).toMatchObject({ kind: "invalid_args" });
  });

  test.each([
    [["a\0b"], "nul"],
    [["\ud800"], "lone_surrogate"],
    [["x".repeat(1024 * 1024 + 1)], "too_long"],
    [Array.from({ length: 10_001 }, () => "x"), "too_long"],
  ])("that no process can get are refused", async (args, reason) => {
    expect(await callOf(command({ command: "echo" }), { args }, findingSandbox())).toMatchObject({
      ok: false,
      error: { kind: "invalid_args", details: { reason } },
    });
  });
});

describe("what a grant lets through", () => {
  async function outcome(grant: Omit<CommandOptions, "command">, args: readonly string[]): Promise<unknown> {
    const result = await planOf(command({ command: "git", ...grant }), { args: [...args] }, findingSandbox()).catch((error) => error);
    return "kind" in result ? [result.kind, result.details.reason] : "planned";
  }

  test.each([
    [["status"], "planned"],
    [["status", "-s"], "planned"],
    [["diff", "a.ts", "b.ts"], "planned"],
    [["log"], "planned"],
    [["diff"], ["permission_denied", "not_in_grant"]],
    [
      ["log", "-p"],
      ["permission_denied", "not_in_grant"],
    ],
    [["statusx"], ["permission_denied", "not_in_grant"]],
    [["status -s"], ["permission_denied", "not_in_grant"]],
    [[], ["permission_denied", "not_in_grant"]],
    [
      ["-c", "alias.status=!sh", "status"],
      ["permission_denied", "not_in_grant"],
    ],
    [
      ["--no-pager", "status"],
      ["permission_denied", "not_in_grant"],
    ],
  ])("is what its list allows: %j", async (args, expected) => {
    expect(await outcome({ allow: ["status", "diff *", "log $"] }, args)).toEqual(expected);
  });

  test.each([
    [["push"], ["permission_denied", "denied_by_grant"]],
    [
      ["push", "origin"],
      ["permission_denied", "denied_by_grant"],
    ],
    [
      ["-C", "dir", "push"],
      ["permission_denied", "denied_by_grant"],
    ],
    [
      ["--git-dir=x", "-c", "a=b", "push"],
      ["permission_denied", "denied_by_grant"],
    ],
    [
      ["remote", "add", "x"],
      ["permission_denied", "denied_by_grant"],
    ],
    [["remote", "-v"], "planned"],
    [["pull"], "planned"],
  ])("is not what it denies, behind options too: %j", async (args, expected) => {
    expect(await outcome({ deny: ["push", "remote add"], allow: ["push", "pull", "remote", "-C", "--git-dir=x"] }, args)).toEqual(expected);
  });

  test("is nothing for an empty list, and no arguments for $", async () => {
    expect(await outcome({ allow: [] }, ["status"])).toEqual(["permission_denied", "not_in_grant"]);
    expect(await outcome({ allow: ["$"] }, [])).toBe("planned");
    expect(await outcome({ allow: ["$"] }, ["status"])).toEqual(["permission_denied", "not_in_grant"]);
  });

  test("is told to the model", async () => {
    const tool = command({ command: "git", allow: ["status", "log *"], deny: ["log --all"] });
    expect(tool.description).toMatch(/`status`, `log \*`.*Never: `log --all`/);
    expect(tool.examples).toEqual([{ args: ["status"] }]);
    const result = await callOf(tool, { args: ["push"] }, findingSandbox());
    expect(result).toMatchObject({ error: { details: { program: "git", allow: ["status", "log *"] } } });
  });
});

test("what keeps git quiet gives way to a variable of the grant, and git may then do anything", async () => {
  const args = { args: ["status"] };
  const plain = await planOf(command({ command: "git" }), args, findingSandbox());
  expect(plain.effects[0]).toMatchObject({ kind: "command", argv: ["git", "status"] });
  const own = command({ command: "git", env: { GIT_CONFIG_COUNT: "0", GIT_OPTIONAL_LOCKS: secret("LOCKS") } });
  const { effects } = await planOf(own, args, findingSandbox());
  expect(effects[0]).toMatchObject({ kind: "command", sure: "open" });
});
