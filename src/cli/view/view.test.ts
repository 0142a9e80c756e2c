import pc from "picocolors";
import { describe, expect, test } from "vitest";
import type { Effect } from "../../base/effect.ts";
import { foldSession, type LoggedData, type LoggedEvent } from "../../log/index.ts";
import type { Output } from "../output.ts";
import { createLiveView, type LiveViewOptions } from "./live-view.ts";
import { sessionText } from "./session-text.ts";

const HASH = "0".repeat(64);
const WORKSPACE = "/work/space";
const colors = pc.createColors(false);

function script(...parts: { [Type in keyof LoggedData]: readonly [Type, LoggedData[Type]] }[keyof LoggedData][]): LoggedEvent[] {
  return parts.map(([type, data], seq) => {
    const ts = new Date(Date.UTC(2026, 10, 30, 12, 0, 0, seq * 100)).toISOString();
    // each pair's data belongs to its type
    return { v: 1, seq, epoch: 1, id: `e${seq}`, session_id: "s1", ts, type, data } as LoggedEvent;
  });
}

async function live(events: readonly LoggedEvent[], omit: LiveViewOptions["omit"] = []): Promise<string> {
  let text = "";
  const output: Output = {
    isTerminal: false,
    columns: () => null,
    proseColumns: () => 80,
    rows: () => null,
    isScreen: false,
    colors,
    gone: new AbortController().signal,
    leave: () => {},
    async write(more) {
      text += more;
    },
    flush: async () => null,
  };
  const view = createLiveView({ output, place: { workspace: WORKSPACE, stateDir: "/nowhere", home: null }, omit });
  for (const event of events) await view.event(event);
  return text;
}

const write: Effect = {
  kind: "file.write",
  sure: "exact",
  path: `${WORKSPACE}/src/a.ts`,
  before: { sha256: HASH, size_bytes: 2048, mode: 0o644 },
  after: { sha256: HASH, size_bytes: 10, mode: 0o644 },
  diff: "--- a\n+++ b\n@@ -1 +1 @@\n-old \u001b[2J\n+new\n",
};
const started = { plan_sha256: HASH, recovery: "unknown", before_images: [] } as const;
const builtin = { rule: "mode ask", source: { from: "builtin" }, effect: 0 } as const;

const turn = script(
  [
    "session_started",
    {
      collet: "0.1.0",
      workspace: WORKSPACE,
      cwd: WORKSPACE,
      mode: "ask",
      rules: [{ rule: "write(src/**)", effect: "allow", source: { from: "flag" } }],
      tools_sha256: HASH,
    },
  ],
  ["user_message", { text: "Change it." }],
  ["model_request", { model: "m/n", request_sha256: HASH, iteration: 1 }],
  ["assistant_message", { text: "I change it.", call_ids: ["c1", "c2", "c3"], stop_reason: "tool_calls" }],
  ["tool_call", { call_id: "c1", provider_call_id: "x", name: "edit", args: { path: "src/a.ts" } }],
  ["tool_call", { call_id: "c2", provider_call_id: "y", name: "bash", args: { command: "git push\n" } }],
  ["tool_call", { call_id: "c3", provider_call_id: "z", name: "bash\u202e\nx", args: "{broken" }],
  [
    "permission_decision",
    {
      call_id: "c1",
      plan_sha256: HASH,
      effects: [write],
      decision: { outcome: "allow", rule: "write(src/**)", source: { from: "flag" }, effect: 0 },
    },
  ],
  ["tool_started", { call_id: "c1", effects: [write], ...started }],
  ["tool_result", { call_id: "c1", ok: true, details: {}, output: "Edited src/a.ts (replacements: 1)." }],
  [
    "permission_decision",
    {
      call_id: "c2",
      plan_sha256: HASH,
      effects: [{ kind: "command", sure: "open", argv: ["git", "push", "a b"], cwd: WORKSPACE }],
      decision: { outcome: "deny", reason: "nobody_to_ask", ...builtin },
    },
  ],
  [
    "tool_result",
    {
      call_id: "c2",
      ok: false,
      details: {},
      error: {
        kind: "permission_denied",
        message: "not allowed",
        details: { reason: "nobody_to_ask", would_allow: ["command(git push)"] },
      },
    },
  ],
  ["tool_result", { call_id: "c3", ok: false, details: {}, error: { kind: "invalid_args", message: "no JSON", details: {} } }],
  ["model_request", { model: "m/n", request_sha256: HASH, iteration: 2 }],
  ["assistant_message", { text: "Done.", call_ids: [], stop_reason: "stop" }],
  ["turn_ended", { status: "done", error: null, head: HASH }],
);

