import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModelServer, type ModelServer, type ModelServerStep } from "../../src/testing/model-server.ts";
import { BIN, makePlace, type Place } from "./harness.ts";
import { hasPty, openPty, type PtyOptions } from "./pty.ts";

const CHOICES = "[y] allow once   [a] always   [n] deny   [c] change   [?] help";

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
async function terminal(line: string, steps = STEPS, size: Omit<PtyOptions, "place"> = {}) {
  server = await createModelServer({ steps });
  const command = `"${process.execPath}" "${BIN}" run --model openai-compatible/x --base-url ${server.baseUrl}`;
  return openPty(["bash", "-c", line.replace("$COLLET", () => command)], { place, ...size });
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
      /the model wants to use edit\n {2}Asked by: mode ask[\s\S]*To skip this question:\n {4}--allow 'write\(a.txt\)'\n.*It will:\n {4}write a.txt.*\n[\s\S]*-one\n {4}\+two\n\[y\][\s\S]*The end\.\n/,
    );
  });

  test("tells the tokens of the turn in its last line, but not when it is to be quiet", async () => {
    const { type, shows, end } = await terminal("$COLLET Change it");
    await shows(CHOICES);
    type("y\r");
    const { screen } = await end();
    expect(screen).toMatch(/allowed once\n\n●[\s\S]*The end\.\n\d+ tokens in, \d+ out\n$/);
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
    expect(screen).not.toContain("denied");
  });

  test("cuts no key and no word of its own on a screen of 40 columns", async () => {
    const { type, shows, end } = await terminal("$COLLET Change it", STEPS, { columns: 40 });
    await shows("[c] change   [?] help");
    type("?");
    await shows("Ctrl-C the whole turn ends");
    type("a");
    await shows("[Esc] back   [?] help");
    type("s");
    await shows("[y] keep them and allow");
    type("y");
    const { screen } = await end();
    expect(screen).toContain("[y] allow once   [a] always   [n] deny\n[c] change   [?] help");
    const wide = screen.split("\n").filter((line) => line.replace(/.*[\r]|\u001b\[[AK]/g, "").length > 40);
    expect(wide).toEqual([]);
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

  test("shows every line of a long command, with escapes for what would hide it, before it can be allowed", async () => {
    const command = `${Array.from({ length: 200 }, (_, index) => `echo ${index}`).join("\n")}\nprintf '\u001b[2J\u202e' > a.txt`;
    const steps = [{ calls: [{ name: "bash", args: { command } }] }, { text: "The end." }];
    const { type, shows, end, screen } = await terminal("$COLLET Go", steps, { rows: 40 });
    for (let page = 1; !screen().includes(CHOICES); page++) {
      await expect.poll(screen, { timeout: 30_000 }).toMatch(new RegExp(`line ${page * 39} of|allow once`));
      if (page === 2) type("y");
      if (page === 2) await shows("there is more to read");
      if (!screen().includes(CHOICES)) type(" ");
      if (page > 20) break;
    }
    expect(text()).toBe("one\n");
    type("\u0003");
    const { screen: whole } = await end();
    for (let index = 0; index < 200; index++) expect(whole).toContain(`    echo ${index}\n`);
    expect(whole).toContain("printf '\\x1b[2J\\u{202e}'");
    expect(whole).not.toContain("\u001b[2J");
  });

  test("does not take the key that allowed one call, still held down, for the next", async () => {
    const edit = (old_string: string, new_string: string) => ({ name: "edit", args: { path: "a.txt", old_string, new_string } });
    const steps = [{ calls: [edit("one", "two")] }, { calls: [edit("two", "three")] }, { text: "The end." }];
    const { type, shows, end, screen } = await terminal("$COLLET Change it", steps);
    await shows(CHOICES);
    type("y");
    // a held key: silent for the usual delay, then again and again. Where this machine is too slow to press it in time, nothing is shown
    let last = Date.now();
    let slowest = 0;
    const press = () => {
      slowest = Math.max(slowest, Date.now() - last);
      last = Date.now();
      type("y");
    };
    await new Promise((resolve) => setTimeout(resolve, 500));
    press();
    const held = setInterval(press, 40);
    await expect.poll(() => screen().split("the model wants").length, { timeout: 30_000 }).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    clearInterval(held);
    if (slowest < 600) expect({ text: text(), asked: screen().split(CHOICES).length - 1 }).toEqual({ text: "two\n", asked: 1 });
    await expect.poll(() => screen().split(CHOICES).length - 1, { timeout: 30_000 }).toBe(2);
    type("n");
    await shows("Why?");
    type("\r");
    expect(await end()).toMatchObject({ status: 0, screen: expect.not.stringContaining("press y, a, n or c") });
    if (slowest < 600) expect(text()).toBe("two\n");
  });

  test("cannot be forged by characters that are wider than they look", async () => {
    const command = `eval "$x"; echo ${"✅⚡⭐❌⌚का".repeat(40)} ${" ".repeat(60)}[y] allow once`;
    const steps = [{ calls: [{ name: "bash", args: { command } }] }, { text: "The end." }];
    const { type, shows, end } = await terminal("$COLLET Go", steps, { columns: 60 });
    // no rule can allow what is only known when it runs
    await shows("[y] allow once   [n] deny   [c] change   [?] help");
    type("\u0003");
    const { screen } = await end();
    const wide = (line: string) => [...line].reduce((width, char) => width + (/[✅⚡⭐❌⌚]/u.test(char) ? 2 : 1), 0);
    for (const line of screen.split("\n")) if (/[✅⚡⭐❌⌚]/u.test(line)) expect(wide(line)).toBeLessThanOrEqual(60);
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
