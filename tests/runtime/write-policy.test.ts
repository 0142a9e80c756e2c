import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/index.ts";
import { narrowWritePolicy, type RuntimeOptions, readWritePolicy, scripted } from "../../src/node.ts";
import { codingTools } from "../../src/tools/index.ts";
import { dataOf, makePlace, open, type Place } from "./place.ts";

const POLICY = {
  version: 1,
  metadata: { id: "ui-work" },
  allow_writes: ["src/ui/**", "linked/**"],
  deny_writes: ["src/ui/legal.txt"],
  bash: { verify: ["sh check.sh"] },
};

const FILES = { "src/ui/a.txt": "a\n", "src/core/b.txt": "b\n", "src/ui/legal.txt": "c\n", "check.sh": "echo checked > src/core/left.txt" };

async function turn(place: Place, calls: readonly { name: string; args: object }[], options: Partial<RuntimeOptions> = {}) {
  const model = scripted([{ calls: calls.map(({ name, args }) => ({ name, args: { ...args } })) }, { text: "Done." }]);
  const { runtime, events } = await open(place, { model, writePolicy: POLICY, ...options });
  const end = await (await runtime.session()).run("Do it.").result;
  const ended = dataOf(events, "tool_result").map(({ ok, error }) => (ok ? "ok" : (error?.kind ?? "exit")));
  return { end, events, ended };
}

const write = (path: string) => ({ name: "write", args: { path, content: "new\n", overwrite: true } });
const bash = (command: string) => ({ name: "bash", args: { command } });

