import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configDirOf, stateDirOf, workspaceKey } from "./index.ts";
import { type LogFixture, logFixture } from "./log-fixture.ts";

let fixture: LogFixture;
beforeEach(() => {
  fixture = logFixture();
});
afterEach(() => rmSync(fixture.root, { recursive: true, force: true }));

const recordIn = (folder: string) => JSON.parse(readFileSync(join(folder, "workspace.json"), "utf8"));

describe("the state folder", () => {
  test.each([
    [{}, "/h/.local/state/collet"],
    [{ XDG_STATE_HOME: "/x" }, "/x/collet"],
    [{ XDG_STATE_HOME: "relative" }, "/h/.local/state/collet"],
    [{ XDG_STATE_HOME: "/x", COLLET_STATE_DIR: "/s/" }, "/s"],
    [{ XDG_STATE_HOME: "", COLLET_STATE_DIR: "" }, "/h/.local/state/collet"],
  ])("for %j is %s", (env, path) => {
    expect(stateDirOf(env, "/h").replace(/\/$/, "")).toBe(path);
  });

  test.each([
    [{ COLLET_STATE_DIR: "state" }, "/h"],
    [{ COLLET_STATE_DIR: "~/state" }, "/h"],
    [{ COLLET_STATE_DIR: "/a\0b" }, "/h"],
    [{}, ""],
  ])("for %j and home %j is refused", (env, home) => {
    expect(() => stateDirOf(env, home)).toThrow(
      expect.objectContaining({ kind: "unsafe_state_path", details: expect.objectContaining({ reason: "invalid_state_path" }) }),
    );
  });

  test("stands beside the configuration folder", () => {
    expect([configDirOf({}, "/h"), configDirOf({ XDG_CONFIG_HOME: "/x" }, "/h"), configDirOf({ COLLET_CONFIG_DIR: "/c" }, "/h")]).toEqual([
      "/h/.config/collet",
      "/x/collet",
      "/c",
    ]);
  });
});

describe("a session's folder", () => {
  test("is made with all above it, for the user alone, and names its workspace", async () => {
    mkdirSync(join(fixture.workspace, ".git"));
    const log = await fixture.open({ sessionId: "s1" });
    const folder = join(fixture.stateDir, "workspaces", workspaceKey(fixture.workspace));
    expect(log.dir).toBe(join(folder, "sessions", "s1"));
    const made = [
      fixture.stateDir,
      join(fixture.stateDir, "workspaces"),
      folder,
      join(folder, "sessions"),
      log.dir,
      join(log.dir, "blobs"),
      log.spillDir,
    ];
    expect(made.map((path) => statSync(path).mode & 0o777)).toEqual(made.map(() => 0o700));
    expect([log.path, join(folder, "workspace.json")].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
    const { dev, ino } = statSync(fixture.workspace, { bigint: true });
    expect(recordIn(folder)).toEqual({
      v: 1,
      path: fixture.workspace,
      device: `${dev}`,
      inode: `${ino}`,
      git_root: fixture.workspace,
    });
    await log.close();
  });

  test("is made once: the second of a name fails and leaves the first alone", async () => {
    const log = await fixture.open({ sessionId: "s1" });
    log.append("user_message", { text: "mine" });
    await expect(fixture.open({ sessionId: "s1" })).rejects.toMatchObject({ kind: "session_start_failed", details: { reason: "exists" } });
    expect(readFileSync(log.path, "utf8")).toContain("mine");
    await log.close();
  });

  test("is made by many at once, each its own, and by one of those that want the same", async () => {
    const logs = await Promise.all(Array.from({ length: 20 }, () => fixture.open()));
    expect(new Set(logs.map((log) => log.dir)).size).toBe(20);
    const same = await Promise.allSettled(Array.from({ length: 5 }, () => fixture.open({ sessionId: "same" })));
    expect(same.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await Promise.all(
      [...logs, ...same.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))].map((log) => log.close()),
    );
  });

  test.each(["..", "../x", "a/b", "", ".", "-a", "a\0", "a".repeat(65), "a b", "é"])("is not made for the id %j", async (sessionId) => {
    await expect(fixture.open({ sessionId })).rejects.toMatchObject({ kind: "invalid_args" });
    expect(existsSync(fixture.stateDir)).toBe(false);
  });

  test.each(["stateDir", "workspace"] as const)("is not made for a relative %s", async (option) => {
    await expect(fixture.open({ [option]: "relative" })).rejects.toMatchObject({ kind: "invalid_args", details: { path: "relative" } });
  });

  test("leaves nothing when it cannot be made whole", async () => {
    await expect(fixture.open({ workspace: join(fixture.root, "gone") })).rejects.toMatchObject({ kind: "session_start_failed" });
    expect(readdirSync(join(fixture.stateDir, "workspaces", workspaceKey(join(fixture.root, "gone"))))).toEqual([]);
  });

  test("notes a workspace that was made anew at the same path", async () => {
    await (await fixture.open()).close();
    const folder = join(fixture.stateDir, "workspaces", workspaceKey(fixture.workspace));
    writeFileSync(join(folder, "workspace.json"), "{ torn");
    await (await fixture.open()).close();
    expect(recordIn(folder)).toMatchObject({ path: fixture.workspace, git_root: null });
    expect(readdirSync(folder).sort()).toEqual(["sessions", "workspace.json"]);
  });
});

