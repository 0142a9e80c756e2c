import { describe, expect, test } from "vitest";
import type { LeftOut } from "./doing.ts";
import { isLeftOut, matchesStars } from "./left-out.ts";
import { short, smallLook } from "./plan-for-test.ts";
import { programRow } from "./programs/index.ts";
import { scriptPlan } from "./script-plan.ts";

/** A disk at `/ws`, outside of which nothing can be told, with files of these texts. */
function lookAt(texts: Readonly<Record<string, string | null>>) {
  return smallLook({
    kind: async (path) => (path.startsWith("/ws") ? (path === "/ws" ? "folder" : path in texts ? "file" : "none") : "unknown"),
    text: async (path) => texts[path] ?? null,
  });
}

interface Case {
  readonly path?: string;
  readonly folder?: boolean;
  readonly place?: string;
  readonly isStale?: boolean;
  readonly texts?: Readonly<Record<string, string | null>>;
}

function isOut(
  except: LeftOut,
  { path = "/ws/.env", folder = false, place = "/ws", isStale = false, texts = { "/ws/.git": null } }: Case = {},
) {
  return isLeftOut({ path, folder }, { place, except, look: lookAt(texts), isStale });
}

describe("what a search passes over", () => {
  test.each<readonly [LeftOut, Case, boolean]>([
    [{ files: [".env"] }, {}, true],
    [{ files: [".e*v"] }, {}, true],
    [{ files: [".ENV"] }, {}, false],
    [{ files: [".env"] }, { path: "/ws/a/.env" }, true],
    [{ files: [".env"] }, { path: "/ws/.env.local" }, false],
    [{ files: [".ssh"] }, { path: "/ws/.ssh", folder: true }, false],
    [{ files: ["a"] }, { path: "/ws/a/.env" }, false],
    [{ folders: [".ssh"] }, { path: "/ws/.ssh", folder: true }, true],
    [{ folders: ["a"] }, { path: "/ws/a/b/.env" }, true],
    [{ folders: ["ws"] }, {}, false],
    [{ folders: [".env"] }, {}, false],
    [{ folders: ["a"] }, { path: "/ws/a/b/.env", place: "/ws/a" }, false],
    [{ folders: ["a"] }, { path: "/ws/a/.env", place: "/link" }, false],
    [{ hidden: "always" }, {}, true],
    [{ hidden: "always" }, { path: "/ws/a/x.key" }, false],
    [{ hidden: "always" }, { path: "/ws/.a/x.key" }, true],
    [{ hidden: "always" }, { path: "/ws/.a/x.key", place: "/ws/.a" }, false],
  ])("%j, %j: %s", async (except, found, out) => {
    expect(await isOut(except, found)).toBe(out);
  });

  test.each<readonly [Case, boolean]>([
    [{}, true],
    [{ isStale: true }, false],
    [{ texts: {} }, false],
    [{ texts: { "/ws/.git": null, "/ws/.gitignore": ".env\n!.env.example\n# !.env\n" } }, true],
    [{ texts: { "/ws/.git": null, "/ws/.gitignore": "!.env\n" } }, false],
    [{ texts: { "/ws/.git": null, "/ws/.rgignore": "!/.E*" } }, false],
    [{ texts: { "/ws/.git": null, "/ws/.ignore": "!.[e]nv" } }, false],
    [{ texts: { "/ws/.git": null, "/ws/.ignore": null } }, false],
    [{ path: "/ws/.a/.b/x.key", texts: { "/ws/.git": null, "/ws/.a/.ignore": "!.b/" } }, false],
    [{ path: "/ws/a/.env", texts: { "/ws/a/.git": null } }, false],
  ])("hidden names, unless a file shows them: %j: %s", async (found, out) => {
    expect(await isOut({ hidden: "unless_shown" }, found)).toBe(out);
  });

  test("wildcards are held against long names in no time", () => {
    const start = performance.now();
    expect(matchesStars(`${"*a".repeat(50)}b`, "a".repeat(5000))).toBe(false);
    expect(matchesStars("a*a", "a")).toBe(false);
    expect(matchesStars("*", "")).toBe(true);
    expect(performance.now() - start).toBeLessThan(100);
  });
});

test.each([
  ["grep -r x .", true],
  ["grep -r --exclude=.env x .", false],
  ["grep -R --exclude=.env x .", true],
  ["grep -r --exclude=.env x .env", true],
  ["rg x", false],
  ["rg --hidden x", true],
  ["rg --hidden -g '!.env' x", false],
  ["rg x .env", true],
  ["touch .ignore; rg x", true],
  ["rg -L x", true],
])("%s reads a guarded file: %s", async (script, reads) => {
  const { tree } = smallLook();
  const look = {
    ...lookAt({ "/ws/.git": null, "/ws/.env": null }),
    // links that are followed may lead to it
    tree: async (folder: string) => (folder === "/ws/.env" ? { ...(await tree(folder)), guarded: [] } : tree(folder)),
  };
  const table = { row: programRow, gitQuiet: { always: {}, withoutHooks: {} } };
  const { effects } = await scriptPlan(script, { cwd: "/ws", home: "/home/u", look, table });
  expect(effects.map(short).some((effect) => /^r: \/ws\/\.env/.test(effect))).toBe(reads);
});