describe("under a write policy", () => {
  test("what it allows is written, and what it denies ends the turn before the calls behind it", async () => {
    const place = makePlace(FILES);
    const { end, ended, events } = await turn(place, [write("src/ui/a.txt"), write("src/core/b.txt"), write("src/ui/c.txt")]);
    expect(ended).toEqual(["ok", "write_policy_denied", "cancelled"]);
    const { hash } = readWritePolicy(POLICY);
    expect(end).toMatchObject({
      status: "failed",
      error: {
        kind: "write_policy_denied",
        details: {
          reason: "no_allow_match",
          policy_id: "ui-work",
          hash,
          source: { from: "write_policy" },
          next_actions: ["request_policy_expansion", "write_within_allowed_globs"],
        },
      },
    });
    expect(dataOf(events, "turn_ended")).toMatchObject([{ status: "failed", error: { kind: "write_policy_denied" } }]);
    expect(dataOf(events, "session_started")).toMatchObject([{ write_policy_sha256: hash.slice("sha256:".length) }]);
    expect(readFileSync(join(place.workspace, "src/core/b.txt"), "utf8")).toBe("b\n");
    expect(existsSync(join(place.workspace, "src/ui/c.txt"))).toBe(false);
  });

  test("a shell that would change something is refused, and the turn goes on", async () => {
    const place = makePlace(FILES);
    const scripts = ["echo x > src/ui/d.txt", "sh check.sh; true", "sh check.sh > src/ui/e.txt", "sh check.sh <<< y", "X=1 sh check.sh"];
    const { end, ended } = await turn(place, [...scripts.map(bash), write("src/ui/a.txt")]);
    expect(ended).toEqual([...scripts.map(() => "bash_disabled"), "ok"]);
    expect(end.status).toBe("done");
    expect(existsSync(join(place.workspace, "src/core/left.txt"))).toBe(false);
  });

  test("a verify command runs, in the workspace alone", async () => {
    const place = makePlace({ ...FILES, "src/check.sh": "touch made" });
    const there = { name: "bash", args: { command: "sh check.sh", cwd: "src" } };
    const { ended } = await turn(place, [there, bash(" sh 'check.sh'\n")]);
    expect(ended).toEqual(["bash_disabled", "ok"]);
    expect(existsSync(join(place.workspace, "src/core/left.txt"))).toBe(true);
    expect(existsSync(join(place.workspace, "src/made"))).toBe(false);
  });

  test("a file counts by its real path, whatever links lead to it", async () => {
    const place = makePlace(FILES);
    mkdirSync(join(place.workspace, "linked"));
    symlinkSync("../src/core", join(place.workspace, "linked/core"));
    symlinkSync("../src/ui/a.txt", join(place.workspace, "linked/a.txt"));
    linkSync(join(place.workspace, "src/core/b.txt"), join(place.workspace, "src/ui/b.txt"));
    const { runtime } = await open(place, { writePolicy: POLICY });
    const answerTo = (path: string) => runtime.call("write", write(path).args);
    expect(await answerTo("linked/core/b.txt")).toMatchObject({ error: { kind: "write_policy_denied" } });
    expect(await answerTo("linked/a.txt")).toMatchObject({ ok: true });
    // the other name of the file keeps its content: a file is replaced, not written into
    expect(await answerTo("src/ui/b.txt")).toMatchObject({ ok: true });
    expect(readFileSync(join(place.workspace, "src/core/b.txt"), "utf8")).toBe("b\n");
    const legal = { details: { reason: "deny_match", matched_rule: "src/ui/legal.txt" } };
    expect(await answerTo("src/ui/legal.txt")).toMatchObject({ error: legal });
    expect(await answerTo("src/ui/.env.example")).toMatchObject({ error: { details: { reason: "protected_path" } } });
  });

  test("a tool that does anything but write files is refused", async () => {
    const tools = [
      ...codingTools(),
      defineTool({ name: "fetch", description: "", parameters: z.strictObject({}), effects: [network], execute: () => "" }),
      defineTool({ name: "guess", description: "", parameters: z.strictObject({}), execute: () => "" }),
      defineTool({ name: "sum", description: "", parameters: z.strictObject({}), effects: [], execute: () => "2" }),
    ];
    const { runtime } = await open(makePlace(FILES), { tools, writePolicy: POLICY });
    for (const name of ["fetch", "guess"]) {
      expect(await runtime.call(name, {})).toMatchObject({
        error: { kind: "write_policy_denied", details: { reason: "unsupported_mutating_tool" } },
      });
    }
    expect(await runtime.call("sum", {})).toMatchObject({ ok: true });
    expect(await runtime.call("read", { path: "src/core/b.txt" })).toMatchObject({ ok: true });
  });

  test("a dry run says what a call would meet", async () => {
    const { runtime } = await open(makePlace(FILES), { writePolicy: POLICY });
    expect(await runtime.call("write", write("src/core/b.txt").args, { dryRun: true })).toMatchObject({
      ok: true,
      decision: { outcome: "deny", reason: "no_allow_match", source: { from: "write_policy" } },
    });
  });

  test("a narrowed policy is taken as it was given, and an altered one is not", async () => {
    const place = makePlace(FILES);
    const narrow = narrowWritePolicy(POLICY, { version: 1, allow_writes: ["src/ui/a.txt"] });
    const { runtime } = await open(place, { writePolicy: narrow });
    expect(await runtime.call("write", write("src/ui/a.txt").args)).toMatchObject({ ok: true });
    expect(await runtime.call("write", write("src/ui/z.txt").args)).toMatchObject({ error: { kind: "write_policy_denied" } });
    const altered = { ...narrow, allow_writes: ["**/*"] };
    await expect(open(place, { writePolicy: altered })).rejects.toMatchObject({
      kind: "invalid_args",
      details: { reason: "hash_mismatch", stored_hash: narrow.hash },
    });
  });

  test.each([7, "src/**", [], {}, { version: 1 }])("no runtime is made with a policy that is none: %j", async (writePolicy) => {
    await expect(open(makePlace(), { writePolicy })).rejects.toMatchObject({ kind: "invalid_args" });
  });
});

const network = { kind: "network", sure: "declared", host: "a.example", port: 443 } as const;
