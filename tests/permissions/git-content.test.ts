/** What git really shows of a secret that is tracked, against what its plan says: through the runtime, in a real repository. */
import { execFileSync, spawnSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../src/node.ts";

const HAS_GIT = spawnSync("git", ["--version"]).status === 0;
const PATH = "/usr/local/bin:/usr/bin:/bin";
const SECRET = "hunter2";

/** Repositories with history, something staged, something changed, something stashed and a repository inside; `secret` is tracked in both. */
function makeRepository(root: string, secret: string): string {
  const top = join(root, "ws");
  const git = (folder: string, ...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...args], {
      cwd: folder,
      env: { PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const write = (folder: string, note: string): void => {
    for (const name of [secret, `sub/${secret}`]) writeFileSync(join(folder, name), `PASSWORD=${SECRET}-${note}\n`);
    for (const name of ["README", "sub/a.ts", "src/b.ts"]) writeFileSync(join(folder, name), `text ${note}\n`);
  };
  for (const folder of [top, join(root, "inner")]) {
    for (const name of ["sub", "src"]) mkdirSync(join(folder, name), { recursive: true });
    git(folder, "init", "-q", "-b", "main");
    write(folder, "1");
    git(folder, "add", ".");
    git(folder, "commit", "-qm", "first");
    write(folder, "2");
    git(folder, "commit", "-qam", "fix: second");
  }
  git(top, "submodule", "-q", "add", "../inner", "lib");
  git(top, "commit", "-qm", "lib");
  write(join(top, "lib"), "3");
  git(join(top, "lib"), "commit", "-qam", "third");
  git(top, "branch", "other", "HEAD~1");
  write(top, "stashed");
  git(top, "stash", "-q");
  write(top, "staged");
  git(top, "add", secret, "README");
  write(top, "changed");
  writeFileSync(join(top, "names"), `HEAD:${secret}\n`);
  return top;
}

/** `SECRET` stands for the tracked name, `BLOB` for the hash of its content. */
const COMMANDS = `
diff|diff HEAD|diff --cached|diff -U0|diff --stat -p|diff --check|diff HEAD~1 HEAD|diff main...other|diff other|diff --word-diff --cached|diff --color-words
diff -- SECRET|diff -- ':(top)SECRET'|diff -- ':/SECRET'|diff -- '?env'|diff -- ':(icase)SECRET'|diff -- ':(glob)**/SECRET'|diff -- '*env'|diff -- sub|diff HEAD:SECRET HEAD:README
diff BLOB -- README|diff BLOB README|diff HEAD:sub|diff -- ':!README'|diff --submodule=diff|diff -R|diff --no-index SECRET README|diff other:SECRET BLOB|diff --cached BLOB
log -p|log -p -2 --oneline|log -U1|log -c -p|log -m -p|log -p --full-diff -- README|log -p -- SECRET|log -L 1,1:SECRET|log -p -- ':(top)SECRET'|log --binary|log -p -g|log -p --all -S hunter
log --patch-with-stat|log -p -- ':!SECRET'|log -p -- . ':!README'|log --cc|log -p --stdin -- README < /dev/null|log --diff-merges=first-parent|log --word-diff -p -1
show|show HEAD~2|show HEAD:SECRET|show HEAD:./SECRET|show :SECRET|show :0:sub/SECRET|show BLOB|show --stat BLOB|show -s BLOB|show BLOB -- README|show BLOB --|show ':/fix: second'
show 'HEAD^{/fix: second}:SECRET'|show x-1-gBLOB|show HEAD~1 -- sub|show --no-walk HEAD~1 BLOB|show main~1 --|show stash@{0}|show other -p --stat|show --name-only BLOB
status -v|status -vv|status -svv|status -v -- SECRET
grep hunter|grep -n hunter HEAD|grep --cached hunter|grep hunter HEAD:sub|grep hunter BLOB|grep hunter BLOB -- README|grep hunter -- ':/'|grep -e hunter -- sub|grep -h hunter -- '*env'
grep --recurse-submodules hunter|grep --untracked hunter|grep --no-index hunter|grep --no-index hunter ':(top)SECRET'|grep --no-index hunter '*env'|grep --untracked hunter -- ':/'|grep hunter stash
cat-file -p BLOB|cat-file blob BLOB|cat-file -p HEAD:SECRET|cat-file blob main:sub/SECRET|cat-file --batch < names|cat-file --batch <<< HEAD:SECRET|cat-file --batch-command <<< 'contents BLOB'
cat-file --textconv HEAD:SECRET|cat-file --batch-all-objects --batch|cat-file -p :SECRET
stash show -p|stash show -U1|stash list -p|reflog -p|reflog show -p main|range-diff HEAD~2..HEAD~1 HEAD~2..other|range-diff --creation-factor=1 main~2..main main~2..stash@{0}
diff-files -p|diff-files -p -- SECRET|diff-index -p HEAD|diff-index --cached -p HEAD|diff-index -p HEAD:sub|diff-tree -p HEAD~1|diff-tree -p HEAD~1 HEAD~2|diff-tree -p --stdin <<< HEAD~1|diff-tree -p --root -r HEAD~2
blame SECRET|blame HEAD~1 -- SECRET|annotate sub/SECRET|blame -L1,1 SECRET|config --blob HEAD:SECRET -l|config -f SECRET -l|archive HEAD|format-patch --stdout HEAD~2|hash-object SECRET
-C sub diff|-C sub show HEAD:SECRET|-C sub show HEAD:./SECRET|-C sub grep hunter|-C sub log -p -- SECRET|-C lib log -p|-C lib show HEAD:SECRET|-C sub diff -- ../SECRET|-C src grep hunter -- ':(top)'
fast-export HEAD|bundle create - HEAD|whatchanged -p|merge-tree HEAD~1 HEAD other|check-ignore -v SECRET|rev-list --objects HEAD|ls-tree -r HEAD|ls-files -s|for-each-ref --format='%(raw)'
log|log --stat|status|diff --stat|diff --name-only|show --stat|stash show --stat|log -p -- README|diff -- README|show HEAD~1 -- README|grep text -- README|cat-file -p HEAD|branch -vv|stash list|show HEAD:README
`
  .trim()
  .split(/[|\n]/);

/** Of the last line of `COMMANDS`: what is of use beside a secret that is tracked. */
const HARMLESS = COMMANDS.slice(COMMANDS.lastIndexOf("log"));

describe.skipIf(!HAS_GIT)("content that git shows of a secret (skipped without git)", () => {
  let root = "";
  let workspace = "";
  let blob = "";
  let showing = 0;
  let runtime: Runtime;
  let beside: Runtime;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "collet-git-content-")));
    workspace = makeRepository(root, ".env");
    blob = execFileSync("git", ["rev-parse", "HEAD:.env"], { cwd: workspace, encoding: "utf8" }).trim();
    runtime = await open(workspace);
    beside = await open(makeRepository(mkdtempSync(join(root, "other-")), "plain"));
  });
  afterAll(async () => {
    await runtime?.close();
    await beside?.close();
    rmSync(root, { recursive: true, force: true });
  });

  const open = (place: string): Promise<Runtime> =>
    createRuntime({
      workspace: place,
      stateDir: join(root, "state"),
      env: { PATH, HOME: root },
      permissions: { mode: "ask", asker: async () => ({ answer: "deny" }) },
      log: false,
    });
  const spelled = (command: string): string => `git ${command.replaceAll("SECRET", ".env").replaceAll("BLOB", blob)}`;
  const outcomeOf = async (command: string): Promise<string> => {
    const envelope = await runtime.call("bash", { command }, { dryRun: true });
    return "decision" in envelope ? (envelope.decision as { readonly outcome: string }).outcome : "deny";
  };
  const shown = (command: string): string => {
    const env = { PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1", GIT_PAGER: "cat" };
    const { stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: workspace, env, encoding: "latin1" });
    return stdout + stderr;
  };

  test.each(COMMANDS)("is never allowed unasked: git %s", async (command) => {
    const isShown = shown(spelled(command)).includes(SECRET);
    if (isShown) showing += 1;
    expect({ isShown, outcome: await outcomeOf(spelled(command)) }).not.toEqual({ isShown: true, outcome: "allow" });
  });

  test("was shown by most of these commands, or they would prove nothing", () => {
    expect(showing).toBeGreaterThan(100);
  });

  test.each(HARMLESS)("does not keep from looking at the rest: git %s", async (command) => {
    expect(await outcomeOf(spelled(command))).toBe("allow");
  });

  test.each(["diff", "diff HEAD~1", "log -p", "show", "show BLOB", "grep text", "status -v", "stash show -p", "blame README"])(
    "is nothing to ask about where none is tracked: git %s",
    async (command) => {
      const envelope = await beside.call("bash", { command: spelled(command) }, { dryRun: true });
      expect(envelope).toMatchObject({ decision: { outcome: "allow" } });
    },
  );
});