describe("the view of a session", () => {
  test("is the same live and from the log", async () => {
    expect(await live(turn)).toBe(sessionText(foldSession(turn), { colors, workspace: WORKSPACE }));
  });

  test("shows plan, decision and result of each call", async () => {
    expect((await live(turn)).split("\n")).toEqual([
      "session s1 · mode ask · allow write(src/**) · in /work/space",
      "",
      "> Change it.",
      "",
      "┃ I change it.",
      "",
      "● edit path=src/a.ts",
      "  plan      write src/a.ts, 2.0 KiB to 10 bytes",
      "            --- a",
      "            +++ b",
      "            @@ -1 +1 @@",
      "            -old \\x1b[2J",
      "            +new",
      "  decision  allowed by --allow 'write(src/**)'",
      "  result    done after 100 ms: Edited src/a.ts (replacements: 1).",
      "",
      '● bash command="git push\\n"',
      "  plan      run git push 'a b'  (with all that the program may do)",
      "  decision  refused: it would have been asked about, and nobody is asked (mode ask)",
      "  result    permission_denied: not allowed",
      "            what would allow it:",
      "              --allow 'command(git push)'",
      "            or a yes at a terminal, without --on-ask deny",
      "",
      "● bash\\u{202e}\\nx {broken",
      "  result    invalid_args: no JSON",
      "",
      "┃ Done.",
      "",
      "done",
      "",
    ]);
  });

  test("leaves prompt and final answer to standard output where that has them", async () => {
    const text = await live(turn, ["prompt", "answer"]);
    expect(text).toContain("I change it.");
    expect(text).not.toContain("> Change it.");
    expect(text).not.toContain("Done.");
  });

  test("shows an answer that standard output does not get, because the turn failed", async () => {
    const cut = script(
      ["user_message", { text: "Go." }],
      ["model_request", { model: "m/n", request_sha256: HASH, iteration: 1 }],
      ["assistant_message", { text: "Half an ans", call_ids: [], stop_reason: "length" }],
      ["turn_ended", { status: "over_budget", error: { kind: "budget_exceeded", message: "cut", details: {} }, head: HASH }],
    );
    expect(await live(cut, ["prompt", "answer"])).toBe("\n┃ Half an ans\n");
  });

  test("shows reads beside each other one after the other, each whole", async () => {
    const read = (call_id: string) => ["tool_call", { call_id, provider_call_id: null, name: "read", args: {} }] as const;
    const start = (call_id: string) => ["tool_started", { call_id, effects: [], ...started }] as const;
    const end = (call_id: string, output: string) => ["tool_result", { call_id, ok: true, details: {}, output, decision: "mode" }] as const;
    const text = await live(script(read("a"), read("b"), start("a"), start("b"), end("b", "2"), end("a", "1")));
    expect(text.match(/● read|done.*/g)).toEqual(["● read", "done after 100 ms: 2", "● read", "done after 300 ms: 1"]);
  });

  test("names a call again when another one's lines stand in between", async () => {
    const call = (call_id: string) => ["tool_call", { call_id, provider_call_id: null, name: "fetch", args: {} }] as const;
    const allow = (call_id: string) =>
      [
        "permission_decision",
        {
          call_id,
          plan_sha256: HASH,
          effects: [],
          decision: { outcome: "allow", rule: "mode auto", source: { from: "builtin" }, effect: null },
        },
      ] as const;
    const end = (call_id: string) => ["tool_result", { call_id, ok: true, details: {}, output: "" }] as const;
    const text = await live(script(call("a"), call("b"), allow("a"), allow("b"), end("a"), end("b")));
    expect(text.match(/● fetch/g)).toHaveLength(4);
  });

  test("cuts a long output to head and tail, and says how much is left out", async () => {
    const output = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join("\n");
    const run = script(
      ["tool_call", { call_id: "c", provider_call_id: null, name: "bash", args: {} }],
      ["tool_result", { call_id: "c", ok: false, details: { exit_code: 3, duration_ms: 61_000, ended_by: "exit" }, output }],
    );
    const text = await live(run);
    expect(text).toContain("exit 3 after 1 min 1 s");
    expect(text).toContain("│ line 12\n            │ … 78 lines …\n            │ line 91\n");
    expect(text.endsWith("│ line 100\n")).toBe(true);
  });

  test("has no line longer than a screen, and no list without end, whatever a model calls", async () => {
    const huge = "x".repeat(2 ** 20);
    const run = (argv: readonly string[]): Effect => ({ kind: "command", sure: "open", argv, cwd: WORKSPACE });
    const effects = [run([huge]), { ...write, path: `${WORKSPACE}/${huge}`, diff: `+${huge}` }, ...Array(1000).fill(run(["true"]))];
    const decision = { outcome: "allow", rule: `command(${huge})`, source: { from: "flag" }, effect: 0 } as const;
    const events = script(
      ["tool_call", { call_id: "c", provider_call_id: null, name: huge, args: { [huge]: huge } }],
      ["permission_decision", { call_id: "c", plan_sha256: HASH, effects, decision }],
      ["tool_result", { call_id: "c", ok: true, details: { exit_code: 0, duration_ms: 1 }, output: huge }],
    );
    const text = await live(events);
    expect(text.length).toBeLessThan(30_000);
    expect(text).toContain("… 962 effects more");
    expect(text).toBe(sessionText(foldSession(events), { colors, workspace: WORKSPACE }).replace(/^.*\n/, ""));
  });
});
