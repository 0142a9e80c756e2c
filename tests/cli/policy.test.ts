import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collet, jsonLines, makePlace, type Place } from "./harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace({ "a.txt": "one\n", ".env": "KEY=1\n" });
});
afterEach(() => place.remove());

const userFile = () => path.join(place.home, ".config/collet/permissions.json");
function put(file: string, content: object | string): string {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify({ version: 1, ...content }), { mode: 0o600 });
  return file;
}
const policy = (...words: readonly string[]) => collet(["policy", ...words], { place });
async function json(...words: readonly string[]) {
  const { status, stdout, stderr } = await policy(...words, "--json");
  return { status, stderr, document: jsonLines(stdout)[0] };
}

describe("policy show", () => {
  test("tells the mode and each rule with its place", async () => {
    const file = put(userFile(), '{ "version": 1, "mode": "read_only",\n"allow": ["command(npm test)"] }');
    put(path.join(place.workspace, ".collet/permissions.json"), { deny: ["read(secrets/**)"] });
    const { status, stdout } = await policy("show", "--allow", "write(src/**)", "--ask-for", "command(git push)");
    expect(status).toBe(0);
    expect(stdout).toContain("mode       read_only (~/.config/collet/permissions.json; a flag can say otherwise)");
    expect(stdout).toMatch(
      /deny {3}read\(secrets\/\*\*\) {3,}\.collet\/permissions\.json:1\n.*ask {4}command\(git push\) +a flag\n.*allow {2}write\(src\/\*\*\) +a flag\n.*allow {2}command\(npm test\) +~\/\.config\/collet\/permissions\.json:2\n/,
    );
    expect((await json("show", "--ask")).document).toMatchObject({
      ...{ ok: true, mode: "ask", mode_source: { from: "flag" } },
      files: [
        { path: file, owner: "user", state: "in_force" },
        { owner: "workspace", state: "in_force" },
      ],
      rules: [
        { rule: "command(npm test)", effect: "allow", source: { from: "file", file, line: 2 }, in_force: true },
        { rule: "read(secrets/**)", effect: "deny" },
      ],
    });
  });

  test("lists what a write policy lets be written, with its file and hash; gates say what it leaves", async () => {
    const bounded = { metadata: { id: "docs-only" }, allow_writes: ["docs/**"], bash: { verify: ["npm test"] } };
    const file = put(path.join(place.home, "wp.json"), bounded);
    const { stdout } = await policy("show", "--write-policy", file);
    expect(stdout).toMatch(
      /\n {2}from +~\/wp\.json\n {2}id +docs-only\n {2}hash +sha256:[0-9a-f]{64}\n {2}allow_writes +docs\/\*\*\n {2}deny_writes +\.collet\/\*\*\n[\s\S]*\n {2}bash +verify: npm test\n/,
    );
    const shown = (await json("show", "--write-policy", file)).document;
    expect(shown.write_policy_rules).toMatchObject({ file, hash: shown.write_policy, allow_writes: ["docs/**"] });
    const gates = (await policy("gates", "--write-policy", file)).stdout;
    expect(gates).toMatch(/^mode ask, write policy docs-only\n/);
    expect(gates).toMatch(/^ {2}write +asks +the write policy leaves docs\/\*\*, and what is done by .*: npm test$/m);
    expect(gates).toMatch(/^ {2}agent +never asks: denied +by the write policy$/m);
  });

  test("keeps nothing, and makes no state folder", async () => {
    await policy("show");
    await policy("explain", "git push");
    expect(existsSync(place.state)).toBe(false);
  });

  test("tells what is wrong with a broken file, with its line, and so do run and call before anything runs", async () => {
    const file = put(userFile(), '{ "version": 1,\n"allow": ["raed(x)"] }');
    const call = ["call", "write", "--args", '{"path":"new","content":""}'];
    for (const words of [["policy", "show"], ["policy", "explain", "ls"], ["run", "--model", "openai-compatible/x", "hi"], call]) {
      const { status, stdout, stderr } = await collet(words, { place });
      expect({ status, said: stdout + stderr }).toEqual({ status: 2, said: expect.stringContaining(`${file}:2: `) });
      expect(stdout + stderr).toContain("invalid_config");
    }
    expect(existsSync(path.join(place.workspace, "new"))).toBe(false);
  });

  test("shows no control character of a file", async () => {
    put(path.join(place.workspace, ".collet/permissions.json"), { deny: ["command('a\u202eb')"] });
    const { stdout } = await policy("show");
    expect(stdout).toContain("command('a\\u{202e}b')");
    expect(stdout).not.toContain("\u202e");
  });
});

