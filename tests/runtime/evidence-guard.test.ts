import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RuntimeOptions } from "../../src/node.ts";
import { type AnyRunEvent, dataOf, makePlace, open, type Place } from "./place.ts";

const HAS_GIT = spawnSync("git", ["--version"]).status === 0;
function repository(files: Readonly<Record<string, string>> = {}): Place {
  const place = makePlace({ "a.txt": "a\n", ...files });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: place.workspace, env: { ...process.env, HOME: join(place.root, "home") } });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "A");
  git("config", "user.email", "a@example.org");
  git("add", ".");
  git("commit", "-qm", "first");
  return place;
}

const inWorkspace = ({ workspace }: Place, path: string) => join(workspace, path);
const textAt = (place: Place, path: string) => readFileSync(inWorkspace(place, path), "utf8");

async function bash(place: Place, command: string, options: Partial<RuntimeOptions> = {}) {
  const { runtime, events } = await open(place, options);
  const result = await runtime.call("bash", { command });
  return { ...errorOf(result), events };
}

/** The type of a result depends on how it ended. */
function errorOf(result: object) {
  const { error, ...rest } = result as { error?: { kind: string; message: string; details: Record<string, unknown> } };
  return { result: rest as { ok: boolean; output?: string; damage?: unknown }, error };
}

/** A program of which nobody can tell beforehand what it does; `$` stands for the dot of a guarded name. */
const script = (code: string) =>
  `${process.execPath} -e ${quoted(`const fs = require("fs"); const $ = String.fromCharCode(46);\n${code}`)}`;