describe("a component of the state path", () => {
  const components = ["", "workspaces", "KEY", "KEY/sessions"] as const;
  const at = (component: string): string =>
    join(
      fixture.stateDir,
      component.startsWith("KEY") ? component.replace("KEY", `workspaces/${workspaceKey(fixture.workspace)}`) : component,
    );

  describe.each(components)("%j", (component) => {
    test("that is a link is unsafe, also one to a folder of one's own", async () => {
      const elsewhere = join(fixture.root, "elsewhere");
      mkdirSync(elsewhere, { mode: 0o700 });
      mkdirSync(join(at(component), ".."), { recursive: true, mode: 0o700 });
      symlinkSync(elsewhere, at(component));
      await expect(fixture.open()).rejects.toMatchObject({
        kind: "unsafe_state_path",
        details: { reason: "symlink_component", component: at(component).replace(/\/$/, ""), next_actions: [expect.any(String)] },
      });
      expect(readdirSync(elsewhere)).toEqual([]);
    });

    test("that is a file is unsafe", async () => {
      mkdirSync(join(at(component), ".."), { recursive: true, mode: 0o700 });
      writeFileSync(at(component), "");
      await expect(fixture.open()).rejects.toMatchObject({ kind: "unsafe_state_path", details: { reason: "non_directory_component" } });
    });

    test.each([0o777, 0o770, 0o702])("that others may write (mode %o) is unsafe, and is not changed", async (mode) => {
      mkdirSync(at(component), { recursive: true, mode: 0o700 });
      chmodSync(at(component), mode);
      await expect(fixture.open()).rejects.toMatchObject({ kind: "unsafe_state_path", details: { reason: "writable_by_others" } });
      expect(lstatSync(at(component)).mode & 0o777).toBe(mode);
    });

    test.each([0o755, 0o750, 0o711])("that others may look into (mode %o) is unsafe, and is not changed", async (mode) => {
      mkdirSync(at(component), { recursive: true, mode: 0o700 });
      chmodSync(at(component), mode);
      await expect(fixture.open()).rejects.toMatchObject({
        kind: "unsafe_state_path",
        details: { reason: "readable_by_others", next_actions: [`chmod go-rwx '${at(component).replace(/\/$/, "")}'`] },
      });
      expect(lstatSync(at(component)).mode & 0o777).toBe(mode);
    });

    // only root may give a folder away; as another user there is no way to set this up
    test.runIf(process.getuid?.() === 0)("that belongs to another user is unsafe", async () => {
      mkdirSync(at(component), { recursive: true, mode: 0o700 });
      chownSync(at(component), 65534, 65534);
      await expect(fixture.open()).rejects.toMatchObject({ kind: "unsafe_state_path", details: { reason: "wrong_owner" } });
    });
  });

  test("above the state folder may be a link, and one that is a file is told", async () => {
    mkdirSync(join(fixture.root, "real"));
    symlinkSync(join(fixture.root, "real"), join(fixture.root, "link"));
    await (await fixture.open({ stateDir: join(fixture.root, "link", "collet") })).close();
    expect(existsSync(join(fixture.root, "real", "collet", "workspaces"))).toBe(true);
    writeFileSync(join(fixture.root, "file"), "");
    await expect(fixture.open({ stateDir: join(fixture.root, "file", "collet") })).rejects.toMatchObject({
      kind: "unsafe_state_path",
      details: { reason: "non_directory_component" },
    });
  });

  test("that cannot be made fails the start with one clear reason", async () => {
    // the process file system takes no folders, not even from root
    await expect(fixture.open({ stateDir: "/proc/collet-state" })).rejects.toMatchObject({
      kind: "session_start_failed",
      details: { path: "/proc/collet-state", next_actions: [expect.stringContaining("COLLET_STATE_DIR")] },
    });
  });
});
