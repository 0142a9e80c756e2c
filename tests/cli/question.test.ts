import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModelServer, type ModelServer, type ModelServerStep } from "../../src/testing/model-server.ts";
import { BIN, environment, makePlace, type Place } from "./harness.ts";

const PTY = "import pty, sys, os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
const hasPty = spawnSync("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode"]).status === 0;
const CHOICES = "[y] allow once   [n] deny   [?] help";

let place: Place;
let server: ModelServer;
beforeEach(() => {
  place = makePlace({ "a.txt": "one\n" });
});
afterEach(async () => {
  await server.close();
  place.remove();
});

const STEPS: readonly ModelServerStep[] = [
  { calls: [{ name: "edit", args: { path: "a.txt", old_string: "one", new_string: "two" } }] },
  { text: "The end." },
];
const text = () => readFileSync(path.join(place.workspace, "a.txt"), "utf8");

/** A shell line in a terminal of its own; `$COLLET` is the command with its model. */
async function terminal(line: string, steps = STEPS) {
  server = await createModelServer({ steps });
  const command = `"${process.execPath}" "${BIN}" run --model openai-compatible/x --base-url ${server.baseUrl}`;
  const child = spawn("python3", ["-c", PTY, "bash", "-c", line.replace("$COLLET", () => command)], {
    cwd: place.workspace,
    env: { ...environment(place), TERM: "xterm" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (more) => {
    screen += more;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    type: (keys: string) => child.stdin.write(keys),
    shows: (part: string) => expect.poll(() => plain(screen), { timeout: 30_000 }).toContain(part),
    async end() {
      const status = await ended;
      return { status, screen: plain(screen) };
    },
  };
}

/** Without our own colours; what else a terminal would obey stays. */
function plain(screen: string): string {
  return screen.replace(/\u001b\[\d*m/g, "").replaceAll("\r\n", "\n");
}

describe.skipIf(!hasPty)("a question at a terminal", () => {
  test("shows the diff, and y lets the call through", async () => {
    const { type, shows, end } = await terminal("$COLLET Change it");
    await shows(CHOICES);
    expect(text()).toBe("one\n");
    type("y");
    const { status, screen } = await end();
    expect({ status, text: text() }).toEqual({ status: 0, text: "two\n" });
    expect(screen).toMatch(
      /the model wants to use edit\n.*It will:\n {4}write a.txt.*\n[\s\S]*-one\n {4}\+two\n {2}Asked by: mode ask[\s\S]*To skip this question:\n {4}--allow 'write\(a.txt\)'\n[\s\S]*The end\.\n$/,
    );
  });

  test("n and a reason deny it, and the model reads why", async () => {
    const { type, shows, end } = await terminal("$COLLET Change it");
    await shows(CHOICES);
    type("n");
    await shows("Why?");
    type("not today\r");
    expect(await end()).toMatchObject({ status: 0, screen: expect.stringContaining("refused by a person: not today") });
    expect(text()).toBe("one\n");
    expect(JSON.stringify(server.requests[1]?.body)).toContain("not today");
  });

  test("is put to the terminal though standard input is piped and the answer goes elsewhere", async () => {
    const { type, shows, end } = await terminal("echo text | $COLLET Change - > answer.txt");
    await shows(CHOICES);
    type("y");
    expect(await end()).toMatchObject({ status: 0 });
    expect({ text: text(), answer: readFileSync(path.join(place.workspace, "answer.txt"), "utf8") }).toEqual({
      text: "two\n",
      answer: "The end.\n",
    });
  });

  test("is not answered by what was typed before it stood there", async () => {
    const { type, shows, end } = await terminal("$COLLET Change it");
    type("yyyy\ry");
    await shows(CHOICES);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(text()).toBe("one\n");
    type("n");
    await shows("Why?");
    type("\r");
    expect(await end()).toMatchObject({ status: 0 });
    expect(text()).toBe("one\n");
  });

  test("Ctrl-C ends the turn, which is recorded, and gives the terminal back", async () => {
    const { type, shows, end } = await terminal("$COLLET --json Change it > events; echo status $?; stty -a");
    await shows(CHOICES);
    type("\u0003");
    const { screen } = await end();
    expect(screen).toContain("status 130");
    const [, id = ""] = /interrupted; the log has it: .* sessions show (\S+)\n/.exec(screen) ?? [];
    expect(readFileSync(path.join(place.workspace, "events"), "utf8")).toContain(`"session_id":"${id}"`);
    expect(screen).toContain("stopping … (Ctrl-C again kills)\n");
    expect(screen).toMatch(/[^-]icanon/);
    expect(readFileSync(path.join(place.workspace, "events"), "utf8")).toMatch(/"turn_ended".*"interrupted"/);
    expect(text()).toBe("one\n");
  });

  test("Ctrl-C in the middle of an answer is no fault, and piped text that is not read is told", async () => {
    const steps: readonly ModelServerStep[] = [{ text: "And so it goes on and on", fault: { kind: "stall", after: 1 } }];
    const { type, shows, end } = await terminal("echo foo | $COLLET Go", steps);
    await shows("characters so far");
    type("\u0003");
    const { screen } = await end();
    expect(screen).toContain("standard input is not read");
    expect(screen).toContain("(interrupted here)");
    expect(screen).not.toContain("broke off");
    expect(screen.indexOf("stopping …")).toBeLessThan(screen.indexOf("interrupted; the log has it"));
  });

  test("shows every line of a long command, with escapes for what would hide it", async () => {
    const command = `${Array.from({ length: 200 }, (_, index) => `echo ${index}`).join("\n")}\nprintf '\u001b[2J\u202e'`;
    const { type, shows, end } = await terminal("$COLLET Go", [{ calls: [{ name: "bash", args: { command } }] }, { text: "The end." }]);
    await shows(CHOICES);
    type("\u0003");
    const { screen } = await end();
    for (let index = 0; index < 200; index++) expect(screen).toContain(`    echo ${index}\n`);
    expect(screen).toContain("printf '\\x1b[2J\\u{202e}'");
    expect(screen).not.toContain("\u001b[2J");
  });
});

describe.skipIf(!hasPty)("the first line on a terminal", () => {
  test("says what auto means, also when all else is to be quiet", async () => {
    const { end } = await terminal("$COLLET --auto --quiet Change it");
    const { status, screen } = await end();
    expect({ status, lines: screen.split("\n") }).toEqual({
      status: 0,
      lines: ["Mode auto: commands run with your own rights and are not confined to the workspace.", "The end.", ""],
    });
  });

  test("an answer on a terminal cannot command it", async () => {
    const { end } = await terminal("$COLLET --quiet Go", [{ text: "a\u001b]0;owned\u0007b" }]);
    expect((await end()).screen).toBe("a\\x1b]0;owned\\x07b\n");
    expect(existsSync(place.state)).toBe(true);
  });
});