describe.skipIf(!HAS_GIT)("an open command (skipped without git)", () => {
  test("that writes a hook by an interpreter ends on it, and the hook is gone", async () => {
    const place = repository();
    const code = 'fs.writeFileSync($ + "git/hooks/pre-commit", "#!/bin/sh\\ntouch owned\\n", { mode: 0o755 }); console.log("done")';
    const onDisk: boolean[] = [];
    const blobs = () => execFileSync("find", [place.stateDir, "-path", "*/blobs/*"], { encoding: "utf8" });
    const events: AnyRunEvent[] = [];
    const { runtime } = await open(place, {
      onEvent(event) {
        events.push(event);
        if (event.type !== "tool_started") return;
        const kept = blobs();
        for (const { blob } of event.data.evidence ?? []) onDisk.push(kept.includes(blob.sha256));
      },
    });
    const { error } = errorOf(await runtime.call("bash", { command: script(code) }));
    expect(error).toMatchObject({
      kind: "protected_path",
      details: {
        path: inWorkspace(place, ".git/hooks/pre-commit"),
        restored: [{ path: inWorkspace(place, ".git/hooks/pre-commit"), change: "created", content: { size_bytes: 22 }, aside: null }],
        exit_code: 0,
        output: "done\n",
      },
    });
    expect(existsSync(inWorkspace(place, ".git/hooks/pre-commit"))).toBe(false);
    expect(dataOf(events, "tool_result")).toMatchObject([{ ok: false, error: { kind: "protected_path" } }]);
    expect(onDisk).toEqual([true]);
  });

  test("that changes or deletes guarded files has them put back, with content and mode, and what it wrote is kept", async () => {
    const place = repository({ ".env": "KEY=1\n", ".vscode/tasks.json": "{}\n", ".collet/notes.md": "n\n" });
    chmodSync(inWorkspace(place, ".env"), 0o640);
    writeFileSync(inWorkspace(place, ".git/hooks/pre-push"), "#!/bin/sh\n");
    chmodSync(inWorkspace(place, ".git/hooks/pre-push"), 0o755);
    const code = `fs.rmSync($ + "env"); fs.rmSync($ + "git/hooks", { recursive: true }); fs.writeFileSync($ + "vscode/tasks.json", "evil");
      fs.renameSync($ + "collet/notes.md", "moved.md"); fs.chmodSync($ + "vscode/tasks.json", 0o777)`;
    const { error } = await bash(place, script(code));
    expect(error?.kind).toBe("protected_path");
    expect(textAt(place, ".env")).toBe("KEY=1\n");
    expect(statSync(inWorkspace(place, ".env")).mode & 0o777).toBe(0o640);
    expect(statSync(inWorkspace(place, ".git/hooks/pre-push")).mode & 0o777).toBe(0o755);
    expect(textAt(place, ".vscode/tasks.json")).toBe("{}\n");
    expect(textAt(place, ".collet/notes.md")).toBe("n\n");
    const kept = execFileSync("grep", ["-rl", "^evil$", place.stateDir], { encoding: "utf8" });
    expect(kept).toContain("/blobs/");
    expect(error?.details.restored).toHaveLength(4);
  });

  test("that replaces the folder of hooks by a link finds a folder there again", async () => {
    const place = repository();
    const code =
      'const d = $ + "git/hooks"; fs.mkdirSync("h"); fs.writeFileSync("h/pre-commit", ""); fs.renameSync(d, "old"); fs.symlinkSync("../h", d)';
    const { error } = await bash(place, script(code));
    expect(error).toMatchObject({ kind: "protected_path", details: { restored: [{ change: "replaced" }] } });
    expect(lstatSync(inWorkspace(place, ".git/hooks")).isDirectory()).toBe(true);
    expect(existsSync(inWorkspace(place, "h/pre-commit"))).toBe(true);
  });

  test("that makes a hundred hooks leaves none, and a huge one is put aside", async () => {
    const place = repository();
    const code = `const d = $ + "git/hooks/"; for (let i = 0; i < 100; i++) fs.writeFileSync(d + "h" + i, "x" + i);
      fs.writeFileSync(d + "pre-commit", "y".repeat(3e6))`;
    const { error } = await bash(place, script(code));
    expect(error?.details.restored).toHaveLength(64);
    expect(error?.details.restored_more).toBe(37);
    const names = readdirSync(inWorkspace(place, ".git/hooks")).filter((name) => !name.endsWith(".sample"));
    expect(names.every((name) => name.includes(".put-aside-"))).toBe(true);
    expect(names.filter((name) => name.startsWith("pre-commit"))).toHaveLength(1);
  });

  test.each([
    ["core.hooksPath", "git config core.hooksPath /tmp/evil"],
    ["an alias", `git config alias.st '!touch owned'`],
    ["a filter", "git config filter.x.clean 'touch owned'"],
    ["an include", "git config include.path ../evil.cfg"],
    ["a helper transport", `git remote add o 'ext::sh -c "touch owned"'`],
    ["a worktree setting", "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor ./evil"],
    ["an editor, hidden in what git writes", "git remote add o https://example.org/x; git config core.editor evil"],
    ["attributes", `printf '* filter=x' > .git/info/attr""ibutes; sh -c true`],
    ["a common folder", `printf ../evil > .git/common""dir; sh -c true`],
    ["a file that git refuses", `printf '[core' >> .git/conf""ig; sh -c true`],
  ])("does not slip %s into the settings of git", async (_, command) => {
    const place = repository();
    const before = textAt(place, ".git/config");
    const { runtime } = await open(place);
    const result = await runtime.call("bash", { command: `sh -c ${quoted(command)}` });
    expect(result).toMatchObject({ ok: false, error: { kind: "protected_path" } });
    expect(textAt(place, ".git/config").replace(/\[extensions\]\n\tworktreeConfig = true\n/, "")).toBe(before);
    expect(existsSync(inWorkspace(place, ".git/info/attributes"))).toBe(false);
    expect(existsSync(inWorkspace(place, ".git/commondir"))).toBe(false);
    expect(existsSync(inWorkspace(place, ".git/config.worktree"))).toBe(false);
  });

  test("finds what follows a link back where it was, and the link too", async () => {
    const place = repository({ "shared/env": "A=1\n" });
    symlinkSync("shared/env", inWorkspace(place, ".env"));
    expect((await bash(place, script('fs.writeFileSync($ + "env", "B=2")'))).error?.kind).toBe("protected_path");
    expect(textAt(place, "shared/env")).toBe("A=1\n");
    expect((await bash(place, script('fs.rmSync($ + "env"); fs.writeFileSync($ + "env", "B=2")'))).error?.kind).toBe("protected_path");
    expect(readlinkSync(inWorkspace(place, ".env"))).toBe("shared/env");
    expect(textAt(place, "shared/env")).toBe("A=1\n");
  });

  test("does not change start files of the home folder", async () => {
    const place = makePlace();
    const home = join(place.root, "home");
    mkdirSync(join(home, ".ssh"));
    writeFileSync(join(home, ".ssh/authorized_keys"), "ssh-ed25519 mine\n");
    writeFileSync(join(home, ".bashrc"), "a\n");
    const code = `const h = process.env.HOME + "/" + $;
      for (const name of ["bashrc", "zshenv", "ssh/authorized_keys"]) fs.appendFileSync(h + name, "evil")`;
    const { error } = await bash(place, script(code));
    expect(error?.details.restored).toHaveLength(3);
    expect(readFileSync(join(home, ".ssh/authorized_keys"), "utf8")).toBe("ssh-ed25519 mine\n");
    expect(readFileSync(join(home, ".bashrc"), "utf8")).toBe("a\n");
    expect(existsSync(join(home, ".zshenv"))).toBe(false);
  });

  test("cannot keep from putting back by taking rights away", async () => {
    const place = repository({ ".env": "A=1\n" });
    const code = `const d = $ + "git/hooks"; fs.writeFileSync(d + "/pre-commit", "x"); fs.chmodSync(d, 0o500);
      fs.rmSync($ + "env"); require("child_process").execFileSync("mkfifo", [$ + "env"])`;
    const { error } = await bash(place, script(code));
    expect(error?.details.not_restored).toBeUndefined();
    expect(existsSync(inWorkspace(place, ".git/hooks/pre-commit"))).toBe(false);
    expect(textAt(place, ".env")).toBe("A=1\n");
  });

  test("that leaves a process behind finds its change put back too", async () => {
    const place = repository();
    const { runtime } = await open(place);
    const code = 'const fs = require("fs"); for (;;) fs.writeFileSync(".git/hooks/pre-commit", "x");';
    writeFileSync(inWorkspace(place, "race.cjs"), code);
    await runtime.call("bash", { command: `setsid ${process.execPath} race.cjs & sleep 0.7` });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(existsSync(inWorkspace(place, ".git/hooks/pre-commit"))).toBe(false);
  });

  test("that is ended by its time limit is looked at as well", async () => {
    const place = repository();
    const { runtime } = await open(place);
    const command = `${script('fs.writeFileSync($ + "git/hooks/pre-commit", "x")')}; echo said; sleep 9`;
    const result = await runtime.call("bash", { command, timeout: 2 });
    expect(result).toMatchObject({ error: { kind: "protected_path", details: { failure: { kind: "timeout" }, output: "said\n" } } });
    expect(existsSync(inWorkspace(place, ".git/hooks/pre-commit"))).toBe(false);
  });

  test("may change what a rule names", async () => {
    const place = repository({ ".env": "A=1\n" });
    const permissions = { mode: "auto", allow: ["write(.env)"] } as const;
    const { error } = await bash(place, script('fs.writeFileSync($ + "env", "B=2")'), { permissions });
    expect(error).toBeUndefined();
    expect(textAt(place, ".env")).toBe("B=2");
    const deletion = await bash(place, script('fs.rmSync($ + "env")'), { permissions });
    expect(deletion.error?.kind).toBe("protected_path");
    expect(textAt(place, ".env")).toBe("B=2");
  });

  test("that gives itself approvals is told so", async () => {
    const place = repository();
    const code = `const found = require("child_process").execFileSync("find", [${JSON.stringify(place.stateDir)}], { encoding: "utf8" }).split("\\n");
      fs.writeFileSync(found.find((path) => path.endsWith("workspace.json")).replace("workspace.json", "approvals.json"), "{}")`;
    const { result } = await bash(place, script(code));
    expect(result.damage).toEqual([expect.stringContaining("approvals.json")]);
  });

  test("that does great damage is told so, and nothing is made up in its place", async () => {
    const place = repository();
    const first = await bash(place, script('fs.rmSync($ + "git/objects", { recursive: true })'));
    expect(first.result).toMatchObject({ ok: true, damage: [`${inWorkspace(place, ".git/objects")} is gone`] });
    expect(first.result.output).toContain("is gone");
    const second = await bash(place, script('fs.rmSync($ + "git/refs/heads/main")'));
    expect(second.result.damage).toEqual(["HEAD leads to no commit any more"]);
    const third = await bash(place, script('fs.rmSync($ + "git", { recursive: true })'));
    expect(third.result.damage).toEqual([`${inWorkspace(place, ".git")} is gone`]);
    expect(existsSync(inWorkspace(place, ".git"))).toBe(false);
  });
});

function quoted(script: string): string {
  return `'${script.replaceAll("'", "'\\''")}'`;
}