describe.skipIf(!HAS_GIT)("git beside rules and links (skipped without git)", () => {
  let root = "";
  let top = "";
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: top, env: { PATH, HOME: root }, encoding: "utf8" });
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "collet-git-rules-")));
    top = join(root, "ws");
    for (const folder of ["secrets", "data", "d", "deep/er", "sub", "../out/r", ".ssh"]) mkdirSync(join(top, folder), { recursive: true });
    for (const file of ["secrets/p", "data/k", "d/config", "deep/er/x", "a.txt", "../out/k", ".ssh/config"])
      writeFileSync(join(top, file), `${file}\n`);
    git("init", "-q", "-b", "main");
    git("add", "secrets", "data", "d", "deep", "a.txt");
    git("commit", "-qm", "first");
    for (const file of ["secrets/p", "a.txt"]) writeFileSync(join(top, file), "changed\n");
    execFileSync("git", ["init", "-q", join(root, "out/r")], { env: { PATH, HOME: root } });
    writeFileSync(join(top, "sub/.git"), `gitdir: ${join(root, "out/r/.git")}\n`);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  async function outcome(command: string, rules: { readonly deny?: readonly string[]; readonly ask?: readonly string[] } = {}) {
    const runtime = await createRuntime({
      workspace: top,
      stateDir: join(root, "state"),
      env: { PATH, HOME: root },
      permissions: { mode: "ask", asker: null, ...rules },
      log: false,
    });
    const result = await runtime.call("bash", { command });
    await runtime.close();
    return "error" in result ? (result.error as { readonly kind: string }).kind : "ran";
  }

  test.each([
    "git grep x -- secrets",
    "git diff",
    "git diff secrets",
    "git log -p secrets/p",
    "git show",
    "git grep x HEAD",
    "git diff HEAD~0",
  ])("rules over reads hold for what git shows: %s", async (command) => {
    expect(await outcome(command, { deny: ["read(secrets/**)"] })).toBe("permission_denied");
    expect(await outcome(command, { ask: ["read(secrets/**)"] })).toBe("permission_denied");
  });

  test("what lies behind a link in the place of a folder is read where it lies", async () => {
    expect(await outcome("git grep k -- data d")).toBe("ran");
    for (const folder of ["data", "d"]) rmSync(join(top, folder), { recursive: true });
    symlinkSync(join(root, "out"), join(top, "data"));
    symlinkSync(".ssh", join(top, "d"));
    expect(await outcome("git grep k -- data")).toBe("permission_denied");
    expect(await outcome("git grep k -- d")).toBe("protected_path");
    expect(await outcome("git grep changed -- a.txt")).toBe("ran");
  });

  test("a file in the place of folders with tracked files hinders nothing", async () => {
    rmSync(join(top, "deep"), { recursive: true });
    writeFileSync(join(top, "deep"), "");
    expect(await outcome("git grep changed -- a.txt")).toBe("ran");
  });

  test("a folder that calls a repository elsewhere its own is asked about", async () => {
    expect(await outcome("git -C sub log -p")).toBe("permission_denied");
    expect(await outcome("git log --oneline")).toBe("ran");
  });

  test("a secret with another name by a hard link makes what is tracked unknown", async () => {
    writeFileSync(join(top, ".env"), "A=1\n");
    expect(await outcome("git diff -- a.txt")).toBe("ran");
    linkSync(join(top, ".env"), join(top, "h.txt"));
    expect(await outcome("git diff -- a.txt")).toBe("permission_denied");
  });
});
