import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KINDS } from "../src/base/kinds.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const markdown = [
  ...readdirSync(root),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((path) => `docs/${path}`),
].filter((path) => path.endsWith(".md"));

describe("the documents", () => {
  test("have reference pages that say what the tables say", async () => {
    const { pages }: { pages: () => Promise<Record<string, string>> } = await import(join(root, "scripts/generate-docs.mjs"));
    for (const [path, text] of Object.entries(await pages())) expect(read(path), `${path} is stale: npm run docs`).toBe(text);
  });

  test("name every kind, and no kind that is gone", () => {
    const named = new Set([...read("docs/kinds.md").matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind));
    expect([...named].sort()).toEqual(Object.keys(KINDS).sort());
  });

  test("show snippets that are regions of compiled examples", () => {
    const faults: string[] = [];
    for (const path of markdown) {
      for (const [, file = "", region = "", shown] of read(path).matchAll(/<!-- example: (\S+)#(\S+) -->\n```ts\n([\s\S]*?)```/g)) {
        const source = new RegExp(`// #region ${region}\\n([\\s\\S]*?) *// #endregion ${region}`).exec(read(file))?.[1];
        if (source !== shown) faults.push(`${path}: the snippet of ${file}#${region} differs`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("link to files that are there", () => {
    const faults: string[] = [];
    for (const path of markdown) {
      for (const [, target = ""] of read(path).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)) {
        if (!existsSync(join(root, dirname(path), target))) faults.push(`${path} → ${target}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("name tests that are there for the invariants", () => {
    const named = [...read("ARCHITECTURE.md").matchAll(/`((?:src|tests)\/[^`]+\.test\.ts)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  // each starts processes of its own, so each has a time limit of its own
  describe("print commands that run as they stand", () => {
    const commands = ["README.md", "docs/permissions.md", "docs/commands.md"].flatMap((path) =>
      [...read(path).matchAll(/^npx --no-install (collet (?:call|tools|kinds|sessions|policy) .*)$/gm)].map(([, command = ""]) => command),
    );
    let state: string;
    beforeAll(() => {
      state = mkdtempSync(join(tmpdir(), "collet-readme-"));
    });
    afterAll(() => rmSync(state, { recursive: true, force: true }));

    test("and there are some", () => {
      expect(commands.length).toBeGreaterThan(10);
    });

    test.each(commands)("%s", (command) => {
      const { status, stderr } = spawnSync("bash", ["-c", `collet() { "$NODE" bin/collet.js "$@"; }; ${command}`], {
        cwd: root,
        encoding: "utf8",
        env: { ...process.env, NODE: process.execPath, COLLET_STATE_DIR: state },
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    });
  });

  test("name a way to start it that needs no network and no second build", { timeout: 180_000 }, () => {
    const { status, stdout } = spawnSync("npx", ["--no-install", "collet", "--version"], { cwd: root, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${JSON.parse(read("package.json")).version}\n` });
  });

  test("tell the version of the package", async () => {
    const { VERSION } = await import("../src/base/version.ts");
    expect(JSON.parse(read("package.json")).version).toBe(VERSION);
  });
});
