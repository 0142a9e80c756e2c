// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash
import { describe, expect, test } from "vitest";
import { planOf, SMALL_TABLE, smallLook } from "./plan-for-test.ts";
import { scriptPlan } from "./script-plan.ts";
import { createWork, MAX_WORK } from "./work.ts";

async function workOf(script: string) {
  const work = createWork();
  const { effects } = await scriptPlan(script, { cwd: "/ws", home: "/home/u", look: smallLook(), table: SMALL_TABLE, work });
  return { spent: work.spent, effects };
}

describe("the work of a plan", () => {
  test("is little for what people write", async () => {
    const { spent } = await workOf(
      `set -e\ncd src\nfor f in *.ts; do\n  if grep -r "x$f" .; then cat "$f" | wc -l; else echo "$f"; fi\ndone\n${"git status && ls -l src | cat\n".repeat(20)}`,
    );
    expect(spent).toBeLessThan(MAX_WORK / 5);
  });

  test("that is used up opens the commands found until then", async () => {
    const { effects: all } = await workOf("cat a");
    expect(all).toMatchObject([{ sure: "declared" }, {}]);
    const { effects } = await workOf(`cat a\nx=(a b)\n${"x=(${x[@]} ${x[@]})\n".repeat(30)}`);
    expect(effects[0]).toMatchObject({ kind: "command", argv: ["cat", "a"], sure: "open" });
    expect(effects.at(-1)).toMatchObject({ kind: "unknown", commands: true, reason: expect.stringMatching(/ steps to follow$/) });
  });
});

test("names that a repository chose do not make wildcards slow", async () => {
  const look = smallLook({ names: async () => Array.from({ length: 100 }, (_, index) => `${"a".repeat(250)}${index}`) });
  const started = process.cpuUsage();
  await planOf(`w ${"*a".repeat(40)}*b`, look);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000);
});
