import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOSTILE } from "../../bench/hostile-scripts.mjs";
import { SMALL_TABLE, smallLook } from "./plan-for-test.ts";
import { scriptPlan } from "./script-plan.ts";
import { createWork, MAX_WORK } from "./work.ts";

async function workOf(script: string) {
  const work = createWork();
  const { effects } = await scriptPlan(script, { cwd: "/ws", home: "/home/u", look: smallLook(), table: SMALL_TABLE, work });
  return { spent: work.spent, effects };
}

const PIECES =
  "a ~ \n ; & | < > ( ) { } ' \" ` $ \\ # * ? [ ] = ! 2 , .. if then fi for in do done case esac while cd << E $( $(( )) (( [[ ]] ${ ${x:- x=1 x=( $x $@ ;; eval trap f() set".split(
    " ",
  );

describe("the work of a plan", () => {
  test.each(Object.entries(HOSTILE))("is bounded for %s", async (_, script) => {
    const started = process.cpuUsage();
    const { spent, effects } = await workOf(script);
    // one more piece, however large it may get, is counted before the next
    expect(spent).toBeLessThan(MAX_WORK * 3);
    if (spent > MAX_WORK)
      expect(effects.at(-1)).toMatchObject({ kind: "unknown", commands: true, reason: expect.stringMatching(/ steps to follow$/) });
    // far above what it takes, so that only what is not counted at all is found
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000);
  });

  test("is the same for the same script", async () => {
    const script = HOSTILE["loops in loops over many variables"] ?? "";
    expect((await workOf(script)).spent).toBe((await workOf(script)).spent);
  });

  test("is bounded for long texts of any few pieces", async () => {
    const unit = fc.array(fc.constantFrom(...PIECES, " ", " ", "w "), { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(" "));
    await fc.assert(
      fc.asyncProperty(unit, unit, async (before, repeated) => {
        const started = process.cpuUsage();
        const { spent } = await workOf(`${before} ${repeated.repeat(60_000 / repeated.length)}`);
        expect(spent).toBeLessThan(MAX_WORK * 3);
        expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000);
      }),
      { numRuns: 150 },
    );
  });
});
