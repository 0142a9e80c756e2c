import { describe, expect, test } from "vitest";
import { effectsMisfit } from "../base/effect-check.ts";
import type { JsonObject } from "../base/json.ts";
import { checkEvent } from "./pure.ts";

const SHA = "0".repeat(64);
const VERSION = { sha256: SHA, size_bytes: 1, mode: 0o644 };

const READ = { kind: "file.read", sure: "declared", path: "/w/a" };
const WRITE = { kind: "file.write", sure: "exact", path: "/w/a", before: null, after: VERSION, diff: "" };
const DELETE = { kind: "file.delete", sure: "exact", path: "/w/a", before: VERSION };
const COMMAND = { kind: "command", sure: "declared", argv: ["ls"], cwd: "/w" };
const NETWORK = { kind: "network", sure: "declared", host: "example.com", port: 443 };
const AGENT = { kind: "agent", sure: "declared", name: "helper" };
const UNKNOWN = { kind: "unknown", sure: "open", reason: "no effects" };

/** What the log says of a plan with this effect. */
function logged(effect: JsonObject) {
  const data = { call_id: "c1", plan_sha256: SHA, effects: [effect], recovery: "unknown", before_images: [] };
  const ts = "2026-11-30T12:00:00.000Z";
  return checkEvent({ v: 1, seq: 0, epoch: 1, id: "e", session_id: "s", ts, type: "tool_started", data });
}

describe("an effect is the same to a tool's author and to the log", () => {
  test.each<[JsonObject]>([
    [READ],
    [{ ...READ, tree: true, also: ["/w/b"] }],
    [WRITE],
    [{ ...WRITE, before: VERSION, also: [] }],
    [{ kind: "file.write", sure: "open", path: "/w", tree: true }],
    [DELETE],
    [{ kind: "file.delete", sure: "declared", path: "/w/a" }],
    [COMMAND],
    [{ ...COMMAND, program: null }],
    [{ ...COMMAND, program: ["/usr/bin/ls"] }],
    [NETWORK],
    [{ ...NETWORK, port: 0 }],
    [{ ...NETWORK, port: 65_535 }],
    [AGENT],
    [UNKNOWN],
  ])("%j fits", (effect) => {
    expect([effectsMisfit([effect]), logged(effect)]).toEqual([undefined, undefined]);
  });

  test.each<[JsonObject, string, JsonObject[string]]>([
    [READ, "/kind", "file.reed"],
    [READ, "/kind", ["file.read"]],
    [READ, "/kind", { toString: 1 }],
    [READ, "/kind", undefined],
    [READ, "/sure", "perhaps"],
    [READ, "/path", undefined],
    [READ, "/path", 7],
    [READ, "/tree", "yes"],
    [READ, "/tree", false],
    [READ, "/also", 5],
    [READ, "/also/0", [5]],
    [WRITE, "/sure", "perhaps"],
    [WRITE, "/before", undefined],
    [WRITE, "/after", null],
    [WRITE, "/after/sha256", { ...VERSION, sha256: "abc" }],
    [WRITE, "/after/size_bytes", { ...VERSION, size_bytes: -1 }],
    [WRITE, "/after/mode", { ...VERSION, mode: 0.5 }],
    [WRITE, "/before/sha256", { ...VERSION, sha256: SHA.replace("0", "A") }],
    [WRITE, "/diff", undefined],
    [DELETE, "/before", null],
    [COMMAND, "/sure", "exact"],
    [COMMAND, "/argv", "ls"],
    [COMMAND, "/argv", []],
    [COMMAND, "/argv/0", [1]],
    [COMMAND, "/cwd", undefined],
    [COMMAND, "/program", "/usr/bin/ls"],
    [NETWORK, "/sure", "exact"],
    [NETWORK, "/host", null],
    [NETWORK, "/port", -1],
    [NETWORK, "/port", 65_536],
    [NETWORK, "/port", "443"],
    [AGENT, "/sure", "exact"],
    [AGENT, "/name", undefined],
    [UNKNOWN, "/sure", "exact"],
    [UNKNOWN, "/sure", "declared"],
    [UNKNOWN, "/reason", undefined],
  ])("%j does not fit with %s: %j", (effect, pointer, value) => {
    const wrong = { ...effect, [pointer.split("/")[1] ?? ""]: value };
    expect(effectsMisfit([wrong])).toMatchObject({ pointer: `/0${pointer}` });
    expect(logged(wrong)).toMatchObject({ kind: "corrupt_log_line", pointer: `/data/effects/0${pointer}` });
  });
});
