import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { sandboxContract } from "../testing/sandbox-contract.ts";
import type { SandboxFixture } from "../testing/sandbox-fixture.ts";
import { temporaryFolders } from "../testing/temporary-folders.ts";
import { localSandbox } from "./local.ts";
import { memorySandbox } from "./memory.ts";

describe.each(["descriptors", "paths"] as const)("the local sandbox, walking by %s", (walk) => {
  for (const { name, run } of sandboxContract(() => onDisk(walk))) test(name, run);
});

describe("the memory sandbox", () => {
  for (const { name, run } of sandboxContract(inMemory)) test(name, run);
});

async function onDisk(walk: "descriptors" | "paths"): Promise<SandboxFixture> {
  const { workspace, outside, close } = temporaryFolders();
  return {
    sandbox: await localSandbox({ workspace, home: "/home/none", hostEnv: {}, clock: systemClock, walk }),
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
    close,
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
