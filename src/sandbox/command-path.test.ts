import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commandFolders, findIn, findProgram } from "./command-path.ts";

let base: string;
let workspace: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "collet-path-")));
  workspace = folder("ws");
});
afterEach(() => rmSync(base, { recursive: true }));

function folder(name: string, mode = 0o755): string {
  const path = join(base, name);
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
}

function program(path: string, mode = 0o755): string {
  writeFileSync(path, "#!/bin/sh\n", { mode });
  return path;
}

const folders = (...entries: string[]) => commandFolders(entries.join(":"), workspace);

describe("the PATH for commands", () => {
  test("drops entries that are empty, relative, missing or no folder", () => {
    program(join(base, "file"));
    expect(folders("", ".", "bin", "~/bin", "/usr/bin", join(base, "gone"), join(base, "file"), "/usr/bin")).toEqual({
      outside: ["/usr/bin"],
      inside: [],
    });
  });

  test("drops folders that anybody may write to, and those that anybody may put another in place of", () => {
    const safe = folder("safe");
    const group = folder("group", 0o775);
    const sticky = join(folder("sticky", 0o1777), "bin");
    const loose = join(folder("loose", 0o777), "bin");
    mkdirSync(sticky);
    mkdirSync(loose);
    expect(folders(safe, group, folder("open", 0o777), folder("open-sticky", 0o1777), sticky, loose).outside).toEqual([
      safe,
      group,
      sticky,
    ]);
  });

  test("judges a link by where it leads, and by where it stands", () => {
    const safe = folder("safe");
    symlinkSync(folder("open", 0o777), join(safe, "to-open"));
    symlinkSync(safe, join(folder("loose", 0o777), "to-safe"));
    symlinkSync(safe, join(base, "fine"));
    expect(folders(join(safe, "to-open"), join(base, "loose/to-safe"), join(base, "fine")).outside).toEqual([join(base, "fine")]);
  });

  test("puts folders of the workspace last, also those that only a link leads to", () => {
    const own = folder("ws/node_modules/.bin");
    symlinkSync(own, join(base, "link"));
    const near = folder("ws-other");
    expect(folders(own, join(base, "link"), "/usr/bin", near)).toEqual({ outside: ["/usr/bin", near], inside: [own, join(base, "link")] });
  });

  test("of a host without one is the standard folders that exist", () => {
    expect(commandFolders(undefined, workspace).outside).toContain("/usr/bin");
    expect(commandFolders("", workspace).outside).toContain("/usr/bin");
  });
});

describe("finding a program", () => {
  test("takes the first that can be executed, files only", () => {
    const [one, two, three] = [folder("one"), folder("two"), folder("three")];
    mkdirSync(join(one, "tool"));
    program(join(two, "tool"), 0o644);
    const tool = program(join(three, "tool"));
    expect(findProgram("tool", { path: `${one}:${two}:${three}`, cwd: "/" })).toBe(tool);
    expect(findIn([one, two, three], "tool")).toBe(tool);
    expect(findIn([one], "tool")).toBeNull();
  });

  test("never looks in the working folder for a name without a slash", () => {
    program(join(base, "tool"));
    expect(() => findProgram("tool", { path: "", cwd: base })).toThrow(expect.objectContaining({ kind: "command_failed" }));
    expect(() => findProgram("tool", { path: ".:", cwd: base })).toThrow(
      expect.objectContaining({ details: { program: "tool", reason: "not_found" } }),
    );
  });

  test("says that a file is there and cannot be executed", () => {
    program(join(base, "data"), 0o644);
    expect(() => findProgram("./data", { path: "/usr/bin", cwd: base })).toThrow(
      expect.objectContaining({ details: { program: "./data", reason: "not_executable" } }),
    );
  });

  test("falls back to the standard folders", () => {
    expect(findProgram("sh", { path: "/no/such", cwd: "/" })).toMatch(/^\/(usr\/)?(local\/)?s?bin\/sh$/);
  });
});
