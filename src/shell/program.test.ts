import { describe, expect, test } from "vitest";
import { open } from "./doing.ts";
import { type PlainProgram, plainProgram } from "./program.ts";
import { doingForTest } from "./programs/doing-for-test.ts";

const doing = (spec: PlainProgram, script: string): string => doingForTest({ x: plainProgram(spec) }, script);

const SPEC: PlainProgram = {
  flags: "-q -r -L --quiet",
  values: { "-o --output": "write", "-f": "read", "-n --lines": "text" },
  optional: { "--log": "write" },
  operands: "read",
  recursive: "-r",
  follows: "-L",
};

describe("plainProgram", () => {
  test.each([
    ["x a b", "declared: read a, read b"],
    ["x -q", "declared"],
    ["x - a", "declared: read a"],
    ["x -o out -f in a", "declared: write out, read in, read a"],
    ["x --output=out -qn5 a", "declared: write out, read a"],
    ["x --log a", "declared: read a"],
    ["x --log=l a", "declared: write l, read a"],
    ["x -r a", "declared: read a/**"],
    ["x -rL a", "declared: read a/**!"],
    ["x -L a", "declared: read a"],
    ["x -z a", "open: read a"],
    ["x $x", "open"],
    ["x src/$x", "declared: read src/?"],
    ["x src/**", "declared: read <src>*"],
  ])("says of %j: %j", (script, shown) => {
    expect(doing(SPEC, script)).toBe(shown);
  });

  test("takes a value behind an operand for one more operand as well, unless it is a number", () => {
    expect(doing(SPEC, "x a -n .env")).toBe("declared: read .env, read a");
    expect(doing(SPEC, "x a -n 5")).toBe("declared: read a");
    expect(doing(SPEC, "x a -n 10k")).toBe("declared: read a");
    expect(doing({ ...SPEC, permutes: true }, "x a -n .env")).toBe("declared: read a");
  });

  test("gives operands their roles one by one", () => {
    const spec: PlainProgram = { operands: ["text", "read", "write"] };
    expect(doing(spec, "x a b c d")).toBe("declared: read b, write c, write d");
    expect(doing(spec, "x a b/** c")).toBe("declared: read <b>*, write <b>*, read c, write c");
  });

  test("looks at what it looks at without operands", () => {
    const spec: PlainProgram = { flags: "-R", operands: "stat", withoutOperands: ".", recursive: "-R" };
    expect(doing(spec, "x")).toBe("declared: stat .");
    expect(doing(spec, "x -R")).toBe("declared: stat ./**");
    expect(doing(spec, "x -R a")).toBe("declared: stat a/**");
  });

  test("goes by the options where they say what operands are", () => {
    const spec: PlainProgram = {
      values: { "-e": "text" },
      operands: ["text", "read"],
      withoutOperands: ".",
      byOptions: (options) => (options.length > 0 ? { operands: "read" } : {}),
    };
    expect(doing(spec, "x a b")).toBe("declared: read b");
    expect(doing(spec, "x a")).toBe("declared: read .");
    expect(doing(spec, "x -e p a")).toBe("declared: read a");
    expect(doing(spec, "x -e p")).toBe("declared: read .");
  });

  test("gives every role its use when it is recursive", () => {
    const of = (operands: NonNullable<PlainProgram["operands"]>): string => doing({ flags: "-R", operands, recursive: "-R" }, "x -R a");
    expect(["write", "delete", "text", "folder"].map((role) => of(role as "write"))).toEqual([
      "declared: write a/**",
      "declared: delete a/**",
      "declared",
      "declared: read a/**",
    ]);
  });

  test("is open with operands where there are none, and when the last look says so", () => {
    expect(doing({ operands: "none" }, "x a")).toBe("open");
    expect(doing({ operands: "none" }, "x")).toBe("declared");
    expect(doing({ unless: (_, operands) => (operands.length > 1 ? open() : null) }, "x a b")).toBe("open");
  });
});
