import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "vitest";
import { fail } from "../base/fail.ts";
import { sandboxContract } from "../testing/sandbox-contract.ts";
import type { SandboxFixture } from "../testing/sandbox-fixture.ts";
import { localFiles } from "./local-files.ts";
import { memorySandbox } from "./memory.ts";

describe.each(["descriptors", "paths"] as const)("the local sandbox, walking by %s", (walk) => {
  for (const { name, run } of sandboxContract(() => onDisk(walk))) test(name, run);
});

describe("the memory sandbox", () => {
  for (const { name, run } of sandboxContract(inMemory)) test(name, run);
});

function onDisk(walk: "descriptors" | "paths"): SandboxFixture {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "collet-contract-")));
  const [workspace, outside] = [join(base, "work"), join(base, "outside")];
  mkdirSync(workspace);
  mkdirSync(outside);
  const exec = async () => {
    throw fail("bash_disabled", "the file half alone", {});
  };
  return {
    sandbox: { kind: "local", processes: false, ...localFiles({ workspace, home: "/home/none", walk }), exec },
    outside,
    put(path, content) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { mode: 0o644 });
    },
    link(path, target) {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(target, path);
    },
    folder: (path) => void mkdirSync(path, { recursive: true }),
    async look(path) {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return null;
      if (stats.isSymbolicLink()) return { type: "link" };
      return stats.isDirectory() ? { type: "directory" } : { type: "file", text: readFileSync(path, "utf8"), mode: stats.mode & 0o7777 };
    },
    close: () => rmSync(base, { recursive: true, force: true }),
  };
}

function inMemory(): SandboxFixture {
  const sandbox = memorySandbox({}, { workspace: "/base/work", home: "/home/none" });
  sandbox.folder("/base/outside");
  return {
    sandbox,
    outside: "/base/outside",
    put: sandbox.put,
    link: sandbox.link,
    folder: sandbox.folder,
    look: async (path) => sandbox.look(path),
    close() {},
  };
}