describe("policy explain", () => {
  test("tells what decides each effect, and what would let it through", async () => {
    const { status, stdout } = await policy(
      "explain",
      "npm test && git push > out.txt",
      "--allow",
      "command(npm test)",
      "--deny",
      "write(out.txt)",
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^allow {2}run npm test.*\n {7}by allow command\(npm test\) {2}a flag$/m);
    expect(stdout).toMatch(/^ask {4}run git push.*\n {7}by mode ask: command$/m);
    expect(stdout).toMatch(/^deny {3}write out\.txt.*\n {7}by deny write\(out\.txt\) {2}a flag$/m);
    expect(stdout).toMatch(/^It would be denied, by deny write\(out\.txt\)/m);
    expect((await policy("explain", "git push")).stdout).toContain("--allow 'command(git push $)'");
  });

  test("runs and asks nothing", async () => {
    const { document, status } = await json("explain", "touch made", "--auto");
    expect({ status, outcome: document.decision.outcome }).toEqual({ status: 0, outcome: "allow" });
    expect(existsSync(path.join(place.workspace, "made"))).toBe(false);
  });

  test("names the file that narrows the mode, and trust where a rule of it would allow the call", async () => {
    const rules = { mode: "ask", allow: ["command(npm test)"] };
    put(path.join(place.workspace, ".collet/permissions.json"), rules);
    const { stdout } = await policy("explain", "npm test -- x", "--auto", "--on-ask", "deny");
    expect(stdout).toMatch(/^It would be denied: --on-ask deny says no to every question, and it is one, by mode ask: command$/m);
    expect(stdout).toContain("The mode: narrowed by .collet/permissions.json; no flag widens it.\n");
    expect(stdout).toMatch(
      /^It would be allowed by what is not in force, .*:\n {2}allow command\(npm test\) {2}\.collet\/permissions\.json:1\n.*\n {2}.* trust$/m,
    );
    expect((await policy("explain", "git push")).stdout).not.toContain("not in force");
    expect((await json("explain", "npm test", "--auto")).document).toMatchObject({
      ...{ mode: "ask", on_ask: null, decision: { outcome: "ask" } },
      waiting: { suffice: true, rules: [{ rule: "command(npm test)", in_force: false }] },
    });
    // the call says it as well, beside its answer
    const { stderr } = await collet(["call", "bash", "--auto", "--args", '{"command":"npm test"}'], { place });
    expect(stderr).toMatch(
      /^Mode ask: narrowed by .*\nNot trusted: \.collet\/permissions\.json\. .*; 1 allow rule waits\. .*\n {2}.* trust\n$/,
    );
    expect(await collet(["call", "read", "--args", '{"path":"a.txt"}'], { place })).toMatchObject({ status: 0, stderr: "" });
  });

  test("explains a granted program, and what no rule can allow", async () => {
    const granted = (args: string) => policy("explain", "--grant", "git: status", "--tool", "git", "--args", args);
    expect(await granted('{"args":["push"]}')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^It would be denied: the grant of git/),
    });
    expect((await granted('{"args":["status"]}')).stdout).toMatch(/^\w+ +run git status/);
    expect((await policy("explain", 'eval "$X"')).stdout).toMatch(/^No rule can allow it: .* only when it runs/m);
    expect((await policy("explain", "cat .env")).stdout).toContain(
      "To lift the guard, so that rules and mode decide:\n  --allow 'read(.env)'\n",
    );
    expect((await policy("explain", "echo x > .env", "--read-only")).stdout).not.toContain("To lift the guard");
  });

  test("proposes quotes around the words of a command", async () => {
    expect((await policy("explain", "git", "push")).stderr).toMatch(/ {2}try: .* policy explain 'git push'\n$/);
  });

  test("plans the call of a tool, and says where its plan ends", async () => {
    const edit = JSON.stringify({ path: "a.txt", old_string: "one", new_string: "two" });
    const { document } = await json("explain", "--tool", "edit", "--args", edit, "--allow", "write(a.txt)");
    expect(document).toMatchObject({
      ...{ ok: true, tool: "edit", error: null, decision: { outcome: "allow", rule: "write(a.txt)", effect: 0 } },
      effects: [{ kind: "file.write", sure: "exact" }],
      rulings: [{ outcome: "allow", by: "allow", rule: "write(a.txt)", source: { from: "flag" }, kind: null }],
    });
    const guarded = await json("explain", "--tool", "read", "--args", '{"path":".env"}');
    expect(guarded).toMatchObject({
      status: 0,
      document: {
        decision: { outcome: "deny", source: { from: "guard" } },
        effects: [{ kind: "file.read", path: path.join(place.workspace, ".env") }],
        rulings: [{ outcome: "deny", by: "guard", kind: "protected_path" }],
        error: { kind: "protected_path" },
      },
    });
    const gone = JSON.stringify({ path: "gone", old_string: "a", new_string: "b" });
    expect(await json("explain", "--tool", "edit", "--args", gone)).toMatchObject({
      status: 6,
      document: { decision: null, effects: [], error: { kind: "not_found" } },
    });
  });

  test.each([
    [[]],
    [["a", "--tool", "read", "--args", "{}"]],
    [["--tool", "read"]],
    [["--args", "{}"]],
    [["a", "--allow", "raed(x)"]],
    [["a", "--permission", "none"]],
  ])("refuses %j", async (words) => {
    expect(await policy("explain", ...words)).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("(invalid_args)") });
  });
});

