import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TemporaryFolders, temporaryFolders } from "../testing/temporary-folders.ts";
import { localEvidence } from "./local-evidence.ts";

/** `nobody` on every Unix that we know. */
const NOBODY = 65534;

let folders: TemporaryFolders;
let base: string;

// rights mean nothing to root, so this file's process gives root up for good; a test file has a process of its own
beforeAll(() => {
  folders = temporaryFolders();
  base = folders.workspace;
  if (process.getuid?.() !== 0) return;
  for (const path of [folders.base, base, folders.outside]) chownSync(path, NOBODY, NOBODY);
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
});
afterAll(() => {
  for (const name of ["hooks", "closed"]) if (existsSync(`${base}/${name}`)) chmodSync(`${base}/${name}`, 0o755);
  folders.close();
});

describe("a command that takes rights away", () => {
  test("from a folder does not keep its files from being put back", async () => {
    mkdirSync(`${base}/hooks`);
    writeFileSync(`${base}/hooks/pre-commit`, "evil");
    chmodSync(`${base}/hooks`, 0o500);
    const port = localEvidence(base);
    await port.putBack({ base, names: ["hooks"] }, "pre-commit", { bytes: new TextEncoder().encode("mine"), mode: 0o755 });
    expect(readFileSync(`${base}/hooks/pre-commit`, "utf8")).toBe("mine");
    chmodSync(`${base}/hooks`, 0o500);
    await port.putBack({ base, names: ["hooks"] }, "pre-commit", null);
    expect(existsSync(`${base}/hooks/pre-commit`)).toBe(false);
  });

  test("from a file does not keep it from being put back, and it is not read meanwhile", async () => {
    writeFileSync(`${base}/.env`, "evil", { mode: 0o000 });
    const port = localEvidence(base);
    expect(await port.read({ base, names: [] }, ".env", 99)).toBeNull();
    await port.putBack({ base, names: [] }, ".env", { bytes: new TextEncoder().encode("A=1"), mode: 0o600 });
    expect(readFileSync(`${base}/.env`, "utf8")).toBe("A=1");
    expect(statSync(`${base}/.env`).mode & 0o777).toBe(0o600);
  });

  test("from a folder that is not searchable any more shows as absent, and is made way through", async () => {
    mkdirSync(`${base}/closed`);
    writeFileSync(`${base}/closed/a`, "mine");
    chmodSync(`${base}/closed`, 0o000);
    const port = localEvidence(base);
    expect(await port.look({ base, names: ["closed"] }, ["a"])).toMatchObject([{ is: expect.stringMatching(/^(?:absent|unreadable)$/) }]);
    await port.putBack({ base, names: ["closed"] }, "a", { bytes: new TextEncoder().encode("mine"), mode: 0o644 });
    expect(readFileSync(`${base}/closed/a`, "utf8")).toBe("mine");
  });
});
