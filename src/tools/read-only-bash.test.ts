import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { localSandbox, memorySandbox, type SandboxPort } from "../sandbox/index.ts";
import { callOf, planOf } from "../testing/direct-call.ts";
import { readOnlyBash } from "./read-only-bash.ts";
import { readOnlyTools } from "./read-only-tools.ts";

let base: string;
let ws: string;
let sandbox: SandboxPort;

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "collet-read-only-")));
  ws = join(base, "ws");
  mkdirSync(join(ws, "src"), { recursive: true });
  writeFileSync(join(ws, "a.txt"), "one\ntwo\n");
  writeFileSync(join(base, "outside.txt"), "outside\n");
  sandbox = await localSandbox({ workspace: ws, home: base, hostEnv: { PATH: "/usr/bin:/bin", HOME: base }, clock: systemClock });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

test("the tools that only read are read and bash", () => {
  expect(readOnlyTools().map(({ name }) => name)).toEqual(["read", "bash"]);
  expect(readOnlyBash.effectKinds).toEqual(["command", "file.read"]);
});

test.each([
  "cat a.txt",
  "grep -rn one . | wc -l",
  "ls -la src 2>/dev/null",
  "head -n1 a.txt; cat <<E\nhere\nE",
  "cat /etc/os-release",
  "find . -name '*.txt' | sort | head",
  'for f in a.txt; do wc -l "$f"; done',
])("a script that only reads is planned as that: %s", async (command) => {
  const { effects } = await planOf(readOnlyBash, { command }, sandbox);
  expect(effects).not.toEqual([]);
  for (const effect of effects) expect(effect).toMatchObject(effect.kind === "command" ? { sure: "declared" } : { kind: "file.read" });
});

test.each([
  ["echo x > a.txt", "file.write", { path: () => join(ws, "a.txt") }],
  ["cat a.txt | tee b.txt", "file.write", { path: () => join(ws, "b.txt") }],
  ["sed -n 'w b.txt' a.txt", "file.write", {}],
  ["sed -i s/one/two/ a.txt", "file.write", {}],
  ["sort -o b.txt a.txt", "file.write", {}],
  ["git diff --no-index --output=b.txt a.txt a.txt", "command", {}],
  ["rm a.txt", "file.delete", { path: () => join(ws, "a.txt") }],
  ["find . -delete", "file.delete", {}],
  ["find . -exec touch {} +", "file.write", {}],
  ["echo a.txt | xargs touch", "file.write", { path: () => join(ws, "a.txt") }],
  ["node -e 0", "command", {}],
  ["no-such-program", "command", {}],
  ["cat ../outside.txt", "file.read", { path: () => join(base, "outside.txt") }],
  ["cat ~/outside.txt", "file.read", {}],
  ['eval "$X"', "command", {}],
  ["echo $(touch b.txt)", "file.write", { path: () => join(ws, "b.txt") }],
  [": < /dev/tcp/127.0.0.1/1", "network", {}],
  ["bash -c 'echo x > b.txt'", "file.write", {}],
  ["if", "unknown", {}],
] as const)("a script that may do more is refused, and told by what: %s", async (command, effect, more) => {
  const result = await callOf(readOnlyBash, { command }, sandbox);
  const path = "path" in more ? { path: more.path() } : {};
  expect(result).toMatchObject({ ok: false, error: { kind: "bash_disabled", details: { reason: "read_only_tool", ...path } } });
  // "command": the program may be known by what it writes, or not at all
  if (effect !== "command") expect(result).toMatchObject({ error: { details: { effect } } });
});

test("says how it was confined, and keeps what any command's result has", async () => {
  const result = await callOf(readOnlyBash, { command: "cat a.txt; cat nowhere.txt" }, sandbox);
  expect(result).toMatchObject({
    ok: false,
    exit_code: 1,
    ended_by: "exit",
    confined_by: expect.toSatisfy((by) => ["bwrap", "unshare", null].includes(by)),
  });
  const text = (result as { output: string }).output;
  expect(text).toContain("one\ntwo\ncat: nowhere.txt");
  expect(text.includes("[not confined")).toBe((result as { confined_by?: unknown }).confined_by === null);
});

test("in a sandbox that confines nothing the result says so", async () => {
  const careless: SandboxPort = { ...sandbox, exec: async (request) => sandbox.exec({ ...request, confine: undefined } as typeof request) };
  const result = await callOf(readOnlyBash, { command: "cat a.txt" }, careless);
  expect(result).toMatchObject({ ok: true, confined_by: null, output: expect.stringMatching(/^one\ntwo\n\[not confined: /) });
});

test("there is none where there are no processes", async () => {
  expect(await callOf(readOnlyBash, { command: "ls" }, memorySandbox())).toMatchObject({
    error: { kind: "bash_disabled", details: { sandbox: "memory" } },
  });
});
