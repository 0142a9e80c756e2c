import { describe, expect, test } from "vitest";
import { memorySandbox } from "../sandbox/index.ts";
import { callOf, planOf } from "../testing/direct-call.ts";
import { edit } from "./edit.ts";
import { diffOfEdit } from "./shown-change.ts";
import { write } from "./write.ts";

const VALUE = "Zq8-SECRET-value/7+hidden";
const KEY = ["-----BEGIN KEY-----", "Zq8aaaaaaaaaaaaaa", "Zq8bbbbbbbbbbbbbb", "-----END KEY-----"].join("\n");
const secrets = { VALUE, KEY };
const places = [1975, 1985, 1999].flatMap((pad) => [false, true].map((isLarge) => ({ pad, isLarge })));

describe.each(places)("a secret on the place where a diff cuts a long line, at $pad, in a large file: $isLarge", ({ pad, isLarge }) => {
  const line = `${"x".repeat(pad)}${VALUE}${"y".repeat(100)}`;
  const file = `one\n${line}\n${KEY}\ntwo\n${isLarge ? "filling\n".repeat(70_000) : ""}`;

  test.each([
    ["beside the change", { old_string: "one", new_string: "three" }, "-one\n+three"],
    ["in the line that changes", { old_string: "one\nxx", new_string: "one\nzz" }, "+zzx"],
    [
      "between two changes",
      {
        edits: [
          ["one", "1"],
          ["two", "2"],
        ].map(([a, b]) => ({ old_string: a ?? "", new_string: b ?? "" })),
      },
      "+2",
    ],
  ])("is not seen in part %s", async (_, change, seen) => {
    const sandbox = memorySandbox({ "a.txt": file });
    const plan = await planOf(edit, { path: "a.txt", ...change }, sandbox, { secrets });
    const done = await callOf(edit, { path: "a.txt", ...change }, sandbox, { secrets });
    for (const told of [JSON.stringify(plan.effects), JSON.stringify(done)]) {
      expect(told).not.toContain("Zq8");
      expect(told).toContain(JSON.stringify(seen).slice(1, -1));
    }
    expect(sandbox.files()["a.txt"]).toContain(VALUE);
  });

  test("is not seen in part where a file is written", async () => {
    for (const content of [file, file.replace("one", "three")]) {
      const sandbox = memorySandbox({ "old.txt": file });
      for (const path of ["new.txt", "old.txt"]) {
        const told = JSON.stringify(await callOf(write, { path, content }, sandbox, { secrets }));
        expect(told).not.toContain("Zq8");
      }
      expect(sandbox.files()["new.txt"]).toBe(content);
    }
  });
});

test("what comes near a text that is not there is shown without secrets, cut or not", async () => {
  const near = `let where = "${"x".repeat(1960)}${VALUE}"; // long\n${KEY}\n`;
  const sandbox = memorySandbox({ "a.txt": near.repeat(3) });
  const old_string = `let where = "${"x".repeat(1960)}"; // lonk\n${"a\n".repeat(30)}`;
  const told = JSON.stringify(await callOf(edit, { path: "a.txt", old_string, new_string: "" }, sandbox, { secrets }));
  expect(told).toContain("let where");
  expect(told).not.toContain("Zq8");
});

test("a change that is all within secrets says so", async () => {
  const [before, after] = ["key = secret-1\n", "key = secret-2\n"];
  const replacements = [{ start: 0, end: before.length, text: after }];
  const redact = (text: string) => text.replace(/secret-\d/g, "[secret:KEY]");
  expect(await diffOfEdit({ before, after, replacements, name: "a@@b", redact })).toBe("--- a@@b\n+++ a@@b\n(what changes is redacted)\n");
});
