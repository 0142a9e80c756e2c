import pc from "picocolors";
import { describe, expect, test } from "vitest";
import type { Question } from "../node.ts";
import type { Keyboard } from "./keyboard.ts";
import type { Output } from "./output.ts";
import { type AskerOptions, createTerminalAsker } from "./terminal-asker.ts";

const question = { tool: "bash", args: { command: "x" }, offers: [], narrowest: 0, scopes: ["session"] } as unknown as Question;

interface Scene {
  /** What was typed before the question stood there, and after. */
  readonly early?: readonly string[];
  readonly keys: readonly string[];
  /** Of the screen; without it, all fits. */
  readonly rows?: number;
  readonly text?: string;
  readonly offers?: readonly string[];
  readonly covers?: Question["covers"];
  readonly columns?: number;
  readonly inEditor?: AskerOptions["inEditor"];
}

/** A keyboard whose keys come from a list, and a screen that is a text. */
function scene({ early = [], keys, rows, text = "THE WHOLE QUESTION\n", offers = [], covers = {}, columns, inEditor = null }: Scene) {
  const seen = { text: "", interrupts: 0, held: 0, closed: 0, drained: [] as string[] };
  const screen: Output = {
    isTerminal: true,
    columns: () => columns ?? null,
    proseColumns: () => 80,
    rows: () => rows ?? null,
    isScreen: true,
    colors: pc.createColors(false),
    gone: new AbortController().signal,
    leave: () => {},
    async write(text) {
      seen.text += text.replace(/\u001b\[\?2004[hl]/g, "");
    },
    flush: async () => null,
  };
  const typed = [...keys];
  const keyboard: Keyboard = {
    next: async (signal) => (signal.aborted ? null : (typed.shift() ?? null)),
    async drain() {
      seen.drained.push(seen.text);
      return early.includes("\u0003") ? "\u0003" : null;
    },
    close: () => seen.closed++,
  };
  const ask = createTerminalAsker({
    screen,
    keyboard: () => keyboard,
    render: () => text,
    wrap: (text) => text,
    inEditor,
    hold: () => {
      seen.held++;
      return () => seen.held--;
    },
    interrupt: () => seen.interrupts++,
  });
  return {
    seen,
    ask: (signal = new AbortController().signal) => ask({ ...question, offers, covers, narrowest: Math.min(1, offers.length) }, { signal }),
  };
}

describe("a question at the terminal", () => {
  test.each([
    ["y allows once", ["y"], { answer: "allow" }],
    ["n and Enter deny", ["n", "\r"], { answer: "deny" }],
    ["n and words deny with a reason", ["n", "not ", "now", "\r"], { answer: "deny", reason: "not now" }],
    ["the reason can be mended", ["n", "nk\u007f\u007fno", "\u001b[D", "\r"], { answer: "deny", reason: "no" }],
    ["help and wrong keys ask again", ["?", "x", "\r", "y"], { answer: "allow" }],
    ["y in one piece with an end of a line allows once", ["y\r"], { answer: "allow" }],
    ["n in one piece with an end of a line denies without a reason", ["n\n"], { answer: "deny" }],
    ["n with both ends of a line does too", ["n\r\n"], { answer: "deny" }],
    ["a letter with more than an end of a line is no key", ["y\r\r", "y y", "yy", "\ry", "y\ny\n", "n", "\r"], { answer: "deny" }],
    ["a paste is no key", ["yes\r", "n", "\r"], { answer: "deny" }],
    ["an escape sequence is no key", ["\u001b[y", "n", "\r"], { answer: "deny" }],
  ])("%s", async (_, keys, answer) => {
    const { ask, seen } = scene({ keys });
    expect(await ask()).toEqual(answer);
    expect(seen).toMatchObject({ interrupts: 0, held: 0, closed: 1 });
  });

  test("stands there whole before typed-ahead keys are thrown away and a key counts", async () => {
    const { ask, seen } = scene({ keys: ["y"] });
    await ask();
    expect(seen.drained).toEqual(["THE WHOLE QUESTION\n"]);
  });

  test("is told once which keys count, and its answer stands on a line of its own", async () => {
    const { ask, seen } = scene({ keys: ["x", "x", "y"] });
    await ask();
    expect(seen.text.split("\n").slice(1)).toEqual([
      expect.stringMatching(/^\[y\] /),
      "press y, n or c",
      expect.stringMatching(/^\[y\] /),
      "allowed once",
      "",
    ]);
  });

  test.each([
    ["at the choices", { keys: ["\u0003"] }],
    ["in one piece with other keys", { keys: ["y\u0003"] }],
    ["after an arrow key in the reason", { keys: ["n", "\u001b[D\u0003"] }],
    ["on the way to the end", { keys: ["\u0003"], rows: 3, text: "1\n2\n3\n4\n" }],
    ["in the reason", { keys: ["n", "wh\u0003"] }],
    ["typed ahead", { early: ["\u0003"], keys: ["y"] }],
  ])("Ctrl-C %s interrupts the turn", async (_, what: Scene) => {
    const { ask, seen } = scene(what);
    expect(await ask()).toMatchObject({ answer: "deny" });
    expect(seen.interrupts).toBe(1);
    expect(seen.text).not.toContain("denied");
  });

  test("a terminal that goes away denies", async () => {
    expect(await scene({ keys: [] }).ask()).toMatchObject({ answer: "deny" });
  });

  test("an aborted signal closes it without a question", async () => {
    const { ask, seen } = scene({ keys: ["y"] });
    expect(await ask(AbortSignal.abort())).toEqual({ answer: "deny" });
    expect(seen.text).toBe("");
  });

  test("comes one at a time", async () => {
    const { ask, seen } = scene({ keys: ["y", "n", "\r"] });
    expect(await Promise.all([ask(), ask()])).toEqual([{ answer: "allow" }, { answer: "deny" }]);
    expect(seen.text.match(/THE WHOLE QUESTION\n\[y\].*?allowed once.*THE WHOLE QUESTION\n\[y\].*denied/s)).not.toBeNull();
  });

  describe("with offers", () => {
    const offers = ["write(a.txt)", "write(src/**)", "write(**)"];
    const remember = (...rules: string[]) => ({ answer: "allow", remember: { rules, scope: "session" } });

    test.each<[string, readonly string[], object]>([
      ["the narrowest rule", ["a", "s", "y"], remember("write(a.txt)")],
      ["wider ones beside it", ["a", "2", "3", "s", "y"], remember("write(a.txt)", "write(src/**)", "write(**)")],
      ["no wider one that was left out again", ["a", "2", "2", "s", "y"], remember("write(a.txt)")],
      ["what is chosen after going back", ["a", "s", "\u001b", "3", "s", "y"], remember("write(a.txt)", "write(**)")],
      ["nothing when it is left for a yes", ["a", "\u001b", "y"], { answer: "allow" }],
      ["nothing where the scope is not offered", ["a", "w", "s", "y"], remember("write(a.txt)")],
    ])("keeps %s", async (_, keys, answer) => {
      const { ask, seen } = scene({ keys, offers });
      expect(await ask()).toEqual(answer);
      expect(seen).toMatchObject({ interrupts: 0, held: 0, closed: 1 });
    });

    test("keeps no narrow rule that a chosen wider one covers", async () => {
      const covers = { "write(src/**)": ["write(a.txt)"] };
      const { ask, seen } = scene({ keys: ["a", "2", "s", "y"], offers, covers });
      expect(await ask()).toEqual(remember("write(src/**)"));
      expect(seen.text).toContain("   1   write(a.txt)\n         create or change a.txt (a wider one covers it)\n");
      const other = scene({ keys: ["a", "2", "2", "3", "s", "y"], offers, covers });
      expect(await other.ask()).toEqual(remember("write(a.txt)", "write(**)"));
    });

    test("breaks no key, and no line, on a narrow screen", async () => {
      const { ask, seen } = scene({ keys: ["?", "x", "a", "?", "x", "s", "y"], offers, columns: 40 });
      await ask();
      expect(Math.max(...seen.text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(48);
      expect(seen.text).toContain("[y] allow once   [a] always   [n] deny\n[c] change   [?] help ");
    });

    test("keeps nothing that was not shown to its end", async () => {
      const { ask, seen } = scene({ keys: ["a", "s", " ", " ", "s", "y", " ", "y"], offers, rows: 5 });
      expect(await ask()).toEqual(remember("write(a.txt)"));
      expect(seen.text.lastIndexOf("  write(a.txt)\n[y] keep")).toBeGreaterThan(seen.text.lastIndexOf("[space]"));
    });

    test("has no such key without any", async () => {
      expect(await scene({ keys: ["a", "n", "\r"] }).ask()).toEqual({ answer: "deny" });
    });
  });

  describe("whose arguments are changed", () => {
    const edits = (...texts: (string | null)[]): AskerOptions["inEditor"] => {
      const left = [...texts];
      return async () => {
        const text = left.shift() ?? null;
        return text === null ? { ok: false, problem: "the editor failed" } : { ok: true, text };
      };
    };

    test.each<[string, Scene, object]>([
      ["in the editor", { keys: ["c"], inEditor: edits('{"command": "y"}') }, { answer: "change", args: { command: "y" } }],
      ["after broken JSON was mended", { keys: ["c", "e"], inEditor: edits("{", "{}") }, { answer: "change", args: {} }],
      ["not, when broken JSON is dropped", { keys: ["c", "\u001b", "y"], inEditor: edits("[]") }, { answer: "allow" }],
      ["not, when the editor fails", { keys: ["c", "y"], inEditor: edits(null) }, { answer: "allow" }],
      ["not, when nothing was changed", { keys: ["c", "y"], inEditor: edits('{\n  "command": "x"\n}') }, { answer: "allow" }],
      ["in a line", { keys: ["c", "\u0015", '{"command":"z"}', "\r"] }, { answer: "change", args: { command: "z" } }],
      ["not, when the line is left", { keys: ["c", "\u001b", "n", "\r"] }, { answer: "deny" }],
    ])("%s", async (_, what, answer) => {
      const { ask, seen } = scene(what);
      expect(await ask()).toEqual(answer);
      expect(seen).toMatchObject({ interrupts: 0, held: 0 });
    });

    test("throws away what was meant for the editor before a key counts again", async () => {
      const { ask, seen } = scene({ keys: ["c", "y"], inEditor: edits(null) });
      await ask();
      expect(seen.drained).toHaveLength(2);
      expect(seen.drained[1]).not.toContain("the editor failed");
    });

    test("is closed with the signal while an editor is open", async () => {
      const stop = new AbortController();
      const inEditor: AskerOptions["inEditor"] = async () => {
        stop.abort();
        return { ok: true, text: "{}" };
      };
      expect(await scene({ keys: ["c"], inEditor }).ask(stop.signal)).toMatchObject({ answer: "deny" });
    });
  });

  test("is shown again, whole", async () => {
    const { ask, seen } = scene({ keys: ["s", "y"] });
    expect(await ask()).toEqual({ answer: "allow" });
    expect(seen.text.split("THE WHOLE QUESTION")).toHaveLength(3);
    expect(seen.drained).toHaveLength(2);
  });

  describe("that is longer than the screen", () => {
    test("is neither allowed for good nor changed before its end", async () => {
      const { ask, seen } = scene({ rows: 3, text: "1\n2\n3\n4\n", keys: ["a", "c", "y", "n", "\r"], offers: ["write(a)"] });
      expect(await ask()).toEqual({ answer: "deny" });
      expect(seen.text).not.toMatch(/Rules to keep|The arguments|\n4/);
    });

    const long = { rows: 4, text: "1\n2\n3\n4\n5\n6\n7\n" };

    test("is shown page by page, and allowed only after its end", async () => {
      const { ask, seen } = scene({ ...long, keys: ["y", "Y", " ", "y", "\r", "y"] });
      expect(await ask()).toEqual({ answer: "allow" });
      expect(seen.text.split(/\n|\r\u001b\[K/)).toEqual([
        "1",
        "2",
        "3",
        "[space] more: line 3 of 7   [n] deny   [?] help ",
        "there is more to read: press space, or n to deny",
        "[space] more: line 3 of 7   [n] deny   [?] help ",
        "4",
        "5",
        "6",
        "[space] more: line 6 of 7   [n] deny   [?] help ",
        "there is more to read: press space, or n to deny",
        "[space] more: line 6 of 7   [n] deny   [?] help ",
        "7",
        "[y] allow once   [n] deny   [c] change   [?] help ",
        "allowed once",
        "",
      ]);
    });

    test("throws away what was typed before its beginning and before its end", async () => {
      const { ask, seen } = scene({ ...long, keys: [" ", "  ", "y"] });
      await ask();
      expect(seen.drained).toEqual(["1\n2\n3\n", expect.stringMatching(/7\n$/)]);
    });

    test("can be denied on the way", async () => {
      const { ask, seen } = scene({ ...long, keys: ["?", "n", "\r"] });
      expect(await ask()).toEqual({ answer: "deny" });
      expect(seen.text).not.toContain("4\n");
    });

    test("denies when the terminal goes away on the way", async () => {
      expect(await scene({ ...long, keys: [" "] }).ask()).toMatchObject({ answer: "deny" });
    });
  });
});
