import { describe, expect, test } from "vitest";
import { planOf } from "./plan-for-test.ts";

const P = "'a[$(rm f)]'";

describe("bash computes what it has set by itself, and runs what stands in it", () => {
  test.each([
    `: ${P}; (( _ ))`,
    `w ${P} && (( _ ))`,
    `: ${P}; let _`,
    `: ${P}; w $(( _ ))`,
    `: ${P}; [[ _ -eq 1 ]]`,
    `: ${P}; w \${HOME:_}`,
    `: ${P}; a[_]=1`,
    `: ${P}; w <<E\n$(( _ ))\nE`,
    `[[ ${P} =~ .* ]]; (( BASH_REMATCH ))`,
    `bash -c '(( BASH_ARGV0 ))' ${P}`,
    `bash -c ': "$0"; (( _ ))' ${P}`,
    `TZ=${P} bash -c '(( TZ ))'`,
    `export LANG=${P}; bash -c '(( LANG ))'`,
    `COLUMNS=${P} run bash -c '(( COLUMNS ))'`,
    `getopts $x PATH`,
  ])("%s", async (script) => {
    expect((await planOf(script)).effects).toContainEqual(expect.objectContaining({ kind: "unknown", commands: true }));
  });

  test.each(["(( RANDOM + SECONDS ))", "n=1; (( n ))", "(( COUNT ))", "w $(( UID ))"])("but not %s", async (script) => {
    expect((await planOf(script)).effects.filter(({ kind }) => kind === "unknown")).toEqual([]);
  });

  test("a shell that is started with a variable sees that", async () => {
    const plan = await planOf(`TZ=.env bash -c 'cat "$TZ"'`);
    expect(plan.effects).toContainEqual(expect.objectContaining({ argv: ["cat", '"$TZ"'], sure: "open" }));
  });
});
