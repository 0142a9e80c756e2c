import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { isFailure } from "../base/fail.ts";
import { temporaryFolders } from "../testing/temporary-folders.ts";
import { localFiles } from "./local-files.ts";
import { memorySandbox } from "./memory.ts";
import type { SandboxPort } from "./port.ts";

const folders = temporaryFolders(existsSync("/dev/shm") ? "/dev/shm" : undefined);
afterAll(() => folders.close());

const spelled = (parts: fc.Arbitrary<string>) => fc.array(parts, { minLength: 1, maxLength: 6 }).map((all) => all.join("/"));
const below = fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
/** Where files and links stand, and what paths and links are made of; `BASE` is the folder that holds `work` and `outside`. */
const spot = fc.tuple(fc.constantFrom("work", "work", "work", "outside"), below).map((pair) => pair.join("/"));
const anything = spelled(fc.constantFrom("a", "b", "..", ".", "", "~", "outside", "work")).filter((text) => text !== "");
const path = fc.oneof(
  below,
  below,
  anything,
  anything.map((text) => `BASE/${text}`),
  spot.map((text) => `BASE/${text}`),
);
const node = fc.record({ at: spot, link: fc.oneof(fc.constant(null), path) });

describe("paths through random links", () => {
  test("lead where the system says, or are refused, and never out; on disk and in memory alike", async () => {
    let count = 0;
    const ends = { inside: 0, outside: 0, other: 0 };
    const check = async (nodes: readonly { at: string; link: string | null }[], paths: readonly string[]): Promise<void> => {
      count += 1;
      const base = `${folders.base}/${count}`;
      const workspace = `${base}/work`;
      const memory = memorySandbox({}, { workspace });
      for (const root of [workspace, `${base}/outside`]) {
        mkdirSync(root, { recursive: true });
        memory.folder(root);
      }
      let hasClimbingLink = false;
      for (const { at, link } of nodes) {
        const target = link?.replaceAll("BASE", base) ?? null;
        if (!place(`${base}/${at}`, target, at)) continue;
        hasClimbingLink ||= target?.includes("..") ?? false;
        if (target === null) memory.put(`${base}/${at}`, at);
        else memory.link(`${base}/${at}`, target);
      }
      const both = [localFiles({ workspace, home: null }), localFiles({ workspace, home: null, walk: "paths" }), memory];
      const spots = nodes.map(({ at }) => at.replace(/^work\//, ""));
      for (const asked of [...spots, ...paths].map((text) => text.replaceAll("BASE", base))) {
        const [onDisk = "", ...others] = await Promise.all(both.map((files) => outcome(files, workspace, asked)));
        expect({ asked, others }).toEqual({ asked, others: [onDisk, onDisk] });
        const isRead = onDisk.startsWith("/");
        ends[isRead ? "inside" : onDisk.startsWith("outside") ? "outside" : "other"] += 1;
        const real = fileOfSystem(asked.startsWith("/") ? asked : `${workspace}/${asked}`);
        const isInside = real?.startsWith(`${workspace}/`) ?? false;
        if (isRead) expect(onDisk.startsWith(`${workspace}/`) && onDisk.includes(" work/"), onDisk).toBe(true);
        if (isRead && real !== null) expect(onDisk).toBe(`${real} ${real.slice(base.length + 1)}`);
        if (real !== null && !isInside) expect(isRead).toBe(false);
        if (isInside && !asked.includes("..") && !asked.startsWith("~") && !hasClimbingLink) expect(isRead, asked).toBe(true);
      }
      rmSync(base, { recursive: true });
    };
    const runs = fc.asyncProperty(fc.array(node, { minLength: 2, maxLength: 9 }), fc.array(path, { minLength: 4, maxLength: 8 }), check);
    await fc.assert(runs, { numRuns: 60 });
    expect(Math.min(...Object.values(ends)), JSON.stringify(ends)).toBeGreaterThan(20);
  });
});

/** Puts a file with `content`, or a link, where nothing stands in the way; says whether it did. */
function place(at: string, target: string | null, content: string): boolean {
  try {
    const above = at.split("/").map((_, index, names) => names.slice(0, index).join("/"));
    if (above.some((folder) => lstatSync(folder || "/", { throwIfNoEntry: false })?.isSymbolicLink())) return false;
    mkdirSync(dirname(at), { recursive: true });
    if (target === null) writeFileSync(at, content, { flag: "wx" });
    else symlinkSync(target, at);
    return true;
  } catch {
    return false;
  }
}

async function outcome(files: Pick<SandboxPort, "read">, cwd: string, asked: string): Promise<string> {
  try {
    const read = await files.read(asked, { cwd, gate() {}, maxBytes: 1000 });
    return `${read.path} ${Buffer.from(read.bytes).toString()}`;
  } catch (error) {
    return isFailure(error) ? `${error.kind} ${JSON.stringify(error.details)}` : String(error);
  }
}

function fileOfSystem(path: string): string | null {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isFile() ? real : null;
  } catch {
    return null;
  }
}
