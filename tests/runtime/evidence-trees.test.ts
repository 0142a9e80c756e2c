import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Asker, defineTool } from "../../src/index.ts";
import type { RuntimeOptions } from "../../src/node.ts";
import { makePlace, open, type Place } from "./place.ts";

const HAS_GIT = spawnSync("git", ["--version"]).status === 0;
let place: Place;
const yes: Asker = async () => ({ answer: "allow" });
const env = () => ({ PATH: process.env.PATH, HOME: join(place.root, "home") });
const git = (...args: string[]) => execFileSync("git", args, { cwd: place.workspace, encoding: "utf8", env: env() });
const at = (path: string) => join(place.workspace, path);
const text = (path: string) => readFileSync(at(path), "utf8");

async function bash(command: string, permissions: RuntimeOptions["permissions"] = { mode: "auto" }) {
  const { runtime } = await open(place, { permissions });
  const result = await runtime.call("bash", { command });
  await runtime.close();
  return result;
}

function commit(files: Readonly<Record<string, string>>, message: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(at(path), ".."), { recursive: true });
    writeFileSync(at(path), content);
  }
  git("add", "-A", "-f");
  git("commit", "-qm", message);
}

beforeEach(() => {
  place = makePlace({ "a.txt": "a\n" });
  writeFileSync(join(place.root, "home/.gitconfig"), "[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n");
});

describe.skipIf(!HAS_GIT)("what is written somewhere below a folder (skipped without git)", () => {
  beforeEach(() => {
    git("init", "-q");
    commit({ "a.txt": "a\n" }, "first");
    const from = join(place.root, "evil");
    mkdirSync(join(from, ".git/hooks"), { recursive: true });
    mkdirSync(join(from, ".vscode"));
    for (const path of [".git/hooks/pre-commit", ".env", ".vscode/tasks.json", "plain.txt"]) writeFileSync(join(from, path), "evil\n");
    execFileSync("tar", ["-cf", at("e.tar"), "-C", from, "."]);
  });

  test.each([
    ["in auto", { mode: "auto" }],
    ["under rules that let the command through", { mode: "ask", asker: null, allow: ["command(tar xf e.tar)", "write(**)"] }],
  ] as const)("is put back where it is guarded, %s", async (_, permissions) => {
    const result = await bash("tar xf e.tar", permissions);
    expect(result).toMatchObject({ error: { kind: "protected_path", details: { why: "guarded_files_changed" } } });
    for (const path of [".git/hooks/pre-commit", ".env", ".vscode/tasks.json"]) expect(existsSync(at(path))).toBe(false);
    expect(text("plain.txt")).toBe("evil\n");
  });

  test("and not one of these is left alone by a copy of all of it", async () => {
    const result = await bash(`mkdir x && tar xf e.tar -C x --exclude=.git && cp -r x/. .`, { mode: "auto" });
    expect(result).toMatchObject({ error: { kind: "protected_path" } });
    expect(existsSync(at(".env")) || existsSync(at(".vscode/tasks.json"))).toBe(false);
  });

  test.each(["cp -r vs .vscode", "mv vs .vscode", "ln -s vs .vscode", "mkdir -p .vscode && cp vs/* .vscode/"])(
    "does not make a guarded folder: %s",
    async (command) => {
      mkdirSync(at("vs"));
      writeFileSync(at("vs/tasks.json"), "evil\n");
      expect(await bash(command)).toMatchObject({ error: { kind: "protected_path" } });
      expect(existsSync(at(".vscode/tasks.json"))).toBe(false);
    },
  );

  test("a hook that is made while the repository is taken apart is gone, and stays gone when that is put together again", async () => {
    const code = `const fs = require("fs"), g = "." + "git/"; for (const x of ["HEAD", "objects", "refs"]) fs.renameSync(g + x, "k-" + x);
      fs.mkdirSync(g + "hooks", { recursive: true }); fs.writeFileSync(g + "hooks/pre-commit", "#!/bin/sh\\n", { mode: 0o755 });`;
    expect(await bash(`${process.execPath} -e '${code}'`)).toMatchObject({ error: { kind: "protected_path" } });
    await bash(
      `${process.execPath} -e 'for (const x of ["HEAD", "objects", "refs"]) require("fs").renameSync("k-" + x, "." + "git/" + x)'`,
    );
    expect(existsSync(at(".git/hooks/pre-commit"))).toBe(false);
    expect(git("log", "--oneline")).toContain("first");
  });
});

