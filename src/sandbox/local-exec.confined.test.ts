import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { createLocalExec, type LocalExec } from "./local-exec.ts";
import { HELD_MS, heldClock, runForTest } from "./run-for-test.ts";

const PATH = process.env.PATH ?? "";
let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "collet-confined-")));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function worksHere(by: "bwrap" | "unshare"): Promise<boolean> {
  const local = createLocalExec({ hostEnv: { PATH }, workspace: "/nowhere", clock: systemClock, confineBy: [by] });
  const { confined_by } = await runForTest(local, { cwd: "/" }).bash("true", { confine: "read_only" });
  await local.endAll();
  return confined_by === by;
}

describe.each(["bwrap", "unshare"] as const)("a command that is confined by %s", async (by) => {
  // where it cannot be made, the test says so by being skipped
  const isHere = await worksHere(by);
  describe.runIf(isHere)("where it can be made", () => {
    let ws: string;
    let local: LocalExec;
    let run: ReturnType<typeof runForTest>["run"];
    let bash: ReturnType<typeof runForTest>["bash"];
    beforeAll(() => {
      ws = join(folder, `ws ${by}`);
      mkdirSync(ws);
      writeFileSync(join(ws, "a.txt"), "a\n");
      local = createLocalExec({ hostEnv: { PATH, TMPDIR: folder }, workspace: ws, clock: systemClock, confineBy: [by] });
      const own = runForTest(local, { cwd: ws });
      run = (argv, more) => own.run(argv, { confine: "read_only", ...more });
      bash = (script, more) => own.bash(script, { confine: "read_only", ...more });
    });
    afterAll(() => local.endAll());

    test("reads, in its folder, and says how it was confined", async () => {
      expect(await bash("cat a.txt; pwd")).toMatchObject({ exit_code: 0, output: `a\n${ws}\n`, confined_by: by, left_running_ended: 0 });
    });

    test.each([
      ["a new file", "echo x > new.txt"],
      ["a file that is there", "echo x >> a.txt"],
      ["a delete", "rm -f a.txt"],
      ["a file elsewhere", "echo x > /tmp/collet-confined-$$"],
      ["a file that a descriptor of its own leads to", "echo x > /proc/self/cwd/new.txt"],
      ["a file that another process leads to", "echo x > /proc/1/cwd/new.txt"],
      ["another mount of it", "mount -o remount,rw / && echo x > new.txt"],
      ["a namespace within it", "unshare -Urm sh -c 'mount -o remount,bind,rw / && echo x > new.txt'"],
      ["a setting of the kernel", "echo x > /proc/sys/kernel/domainname"],
      ["a control group", "mkdir /sys/fs/cgroup/collet-confined"],
      ["a device", "mknod /dev/shm/disk b 254 0 && : < /dev/shm/disk"],
    ])("cannot write: %s", async (_, script) => {
      const { exit_code } = await bash(script);
      expect(exit_code).not.toBe(0);
      expect(readdirSync(ws)).toEqual(["a.txt"]);
      expect(readdirSync("/tmp").filter((name) => name.startsWith("collet-confined-") && !folder.endsWith(name))).toEqual([]);
    });

    test("reaches no server, neither by an address nor by a socket that lies where services have theirs", async () => {
      const heard: string[] = [];
      const server = createServer(() => heard.push("tcp")).listen(0, "127.0.0.1");
      const socket = join(folder, "service.sock");
      const service = createServer(() => heard.push("unix")).listen(socket);
      await Promise.all([server, service].map((each) => new Promise((resolve) => each.once("listening", resolve))));
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;
      const later = createLocalExec({ hostEnv: { PATH }, workspace: ws, clock: systemClock, confineBy: [by] });
      const connect = `node -e 'const s = require("net").connect(process.argv[1]); s.on("connect", () => process.exit(0)).on("error", () => process.exit(7))'`;
      const own = runForTest(later, { cwd: ws });
      expect(await own.bash(`: < /dev/tcp/127.0.0.1/${port}`, { confine: "read_only" })).toMatchObject({ exit_code: 1 });
      expect(await own.bash(`${connect} ${socket}`, { confine: "read_only" })).toMatchObject({ exit_code: 7 });
      expect(heard).toEqual([]);
      await later.endAll();
      server.close();
      service.close();
    });

    test("sees no process but its own", async () => {
      expect((await bash("echo /proc/[0-9]*")).output.trim().split(" ").length).toBeLessThan(5);
      expect(await bash(`kill -0 ${process.pid}`)).toMatchObject({ exit_code: 1 });
    });

    test("has here-documents, process substitutions and temporary files, which are gone with it", async () => {
      const long = "x".repeat(200_000);
      expect(await bash(`cat <<E | wc -c\n${long.slice(0, 100_000)}\nE\ndiff <(echo a) <(echo a) && mktemp && echo ok`)).toMatchObject({
        output: expect.stringMatching(/^100001\n\/dev\/shm\/tmp\.\w+\nok\n$/),
      });
      expect(await bash("ls /dev/shm")).toMatchObject({ output: "" });
    });

    test("gives arguments as they are, and the name that it is called by", async () => {
      expect((await run(["printf", "%s|", "a b", "$HOME", "--", "*"])).output).toBe("a b|$HOME|--|*|");
      expect((await bash("echo $0")).output).toBe("bash\n");
    });

    test("gets the environment that any command gets", async () => {
      const names = (text: string) => [...text.matchAll(/^(\w+)=/gm)].map(([, name]) => name).sort();
      const free = await runForTest(local, { cwd: ws }).run(["env"], { env: { OWN: "1" } });
      const kept = await run(["env"], { env: { OWN: "1" } });
      // a shell on the way sets these
      expect(names(kept.output).filter((name) => !/^(?:PWD|OLDPWD|SHLVL|_)$/.test(name ?? ""))).toEqual(names(free.output));
      expect(kept.output).toContain("TMPDIR=/dev/shm\n");
    });

    test.each([
      ["exit 3", 3],
      ["exit 125", 125],
      ["kill -SEGV $$", 128 + 11],
      ["kill -KILL $$", 128 + 9],
    ])("tells how it ended: %s", async (script, exit_code) => {
      expect(await bash(script)).toMatchObject({ exit_code, signal: null, ended_by: "exit", output: "" });
    });

    test("ends what it left running, counts it, and has heard it", async () => {
      const end = await bash("(trap 'echo last; exit' TERM; while :; do sleep 0.05; done) & sleep 400 & disown -a; echo done");
      expect(end).toMatchObject({ exit_code: 0, ended_by: "exit" });
      expect(end.left_running_ended).toBeGreaterThanOrEqual(2);
      expect(end.output).toMatch(/^done\n(?:Terminated\n)?last\n$/);
    });

    test("is ended by its time limit with all that came from it, and what it printed is kept", async () => {
      const clock = heldClock();
      const timed = createLocalExec({ hostEnv: { PATH }, workspace: ws, clock, confineBy: [by] });
      const ended = runForTest(timed, { cwd: ws }).bash("echo begun; setsid sleep 4321 & sleep 4321", {
        confine: "read_only",
        timeoutMs: HELD_MS,
        onOutput: () => void setTimeout(() => clock.release(), 300),
      });
      expect(await ended).toMatchObject({ ended_by: "timeout", confined_by: by });
      const others = await bash("true");
      expect(others.exit_code).toBe(0);
      const { output } = await runForTest(local, { cwd: ws }).bash(
        "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -c 'sleep 432[1]'",
      );
      expect(output).toBe("0\n");
      await timed.endAll();
    });

    test("prints much at a time, to the last byte", async () => {
      const { output } = await bash("head -c 3000000 /dev/zero; echo end >&2");
      expect(output.length).toBe(3_000_004);
      expect(output.endsWith("end\n")).toBe(true);
    });
  });
});

test("where nothing can confine it, it runs and says so", async () => {
  const local = createLocalExec({ hostEnv: { PATH }, workspace: folder, clock: systemClock, confineBy: [] });
  const { run } = runForTest(local, { cwd: folder });
  expect(await run(["echo", "hi"], { confine: "read_only" })).toMatchObject({ exit_code: 0, output: "hi\n", confined_by: null });
  expect(await run(["echo", "hi"])).not.toHaveProperty("confined_by");
  expect(existsSync(folder)).toBe(true);
  await local.endAll();
});
