import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isFailure } from "../base/fail.ts";
import { sha256 } from "../base/hash.ts";
import { type TemporaryFolders, temporaryFolders } from "../testing/temporary-folders.ts";
import { openFile } from "./local-file.ts";
import { type LocalFiles, localFiles } from "./local-files.ts";

let folders: TemporaryFolders;
let files: LocalFiles;
let ws: string;

beforeEach(() => {
  // in memory where there is such a place: the walk is the same, and syncing to disk would take most of the time
  folders = temporaryFolders(existsSync("/dev/shm") ? "/dev/shm" : undefined);
  ws = folders.workspace;
  files = localFiles({ workspace: ws, home: null });
});
afterEach(() => folders.close());

const INSIDE = "inside";
const SECRET = "SECRET";

/** Calls in the suite; 10,000 by hand. */
const CALLS = Number(process.env.COLLET_RACE_CALLS ?? 1000);

/** Exchanges a folder and a file for links that lead outside, and back, as fast as it can, until its standard input ends. */
const SWAPPER = `
const { linkSync, renameSync, symlinkSync, unlinkSync } = require("node:fs");
const [ws, outside] = process.argv.slice(1);
process.stdin.resume().on("end", () => process.exit(0));
const tryTo = (step) => { try { step(); } catch {} };
const round = () => {
  for (let count = 0; count < 20; count += 1) {
    tryTo(() => renameSync(ws + "/d", ws + "/d.bak"));
    tryTo(() => symlinkSync(outside, ws + "/d"));
    tryTo(() => unlinkSync(ws + "/d"));
    tryTo(() => renameSync(ws + "/d.bak", ws + "/d"));
    for (let again = 0; again < 4; again += 1) {
      tryTo(() => linkSync(ws + "/file.txt", ws + "/file.bak"));
      tryTo(() => symlinkSync(outside + "/secret.txt", ws + "/link.tmp"));
      tryTo(() => renameSync(ws + "/link.tmp", ws + "/file.txt"));
      tryTo(() => renameSync(ws + "/file.bak", ws + "/file.txt"));
    }
  }
  setImmediate(round);
};
console.log("ready");
round();
`;

describe("while another program exchanges folders and files for links", () => {
  test(`nothing outside is read or written in ${CALLS} calls`, { timeout: 10_000 + 5 * CALLS }, async () => {
    mkdirSync(`${ws}/d/sub`, { recursive: true });
    mkdirSync(`${folders.outside}/sub`);
    for (const path of [`${ws}/d/secret.txt`, `${ws}/d/sub/secret.txt`, `${ws}/file.txt`]) writeFileSync(path, INSIDE);
    for (const path of [`${folders.outside}/secret.txt`, `${folders.outside}/sub/secret.txt`]) writeFileSync(path, SECRET);
    const swapper = spawn(process.execPath, ["-e", SWAPPER, ws, folders.outside], { stdio: ["pipe", "pipe", "inherit"] });
    await new Promise((resolve) => swapper.stdout.once("data", resolve));

    const gate = ({ path }: { readonly path: string }) => {
      if (!path.startsWith(`${ws}/`)) throw new Error(`the gate was asked about ${path}`);
    };
    const access = { cwd: ws, gate };
    const writing = { ...access, mode: 0o644 };
    const steps: ((count: number) => Promise<unknown>)[] = [
      async () => Buffer.from((await files.read("d/secret.txt", { ...access, maxBytes: 100 })).bytes).toString(),
      async () => Buffer.from((await files.read("file.txt", { ...access, maxBytes: 100 })).bytes).toString(),
      async () => (await files.version("d/sub/secret.txt", access)).version?.sha256 ?? null,
      async () => (await files.list("d", access)).entries.map(({ name }) => name).filter((name) => name === "only-outside"),
      async () => {
        const stream = await files.stream("d/sub/secret.txt", access);
        let all = "";
        for await (const piece of stream.chunks) all += Buffer.from(piece).toString();
        return all;
      },
      (count) => files.write(`d/new-${count}.txt`, Buffer.from("new"), { ...writing, before: null }),
      (count) => files.write(`d/made-${count}/deep/new.txt`, Buffer.from("new"), { ...writing, before: null }),
      () => files.write("d/sub/secret.txt", Buffer.from(INSIDE), { ...writing, before: sha256(INSIDE) }),
      () => files.write("file.txt", Buffer.from(INSIDE), { ...writing, before: sha256(INSIDE) }),
      () => files.remove("d/secret.txt", { ...access, before: sha256(SECRET) }),
    ];
    writeFileSync(`${folders.outside}/only-outside`, "");
    const kinds = new Set<string>();
    const leaks: string[] = [];
    for (let count = 0; count < CALLS; count += 1) {
      try {
        const told = await steps[count % steps.length]?.(count);
        kinds.add("ok");
        if (typeof told === "string" && told !== INSIDE && told !== sha256(INSIDE)) leaks.push(told);
        if (Array.isArray(told)) leaks.push(...told);
      } catch (error) {
        kinds.add(isFailure(error) ? error.kind : String(error));
      }
    }
    swapper.stdin.end();
    await new Promise((resolve) => swapper.once("close", resolve));

    expect(leaks).toEqual([]);
    expect(
      [...kinds].filter(
        (kind) => !["ok", "outside_workspace", "changed_since_plan", "not_found", "read_failed", "write_failed"].includes(kind),
      ),
    ).toEqual([]);
    expect([kinds.has("ok"), kinds.has("outside_workspace")]).toEqual([true, true]);
    expect(readdirSync(folders.outside, { recursive: true }).sort()).toEqual(["only-outside", "secret.txt", "sub", "sub/secret.txt"]);
    for (const path of ["secret.txt", "sub/secret.txt"]) expect(readFileSync(`${folders.outside}/${path}`, "utf8")).toBe(SECRET);
    expect(readdirSync(ws, { recursive: true }).filter((name) => `${name}`.includes(".collet-"))).toEqual([]);
  });
});

