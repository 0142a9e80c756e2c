import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
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

  test("print commands that run as they stand", () => {
    const state = mkdtempSync(join(tmpdir(), "collet-readme-"));
    const commands = [...read("README.md").matchAll(/^npx --no-install collet (?:call|tools|kinds|sessions) .*$/gm)].map(([line]) => line);
    expect(commands.length).toBeGreaterThan(4);
    for (const command of commands) {
      const { status, stderr } = spawnSync("bash", ["-c", command], {
        cwd: root,
        encoding: "utf8",
        env: { ...process.env, COLLET_STATE_DIR: state },
      });
      expect(`${command}: ${status} ${stderr}`).toBe(`${command}: 0 `);
    }
    rmSync(state, { recursive: true, force: true });
  });

  test("tell the version of the package", async () => {
    const { VERSION } = await import("../src/base/version.ts");
    expect(JSON.parse(read("package.json")).version).toBe(VERSION);
  });
});