describe("a rule that does not allow the change itself does not lift the guard:", () => {
  const change = (path: string) => `${process.execPath} -e 'require("fs").writeFileSync("." + "${path}", "B=2")'`;

  test("one that asks", async () => {
    writeFileSync(at(".env"), "A=1");
    expect(await bash(change("env"), { mode: "auto", ask: ["write(.env)"] })).toMatchObject({ error: { kind: "protected_path" } });
    expect(text(".env")).toBe("A=1");
  });

  test("one beside another that denies", async () => {
    writeFileSync(at(".env.production"), "A=1");
    const permissions = { mode: "auto", allow: ["write(.env*)"], deny: ["write(.env.production)"] } as const;
    expect(await bash(change("env.production"), permissions)).toMatchObject({ error: { kind: "protected_path" } });
    expect(text(".env.production")).toBe("A=1");
    expect(await bash(change("env.local"), permissions)).toMatchObject({ ok: true });
  });

  test("a question about the very file that was answered does", async () => {
    const permissions = { mode: "ask", ask: ["write(.env)"], allow: ["command(*)"], asker: yes } as const;
    expect(await bash(`${process.execPath} -e 'console.log("B=2")' > .env`, permissions)).toMatchObject({ ok: true });
    expect(text(".env")).toBe("B=2\n");
  });
});

test("a look at a folder that was allowed while planning allows no read of all that lies in it", async () => {
  place = makePlace({ "d/secret.txt": "TOP", "d/a.txt": "a" });
  const sum = defineTool({
    name: "sum",
    description: "reads a folder",
    parameters: { type: "object", properties: {} },
    effectKinds: ["file.read"],
    async plan(_, { sandbox }) {
      const { path } = await sandbox.resolve("d");
      await sandbox.list("d");
      return { effects: [{ kind: "file.read", sure: "declared", path, tree: true }] };
    },
    execute: async (_, { sandbox }) => (await sandbox.readText("d/secret.txt")).text,
  });
  const permissions = { mode: "ask", asker: yes, ask: ["read(d)"], deny: ["read(d/secret.txt)"] } as const;
  const { runtime } = await open(place, { tools: [sum], permissions });
  expect(await runtime.call("sum", {})).toMatchObject({ error: { kind: "permission_denied" } });
});

describe.skipIf(!HAS_GIT)("guarded files that a repository tracks (skipped without git)", () => {
  const FILES = [".env", ".vscode/settings.json"];
  const both = (content: string) => Object.fromEntries(FILES.map((path) => [path, content]));
  const contents = () => FILES.map((path) => (existsSync(at(path)) ? text(path) : null));

  beforeEach(() => {
    git("init", "-q");
    commit({ "a.txt": "a\n", ...both("{}\n") }, "first");
    git("checkout", "-q", "-b", "other");
    commit(both('{"other": 1}\n'), "other");
    git("checkout", "-q", "main");
  });

  test.each([
    ["git checkout -q other", '{"other": 1}\n'],
    ["git switch -q other && git log --oneline | head -1", '{"other": 1}\n'],
    ["git merge -q other", '{"other": 1}\n'],
    ["git reset -q --hard other", '{"other": 1}\n'],
    ["git cherry-pick other", '{"other": 1}\n'],
    ["git checkout -q other && git checkout -q main", "{}\n"],
  ])("are what git makes of them: %s", async (command, content) => {
    expect(await bash(command)).toMatchObject({ ok: true });
    expect(contents()).toEqual([content, content]);
    expect(git("status", "--porcelain")).toBe("");
  });

  test("go with a branch that lacks them", async () => {
    git("checkout", "-q", "--orphan", "none");
    git("rm", "-rqf", ".");
    commit({ "b.txt": "b\n" }, "none");
    git("checkout", "-q", "main");
    expect(await bash("git checkout -q none")).toMatchObject({ ok: true });
    expect(contents()).toEqual([null, null]);
  });

  test.each([
    "open-ended && git checkout -q other",
    "git checkout -q other && open-ended",
    "git checkout -q other -- . && git apply p.diff",
  ])("are put back where something else may have had a hand in it: %s", async (command) => {
    const program = join(place.root, "bin/open-ended");
    mkdirSync(join(place.root, "bin"), { recursive: true });
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(at("p.diff"), '--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-{"other": 1}\n+evil\n');
    expect(await bash(command.replaceAll("open-ended", program))).toMatchObject({ error: { kind: "protected_path" } });
    expect(text(".env")).toBe("{}\n");
  });

  test("are put back when what a person had changed in them goes", async () => {
    writeFileSync(at(".env"), "mine\n");
    expect(await bash("git reset -q --hard other")).toMatchObject({ error: { kind: "protected_path" } });
    expect(text(".env")).toBe("mine\n");
  });
});