describe("policy test", () => {
  const file = (content: object) => put(path.join(place.root, "policy.json"), content);
  const RULES = { allow: ["command(npm test)"], deny: ["read(secrets/**)"] };

  test("passes where all comes out as expected", async () => {
    const cases = [
      { command: "npm test", expect: "allow", rule: "command(npm test)" },
      { command: "git push", expect: "ask" },
      { tool: "read", args: { path: "secrets/x" }, expect: "deny", rule: "read(secrets/**)" },
      { tool: "write", args: { path: "b", content: "" }, expect: "ask", name: "writes are asked" },
    ];
    // rules of the user have no part in it
    put(userFile(), { deny: ["command(npm)"] });
    expect(await policy("test", file({ ...RULES, cases }))).toMatchObject({
      status: 0,
      stderr: "",
      stdout: "4 passed, 0 failed (the file's own rules)\n",
    });
    expect((await json("test", file({ ...RULES, cases }))).document).toMatchObject({ ok: true, passed: 4, failed: 0, own_policy: true });
  });

  test("shows what did not, with its effects, and ends with 1", async () => {
    const cases = [
      { command: "npm test", expect: "deny", name: "no tests" },
      { command: "npm test", expect: "allow", rule: "command(npm)" },
      { tool: "edit", args: { path: "gone", old_string: "a", new_string: "b" }, expect: "ask" },
    ];
    const { status, stdout } = await policy("test", file({ ...RULES, cases }));
    expect(status).toBe(1);
    expect(stdout).toMatch(/✗ no tests .*policy\.json:1\n {4}expected deny, got allow\n {4}allow {2}run npm test/);
    expect(stdout).toContain("expected allow by command(npm), got allow by command(npm test)");
    expect(stdout).toContain("got it cannot be planned");
    expect(stdout).toContain("0 passed, 3 failed");
  });

  test("tests the calls of granted programs", async () => {
    const cases = [{ tool: "git", args: { args: ["push"] }, expect: "ask" }];
    expect(await policy("test", file({ cases }), "--grant", "git")).toMatchObject({ status: 0 });
    const refused = [{ ...cases[0], expect: "deny" }];
    expect(await policy("test", file({ cases: refused }), "--grant", "git: status")).toMatchObject({ status: 0 });
    expect(await policy("test", file({ cases }), "--grant", "git: status")).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("expected ask, got deny\n"),
    });
  });

  test("tests the rules in force where the file has none", async () => {
    put(userFile(), { deny: ["command(npm)"] });
    const { status, stdout } = await policy("test", file({ cases: [{ command: "npm test", expect: "deny" }] }));
    expect({ status, stdout }).toEqual({ status: 0, stdout: "1 passed, 0 failed (the rules in force here)\n" });
  });

  test.each([
    ["no cases", {}, "no_cases"],
    ["an empty list", { cases: [] }, "no_cases"],
    ["a case without an outcome", { cases: [{ command: "a" }] }, "bad_case"],
    ["both a command and a tool", { cases: [{ command: "a", tool: "read", args: {}, expect: "ask" }] }, "bad_case"],
    ["a member that is not known", { cases: [{ command: "a", expects: "ask", expect: "ask" }] }, "bad_case"],
    ["a rule that is none", { allow: ["x"], cases: [{ command: "a", expect: "ask" }] }, "bad_rule"],
    ["another version", { version: 2, cases: [{ command: "a", expect: "ask" }] }, "bad_version"],
  ])("refuses a file with %s", async (_, content, reason) => {
    const { status, document } = await json("test", file(content));
    expect({ status, error: document.error }).toMatchObject({ status: 2, error: { kind: "invalid_config", details: { reason, line: 1 } } });
  });

  test("refuses a file that is not there", async () => {
    expect((await json("test", "none.json")).document.error).toMatchObject({ kind: "invalid_config", details: { reason: "unreadable" } });
  });
});