describe("what is exchanged while the gate is asked", () => {
  const open = { maxBytes: 100, mode: 0o644 };
  const bytes = Buffer.from("mine");
  const swapFolder = () => {
    renameSync(`${ws}/d`, `${ws}/d.bak`);
    symlinkSync(folders.outside, `${ws}/d`);
  };
  beforeEach(() => {
    mkdirSync(`${ws}/d`);
    writeFileSync(`${ws}/d/file.txt`, INSIDE);
    writeFileSync(`${folders.outside}/file.txt`, SECRET);
  });
  afterEach(() => {
    expect(readdirSync(folders.outside)).toEqual(["file.txt"]);
    expect(readFileSync(`${folders.outside}/file.txt`, "utf8")).toBe(SECRET);
  });

  test("a folder: what the gate saw is read, and nothing is written", async () => {
    const access = { ...open, cwd: ws, gate: async () => swapFolder() };
    expect(Buffer.from((await files.read("d/file.txt", access)).bytes).toString()).toBe(INSIDE);
    for (const [path, before] of [
      ["d/file.txt", sha256(INSIDE)],
      ["d/new.txt", null],
      ["d/new/new.txt", null],
    ] as const) {
      unlinkSync(`${ws}/d`);
      renameSync(`${ws}/d.bak`, `${ws}/d`);
      await expect(files.write(path, bytes, { ...access, before })).rejects.toMatchObject({ kind: "changed_since_plan" });
    }
    expect(readdirSync(`${ws}/d.bak`)).toEqual(["file.txt"]);
    expect(readFileSync(`${ws}/d.bak/file.txt`, "utf8")).toBe(INSIDE);
  });

  test("a folder that was to be made: it is a link by now, and nothing is written", async () => {
    const gate = () => symlinkSync(folders.outside, `${ws}/new`);
    await expect(files.write("new/sub/a.txt", bytes, { ...open, cwd: ws, gate, before: null })).rejects.toMatchObject({
      kind: "changed_since_plan",
    });
  });

  test("the file for a link: the link's target is neither written nor removed", async () => {
    const gate = () => {
      rmSync(`${ws}/d/file.txt`);
      symlinkSync(`${folders.outside}/file.txt`, `${ws}/d/file.txt`);
    };
    const access = { ...open, cwd: ws, gate, before: sha256(SECRET) };
    await expect(files.write("d/file.txt", bytes, access)).rejects.toMatchObject({ kind: "changed_since_plan" });
    unlinkSync(`${ws}/d/file.txt`);
    writeFileSync(`${ws}/d/file.txt`, INSIDE);
    await expect(files.remove("d/file.txt", access)).rejects.toMatchObject({ kind: "changed_since_plan" });
    expect(readdirSync(`${ws}/d`)).toEqual(["file.txt"]);
  });

  test("a file that appears: it is kept", async () => {
    const gate = () => writeFileSync(`${ws}/d/new.txt`, "theirs");
    await expect(files.write("d/new.txt", bytes, { ...open, cwd: ws, gate, before: null })).rejects.toMatchObject({
      kind: "changed_since_plan",
    });
    expect(readFileSync(`${ws}/d/new.txt`, "utf8")).toBe("theirs");
    expect(readdirSync(`${ws}/d`)).toEqual(["file.txt", "new.txt"]);
  });

  test("the file for a pipe: nothing waits", async () => {
    const gate = () => {
      rmSync(`${ws}/d/file.txt`);
      execFileSync("mkfifo", [`${ws}/d/file.txt`]);
    };
    const access = { ...open, cwd: ws, gate, before: sha256(INSIDE) };
    await expect(files.write("d/file.txt", bytes, access)).rejects.toMatchObject({ kind: "changed_since_plan" });
    expect(statSync(`${ws}/d/file.txt`).isFIFO()).toBe(true);
  });

  test("a folder, without descriptor paths: the open file is not taken for the one inside", () => {
    swapFolder();
    expect(openFile({ path: `${ws}/d`, fd: null }, "file.txt")).toEqual({ reason: "changed" });
  });
});

describe("a large file that changes while it is hashed", () => {
  const SIZE = 4 * 1024 * 1024;

  test("is neither replaced nor removed", async () => {
    let changedInTime = 0;
    for (let tick = 1; tick <= 16; tick += 1) {
      const path = `${ws}/${tick}.bin`;
      writeFileSync(path, new Uint8Array(SIZE));
      const { ino } = statSync(path);
      // times on disk are only as fine as the kernel's tick, 10 ms at most
      await new Promise((resolve) => setTimeout(resolve, 11));
      const fd = openSync(path, "r+");
      const before = sha256(new Uint8Array(SIZE));
      const access = { cwd: ws, gate() {}, mode: 0o644, before };
      const act = tick % 2 === 0 ? files.write(path, Buffer.from("new"), access) : files.remove(path, access);
      const ended = act.then(
        () => "ok",
        (error) => (isFailure(error) ? error.kind : String(error)),
      );
      for (let passed = 0; passed < 2 * tick; passed += 1) await new Promise((resolve) => setImmediate(resolve));
      writeSync(fd, "X", 0);
      closeSync(fd);
      const isInTime = statSync(path, { throwIfNoEntry: false })?.ino === ino;
      if (isInTime) changedInTime += 1;
      if (isInTime) expect(await ended).toBe("changed_since_plan");
      await ended;
    }
    expect(changedInTime).toBeGreaterThan(4);
  });
});
