import { expect, test } from "vitest";
import { short, smallLook } from "../plan-for-test.ts";
import { scriptPlan } from "../script-plan.ts";
import { programRow } from "./index.ts";

async function filesOf(script: string, look = smallLook()): Promise<readonly string[]> {
  const table = { row: programRow, gitQuiet: { always: {}, withoutHooks: {} } };
  const { effects } = await scriptPlan(script, { cwd: "/ws", home: "/home/u", look, table });
  return effects.filter(({ kind }) => kind !== "command").map(short);
}

test.each([
  ["mv a.ts c.ts", ["d: /ws/a.ts", "w: /ws/c.ts"]],
  ["mv a.ts src", ["d: /ws/a.ts", "w: /ws/src/a.ts"]],
  ["mv src other", ["d: /ws/src/**", "w: /ws/other/**"]],
  ["mv none c.ts", ["d: /ws/none/**", "w: /ws/c.ts/**"]],
  ["cp -R a.ts c.ts", ["r: /ws/a.ts", "w: /ws/c.ts"]],
  ["cp -R src other", ["r: /ws/src/**", "w: /ws/other/**"]],
  ["rm -r a.ts none", ["d: /ws/a.ts", "d: /ws/none/**"]],
  ["touch b.ts; mv a.ts c.ts", ["w: /ws/b.ts", "d: /ws/a.ts/**", "w: /ws/c.ts/a.ts/**", "w: /ws/c.ts/**"]],
  ["diff a.ts none", ["r: /ws/a.ts", "r: /ws/none"]],
  ["diff a.ts src", ["r: /ws/a.ts", "r: /ws/src/**", "r: /outside"]],
  ["ln -s a.ts c.ts", ["r: /ws/a.ts", "w: /ws/a.ts/**", "r: /ws/c.ts/a.ts", "w: /ws/c.ts/a.ts/**", "w: /ws/c.ts"]],
])("one file is no tree, and what is not there is not read as one: %s", async (script, files) => {
  expect(await filesOf(script)).toEqual(files);
});

test("a guarded folder, of which nothing is told, stays a tree", async () => {
  const tree = smallLook().tree;
  const look = smallLook({ tree: async (folder) => ({ ...(await tree(folder)), complete: folder !== "/ws/.env" }) });
  expect(await filesOf("rm -r .env a.ts", look)).toEqual(["d: /ws/.env/**", "d: /ws/a.ts"]);
});

test.each(["curl https://x.org/a?b=1", "touch c; curl https://x.org/a?b=1", "touch c; wget -O- https://x.org/a?b=[1]"])(
  "a URL with a wildcard leads to its host: %s",
  async (script) => {
    expect((await filesOf(script)).filter((effect) => /^[n?]/.test(effect))).toEqual(["n: x.org:443"]);
  },
);

test("what xargs adds leaves the target known", async () => {
  expect(await filesOf("cat a.ts | xargs -I{} cp {} src")).toEqual(["r: /ws/a.ts", "w: /ws/src/**"]);
  expect(await filesOf("cat a.ts | xargs cp -t src")).toEqual(["r: /ws/a.ts", "w: /ws/src/**"]);
});
