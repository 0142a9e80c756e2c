import { expect, test } from "vitest";
import { PASSED_ON, SET } from "../../src/sandbox/command-env.ts";
import { planOf } from "../../src/shell/plan-for-test.ts";

/** Names by which programs only show or format. */
const HARMLESS = new Set(["TZ", "TERM", "PYTHONUNBUFFERED"]);
const NAMES = [...PASSED_ON.flatMap(({ names }) => names), ...Object.keys(SET), "PATH"].filter((name) => !HARMLESS.has(name));

test.each(NAMES)("a script that sets %s, which commands get, no longer knows what they do", async (name) => {
  for (const script of [`${name}=x; w`, `${name}=x w`, `export ${name}=x; w`, `read -r ${name} <<< x; w`]) {
    const { effects } = await planOf(script);
    const last = effects.findLast((effect) => effect.kind === "command" && effect.argv[0] === "w");
    expect({ script, sure: last?.sure }).toEqual({ script, sure: "open" });
  }
});
