import pc from "picocolors";
import { expect, test } from "vitest";
import type { Question } from "../../node.ts";
import { questionText } from "./question-text.ts";

const look = { workspace: "/w", colors: pc.createColors(false) };
const base: Omit<Question, "tool" | "args" | "effects"> = {
  session_id: "s",
  call_id: "c1",
  agent: { id: "main", name: "main", depth: 0 },
  plan_sha256: "0",
  decision: { outcome: "ask", rule: "mode ask", source: { from: "builtin" }, effect: 0 },
  offers: ["command(npm test $)", "command(npm test)"],
  narrowest: 1,
  covers: {},
  no_offer: null,
  again: false,
  changed: false,
  scopes: ["session"],
};

test("a question shows the whole command, each effect, the rule that asks and the rules that would not", () => {
  const command = `npm test\n${"x".repeat(5000)} # \u202eend`;
  const text = questionText(
    {
      ...base,
      tool: "bash",
      args: { command, timeout: 5 },
      effects: [
        { kind: "command", sure: "open", argv: ["npm", "test"], cwd: "/w/sub" },
        { kind: "file.write", sure: "open", path: "/etc/hosts" },
        { kind: "unknown", sure: "open", reason: "a loop" },
      ],
    },
    look,
  );
  expect(text.split("\n")).toEqual([
    "",
    "? the model wants to use bash",
    "  command:",
    "    npm test",
    `    ${"x".repeat(5000)} # \\u{202e}end`,
    "  timeout: 5",
    "  Asked by: mode ask",
    "  Because: no rule allows it, and the mode asks about all but reads inside",
    "  To skip this question:",
    "    --allow 'command(npm test $)'",
    "    or, wider:",
    "    --allow 'command(npm test)'",
    "  It will:",
    "    run npm test  (in sub; with all that the program may do)",
    "    write /etc/hosts  (at least)",
    "    do anything: a loop",
    "",
  ]);
});

test("a question shows the whole diff of an exact write, and no arguments beside it", () => {
  const diff = Array.from({ length: 300 }, (_, index) => `+line ${index}`).join("\n");
  const version = { sha256: "0", size_bytes: 1, mode: 0o644 };
  const text = questionText(
    {
      ...base,
      offers: [],
      tool: "write",
      args: { path: "a", content: "secret-free" },
      effects: [{ kind: "file.write", sure: "exact", path: "/w/a", before: null, after: version, diff }],
    },
    look,
  );
  expect(text).toContain("create a, 1 byte\n    +line 0\n");
  expect(text).toContain("    +line 299\n");
  expect(text).not.toContain("content:");
});

test("a question ends with all effects, however many, and says where a command runs only if cd works", () => {
  const run = (argv: readonly string[], cwd: string) => ({ kind: "command", sure: "open", argv, cwd }) as const;
  const effects = [run(["cd", "sub"], "/w"), ...Array.from({ length: 900 }, (_, index) => run(["echo", String(index)], "/w/sub"))];
  const offers = effects.map(({ argv }) => `command(${argv.join(" ")} $)`);
  const lines = questionText({ ...base, tool: "bash", args: { command: "x" }, effects, offers, narrowest: offers.length }, look).split(
    "\n",
  );
  expect(lines.at(-2)).toBe("    run echo 899  (in sub, if cd gets there; with all that the program may do)");
  expect(lines.filter((line) => line.includes("run echo"))).toHaveLength(900);
  expect(lines.filter((line) => line.includes("--allow"))).toHaveLength(9);
  expect(lines).toContain("    … 892 more");
});

test.each([
  ["a path that is what it says", "./run", ["/w/run"], ""],
  ["a link", "./run", ["/w/run", "/w/tools/run.sh"], "which is tools/run.sh; "],
  ["a link to elsewhere", "./run", ["/w/run", "/usr/bin/env"], "which is /usr/bin/env; "],
  ["a place that cannot be told", "/proc/self/cwd/run", null, "which program this is cannot be told; "],
])("a question says where the program of a command leads: %s", (_, spelled, program, remark) => {
  const effects = [{ kind: "command", sure: "open", argv: [spelled], cwd: "/w", program }] as const;
  const text = questionText({ ...base, tool: "bash", args: { command: spelled }, effects }, look);
  expect(text).toContain(`    run ${spelled}  (${remark}with all that the program may do)\n`);
});

test.each<[string, Partial<Question>, readonly string[]]>([
  [
    "an ask rule, of a file below the home folder",
    {
      decision: { outcome: "ask", rule: "command(git)", source: { from: "file", file: "/home/u/.config/p.json", line: 3 }, effect: 0 },
      no_offer: "ask command(git) asks each time, and ask beats allow",
    },
    [
      "  Asked by: command(git) (~/.config/p.json:3)",
      "  Because: this rule wants every such call to be asked about",
      "  No rule can be kept for it: ask command(git) asks each time, and ask beats allow",
    ],
  ],
  [
    "what is not known",
    { effects: [{ kind: "unknown", sure: "open", reason: "`eval` runs \u202e" }], no_offer: "no rule allows that" },
    ["  Asked by: mode ask", "  Because: `eval` runs \\u{202e}", "  No rule can be kept for it: no rule allows that"],
  ],
])("a question without a rule to keep says why it is asked, and why there is none: %s", (_, more, lines) => {
  const effects = [{ kind: "command", sure: "open", argv: ["git"], cwd: "/w" }] as const;
  const text = questionText({ ...base, tool: "bash", args: {}, effects, offers: [], ...more }, { ...look, home: "/home/u" });
  expect(text).toContain(`${lines.join("\n")}\n  It will:`);
});
