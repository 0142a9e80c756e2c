import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { RuntimeOptions } from "../../src/node.ts";
import { makePlace, open, type Place } from "./place.ts";

const HAS_GIT = spawnSync("git", ["--version"]).status === 0;
let place: Place;
const env = () => ({ PATH: process.env.PATH, HOME: join(place.root, "home") });
const git = (...args: string[]) => execFileSync("git", args, { cwd: place.workspace, encoding: "utf8", env: env() });
const at = (path: string) => join(place.workspace, path);
const text = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : null);

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(at(path), ".."), { recursive: true });
    writeFileSync(at(path), content);
  }
}

async function bash(command: string, permissions: RuntimeOptions["permissions"] = { mode: "auto" }) {
  const { runtime } = await open(place, { permissions });
  const result = await runtime.call("bash", { command });
  await runtime.close();
  return result;
}

/** A program of which nobody can tell beforehand what it does; `$` stands for the dot of a guarded name. */
const script = (code: string) => `${process.execPath} -e '${`const fs = require("fs"), $ = String.fromCharCode(46); ${code}`}'`;

beforeEach(() => {
  place = makePlace({ "a.txt": "a\n" });
  writeFileSync(join(place.root, "home/.gitconfig"), "[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n");
  if (!HAS_GIT) return;
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
});

describe.skipIf(!HAS_GIT)(
  "what makes git run something is put back where the repository has git look for it (skipped without git):",
  () => {
    test.each(["libs/foo", "a/b/c", "libs/foo/modules/inner"])("a hook of the submodule %s", async (name) => {
      const folder = `.git/modules/${name}`;
      write({ [`${folder}/config`]: "[core]\n", [`${folder}/HEAD`]: "ref: refs/heads/main\n", [`${folder}/hooks/x.sample`]: "" });
      if (name.endsWith("inner")) write({ ".git/modules/libs/foo/HEAD": "ref: refs/heads/main\n" });
      const code = `fs.writeFileSync($ + "${folder.slice(1)}/hooks/pre-commit", "evil")`;
      expect(await bash(script(code))).toMatchObject({ error: { kind: "protected_path" } });
      expect(existsSync(at(`${folder}/hooks/pre-commit`))).toBe(false);
    });

    test.each([
      ["", "../inc"],
      ["", "inc", ".git/inc"],
      ["in a folder", "../conf/git.inc", "conf/git.inc"],
    ])("a file that its settings include %s", async (_, value, path = "inc") => {
      write({ [path]: "[color]\n\tui = auto\n" });
      git("config", "include.path", value);
      const code = `fs.writeFileSync("${path}".replace("${"."}git/", $ + "git/"), "[core]\\n fsmonitor = evil\\n")`;
      expect(await bash(script(code))).toMatchObject({ error: { kind: "protected_path", details: { path: at(path) } } });
      expect(text(path)).toBe("[color]\n\tui = auto\n");
    });

    test.each(["tools/hooks", "./tools//hooks/", "tools/x/../hooks"])(
      "a hook in the folder %s that core.hooksPath names",
      async (value) => {
        write({ "tools/hooks/pre-commit": "#!/bin/sh\n" });
        git("config", "core.hooksPath", value);
        const code = 'const d = "tools/hooks/"; fs.writeFileSync(d + "pre-commit", "evil"); fs.writeFileSync(d + "post-merge", "evil")';
        expect(await bash(script(code))).toMatchObject({ error: { kind: "protected_path", details: { restored: [{}, {}] } } });
        expect([text("tools/hooks/pre-commit"), text("tools/hooks/post-merge")]).toEqual(["#!/bin/sh\n", null]);
      },
    );

    test("but not what the call named, and so was decided over", async () => {
      write({ "tools/hooks/pre-commit": "#!/bin/sh\n" });
      git("config", "core.hooksPath", "tools/hooks");
      expect(await bash(`echo x > tools/hooks/pre-commit && ${script("")}`)).toMatchObject({ ok: true });
      expect(text("tools/hooks/pre-commit")).toBe("x\n");
    });
  },
);

describe.skipIf(!HAS_GIT)("a repository that is moved away (skipped without git)", () => {
  test("and reached by a link is told to be gone, keeps no hook, and the link does not stay", async () => {
    const code = `const g = $ + "git"; fs.renameSync(g, "kept"); fs.symlinkSync("kept", g); fs.writeFileSync("kept/hooks/pre-commit", "evil")`;
    expect(await bash(script(code))).toMatchObject({
      error: { kind: "protected_path", details: { damage: [`${at(".git")} is gone`] } },
    });
    expect(existsSync(at("kept/hooks/pre-commit"))).toBe(false);
    expect(lstatSync(at(".git")).isSymbolicLink()).toBe(false);
    expect(existsSync(at("kept/HEAD"))).toBe(true);
  });

  test("comes back without the hook that was made meanwhile", async () => {
    const away = await bash(script('fs.renameSync($ + "git", "kept"); fs.writeFileSync("kept/hooks/pre-commit", "evil")'));
    expect(away).toMatchObject({ damage: [`${at(".git")} is gone`] });
    await bash(script('fs.renameSync("kept", $ + "git")'));
    expect(existsSync(at(".git/hooks/pre-commit"))).toBe(false);
    expect(git("log", "--oneline")).toContain("first");
  });
});

describe("what a known program brings into a folder below the workspace", () => {
  test("is put back where it is guarded", async () => {
    write({ "from/.env": "A=1\n", "from/.vscode/tasks.json": "{}\n", "from/b.txt": "b\n", "packages/x/c.txt": "c\n" });
    execFileSync("tar", ["-cf", at("e.tar"), "-C", at("from"), "."]);
    expect(await bash("tar xf e.tar -C packages/x")).toMatchObject({
      error: { kind: "protected_path", details: { restored: [{ change: "created" }, { change: "created" }] } },
    });
    expect(["b.txt", ".env", ".vscode/tasks.json"].map((name) => text(`packages/x/${name}`))).toEqual(["b\n", null, null]);
  });
});

test("a rule that denies where a guarded link leads holds beside one that allows the link", async () => {
  write({ "shared/env": "A=1\n" });
  symlinkSync("shared/env", at(".env"));
  const permissions = { mode: "auto", allow: ["write(.env)"], deny: ["write(shared/**)"] } as const;
  const code = 'fs.writeFileSync($ + "env", "B=2")';
  expect(await bash(script(code), permissions)).toMatchObject({ error: { kind: "protected_path" } });
  expect(text("shared/env")).toBe("A=1\n");
  expect(await bash(script(code), { mode: "auto", allow: ["write(.env)"] })).toMatchObject({ ok: true });
});
