import { describe, expect, test } from "vitest";
import { open, type Program } from "./doing.ts";
import { scriptPlan } from "./index.ts";
import { short, shortPlan, smallLook, tableWith } from "./plan-for-test.ts";

describe("a text that a shell of which little is known runs", () => {
  const odd: Program = ({ args: [script] }) =>
    open({ unknown: "it may be anything", runs: script ? [{ script, shell: "bash", roughly: true }] : [] });
  const planOf = async (script: string) =>
    (
      await scriptPlan(script, {
        cwd: "/ws",
        home: "/home/u",
        look: smallLook(),
        table: tableWith({ odd }),
      })
    ).effects.map(short);

  test("is looked at, and nothing in it counts as all that it does", async () => {
    expect(await planOf("odd 'cat a; w >> ~/.profile'")).toEqual([
      "odd cat a; w >> ~/.profile?",
      "??",
      "cat a?",
      "r: /ws/a",
      "w?",
      "w: /home/u/.profile",
    ]);
  });

  test("leaves what stands around it as it is when it is not understood", async () => {
    expect(await planOf("odd 'w (('; touch b")).toEqual(["odd w ((?", "??", "??", "touch b", "w: /ws/b"]);
    expect(await planOf("for i in 1 2; do odd 'odd \"odd w\"; if'; done; touch b")).toContain("w: /ws/b");
  });

  test("counts toward what is looked at at most", async () => {
    const all = await planOf(`${"odd 'odd w; odd w; odd w; odd w'; ".repeat(400)} touch b`);
    expect(all).not.toContain("w: /ws/b");
    expect(all.at(-1)).toBe("??");
  });
});

test("names on the disk are not the same after a shell within the script wrote some", async () => {
  expect(await shortPlan("sh -c 'touch c.ts'; cat ./*.ts")).toEqual([
    "sh -c touch c.ts",
    "touch c.ts",
    "w: /ws/c.ts",
    "cat ./*.ts",
    "r: /ws/.",
    "r: /ws/**",
  ]);
});