test("policy gates tells what can still be asked", async () => {
  expect((await json("gates", "--auto")).document.gates.filter((gate: { can_ask: boolean }) => gate.can_ask)).toEqual([]);
  expect((await policy("gates", "--auto")).stdout).toContain("Nothing is ever asked.");
  const { stdout } = await policy("gates", "--auto", "--ask-for", "write(src/**)");
  expect(stdout).toMatch(/^ {2}write +allowed, asks by rule +ask write\(src\/\*\*\) \(a flag\)$/m);
});

test("policy lint advises, with what to write instead, and is no failure", async () => {
  const { status, stdout } = await policy("lint", "--allow", "command(bash)", "--allow", "command(git *)");
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^warning {2}allow command\(bash\) {2}a flag\n[\s\S]*^hint .*command\(git \*\)[\s\S]*instead: command\(git\)\n2 findings\n$/m,
  );
  expect((await json("lint", "--deny", "command(rm)")).document).toEqual({ ok: true, findings: [] });
  expect((await json("lint", "--grant", "git: log; !log --all")).document.findings).toMatchObject([
    { code: "only_at_the_beginning", rule: "command(git log --all)" },
  ]);
});

describe("policy approvals", () => {
  test("lists nothing, and forgets nothing, where nothing was allowed for good", async () => {
    expect((await json("approvals")).document).toMatchObject({ ok: true, approvals: [] });
    expect(await policy("approvals", "--forget", "read(x)")).toMatchObject({ status: 6, stderr: expect.stringContaining("(not_found)") });
    expect(await policy("approvals", "--forget-all")).toMatchObject({
      status: 0,
      stderr: "0 rules forgotten; sessions that run keep theirs to their end\n",
    });
  });
});

test.each(["show", "lint", "gates", "explain", "test", "approvals"])("policy %s has help with an example", async (name) => {
  const { status, stdout } = await policy(name, "--help");
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(new RegExp(`Examples?:\\n  collet policy ${name}`)) });
});
