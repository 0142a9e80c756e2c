import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Input } from "../doing.ts";
import { knownWord } from "../word.ts";
import { callForTest, doingForTest, showDoing } from "./doing-for-test.ts";
import { RUNNERS } from "./runners.ts";
import { xargs } from "./xargs.ts";

const text = (value: string): Input => ({ kind: "text", text: value });
const PATHS_0: Input = { kind: "paths", below: ["src", "a"], end: "\0" };
const PATHS: Input = { kind: "paths", below: ["src"], end: "\n" };

describe("xargs", () => {
  test.each([
    ["xargs rm", text("a b\nc\n"), "declared: run rm a b c"],
    ["xargs", text("a"), "declared: run echo a"],
    ["xargs rm -f", text(""), "declared: run rm -f"],
    ["xargs rm -f", { kind: "empty" }, "declared: run rm -f"],
    ["xargs -n 2 mv", text("a b c d"), "declared: run mv a b, run mv c d"],
    ["xargs -I{} mv {} d/{}.x", text("a\nb\n"), "declared: run mv a d/a.x, run mv b d/b.x"],
    ["xargs -i cat {}", text("a b\n"), "declared: run cat a b"],
    ["xargs -0 rm", text("a b\0c\0"), "declared: run rm a b c"],
    ["xargs -d , rm", text("a,b"), "declared: run rm a b"],
    ["xargs -d \\n rm --", text("a b\nc\n"), "declared: run rm -- a b c"],
    ["xargs -P 4 -t -x -r rm", text("a"), "declared: run rm a"],
    ["xargs -0 rm", PATHS_0, "declared: run rm <src a>*"],
    ["xargs -0 -I % cp % d", PATHS_0, "declared: run cp <src a> d"],
    ["xargs -0 -I % cp x/% d", PATHS_0, "declared: run cp x/? d"],
    ["xargs -d \\n rm", PATHS, "declared: run rm <src>*"],
    ["xargs rm", PATHS, "declared: run rm ?*"],
    ["xargs -I{} rm {}", PATHS, "declared: run rm ?"],
    ["xargs -0 rm", PATHS, "declared: run rm ?*"],
    ["xargs rm", { kind: "unknown" }, "declared: run rm ?*"],
    ["xargs sh -c", { kind: "unknown" }, "declared: run sh -c ?*"],
    ["xargs -I{} sh -c {}", text("rm a"), "declared: run sh -c rm a"],
    ["xargs -a list rm", text("x"), "declared: read list, run rm ?*"],
    ["xargs -L 1 rm", text("a\nb"), "declared: run rm ?*"],
    ["xargs -E x rm", text("a\nx\nb"), "declared: run rm ?*"],
    ["xargs -0 -I{} cat src/**", PATHS_0, "declared: run cat ?*"],
    ["xargs -n $x rm", text("a b"), "declared: run rm ?*"],
    ["xargs rm", text("a 'b"), "declared: run rm ?*"],
    ["xargs rm", text("a\\"), "declared: run rm ?*"],
    ["xargs rm", text("a\rb"), "declared: run rm ?*"],
    ["xargs -I{} rm {}", text("a \n"), "declared: run rm ?"],
    ["xargs rm", text("a ".repeat(1001)), "declared: run rm ?*"],
  ] satisfies [string, Input, string][])("`%s` on %j: %s", (command, stdin, expected) => {
    expect(doingForTest(RUNNERS, command, stdin)).toBe(expected);
  });

  test.each(["xargs -J % rm %", "xargs -p rm", "xargs -o vi", "xargs $x", "xargs -I $x rm", "xargs -I{} -n 1 rm {}", "xargs --new rm"])(
    "`%s` runs what nobody can tell",
    (command) => {
      expect(callForTest(RUNNERS, command.split(" "), text("a"))).toMatchObject({ sure: "open", unknown: expect.any(String) });
    },
  );

  test("takes its words from a file that it asks for, once its text is told", () => {
    const call = { name: "xargs", args: ["-a", "list", "rm"].map(knownWord), stdin: text("x") };
    expect(xargs(call)).toMatchObject({ asks: { value: "list" } });
    expect(showDoing(xargs({ ...call, told: text("a\nb") }))).toBe("declared: read list, run rm a b");
    expect(showDoing(xargs({ ...call, told: { kind: "unknown" } }))).toBe("declared: read list, run rm ?*");
    for (const file of ["-", "$x"]) expect(callForTest(RUNNERS, ["xargs", "-a", file, "rm"])).not.toHaveProperty("asks");
  });

  test("gives what it runs no input, unless it reads its own words from a file", () => {
    expect(callForTest(RUNNERS, ["xargs", "cat"], text("a")).runs).toMatchObject([{ stdin: { kind: "empty" } }]);
    expect(callForTest(RUNNERS, ["xargs", "-a", "l", "cat"], text("a")).runs[0]).not.toHaveProperty("stdin");
    expect(callForTest(RUNNERS, ["xargs", "--process-slot-var=PATH", "cat"], text("a")).runs).toMatchObject([{ assigns: ["PATH"] }]);
  });

  test.each(["a b\n c\t d", "'a b' \"c 'd\" e\\ f", "a''b \"\" c", "\n\n a\n", "x\u00a0y é", "a'b c'd\"e\"\\'f", "-rf --"])(
    "takes %j apart as the xargs of this system does",
    (input) => {
      const printed = execFileSync("xargs", ["printf", "%s\\0"], {
        input,
        encoding: "utf8",
        env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
      });
      const words = callForTest(RUNNERS, ["xargs", "printf", "%s\\0"], text(input)).runs.flatMap((run) =>
        "words" in run ? run.words : [],
      );
      expect(
        words
          .slice(2)
          .map((word) => (word.known ? `${word.value}\0` : "?"))
          .join(""),
      ).toBe(printed);
    },
  );

  test.each([" a b \\\\ c\n'd  e'f\n", "x\n\ny"])("takes the lines of %j apart as the xargs of this system does", (input) => {
    const printed = execFileSync("xargs", ["-I{}", "printf", "%s\\0", "{}"], { input, encoding: "utf8", env: { PATH: process.env.PATH } });
    const runs = callForTest(RUNNERS, ["xargs", "-I{}", "printf", "%s\\0", "{}"], text(input)).runs;
    const last = runs.map((run) => ("words" in run ? run.words.at(-1) : undefined));
    expect(last.map((word) => (word?.known ? `${word.value}\0` : "?")).join("")).toBe(printed);
  });
});
