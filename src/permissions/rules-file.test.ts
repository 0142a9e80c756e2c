import { describe, expect, test } from "vitest";
import { isFailure } from "../base/fail.ts";
import { readRulesFile } from "./rules-file.ts";

const read = (text: string) => readRulesFile(text, { path: "/c/permissions.json" });

async function problemOf(text: string) {
  const error = await read(text).catch((thrown: unknown) => thrown);
  if (!isFailure(error)) throw new Error("it was read");
  return { kind: error.kind, message: error.message, ...error.details };
}

describe("a file of rules", () => {
  test("gives its rules, each with its line, and its mode", async () => {
    const file = await read(`// mine
{
  "version": 1,
  "mode": "read_only",
  "deny": ["read(secrets/**)"],
  "allow": [
    "command(npm test)", // as often as it likes
    "write(src/**)",
  ],
}`);
    expect(file.mode).toBe("read_only");
    expect(file.rules.map(({ text, effect, source }) => [effect, text, source])).toEqual([
      ["allow", "command(npm test)", { from: "file", file: "/c/permissions.json", line: 7 }],
      ["allow", "write(src/**)", { from: "file", file: "/c/permissions.json", line: 8 }],
      ["deny", "read(secrets/**)", { from: "file", file: "/c/permissions.json", line: 5 }],
    ]);
  });

  test("may say nothing but its version", async () => {
    expect(await read('{"version": 1}')).toEqual({ mode: null, isPolicy: false, rules: [], others: {} });
    expect(await read('{"version": 1, "allow": []}')).toMatchObject({ isPolicy: true, rules: [] });
  });

  test("gives members that its reader knows besides", async () => {
    const { others } = await readRulesFile('{"version": 1,\n"cases": [1]}', { path: "/f", others: ["cases", "more"] });
    expect(Object.keys(others)).toEqual(["cases"]);
    expect(others.cases).toMatchObject({ line: 2, value: [1] });
  });

  test.each<[string, string, number, string]>([
    ["no JSON", "{", 1, "not_json"],
    ["a list", "[]", 1, "not_an_object"],
    ["text", '"x"', 1, "not_an_object"],
    ["no version", '\n{"allow": []}', 2, "bad_version"],
    ["a later version", '{\n"version": 2}', 2, "bad_version"],
    ["a version in text", '{"version": "1"}', 1, "bad_version"],
    ["a name that is not known", '{"version": 1,\n"allows": []}', 2, "unknown_key"],
    ["the mode auto", '{"version": 1,\n"mode": "auto"}', 2, "bad_mode"],
    ["a mode that is none", '{"version": 1, "mode": null}', 1, "bad_mode"],
    ["a rule in the place of a list", '{"version": 1,\n"deny": "read(**)"}', 2, "bad_list"],
    ["an object in the place of a list", '{"version": 1, "deny": {}}', 1, "bad_list"],
    ["a rule that is no text", '{"version": 1, "deny": [\nnull]}', 2, "bad_rule"],
    ["a rule that cannot be read", '{"version": 1, "deny": [\n"read(a)",\n"raed(b)"]}', 3, "bad_rule"],
    ["a rule of two commands", '{"version": 1, "allow": ["command(cd src && ls)"]}', 1, "bad_rule"],
    ["words after $", '{"version": 1, "allow": ["command(npm $ test)"]}', 1, "bad_rule"],
  ])("is refused when it holds %s", async (_, text, line, reason) => {
    const problem = await problemOf(text);
    expect(problem).toMatchObject({ kind: "invalid_config", path: "/c/permissions.json", line, reason });
    expect(problem.message.startsWith(`/c/permissions.json:${line}: `)).toBe(true);
  });

  test("names what was meant", async () => {
    expect(await problemOf('{"version": 1, "dney": []}')).toMatchObject({ key: "dney", nearest: ["deny"] });
    expect(await problemOf('{"version": 1, "deny": ["command(npm $ test)"]}')).toMatchObject({
      rule: "command(npm $ test)",
      rule_reason: "dollar_not_last",
    });
  });
});
