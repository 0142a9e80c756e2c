import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModelServer } from "../../src/testing/model-server.ts";
import { BIN, collet, jsonLines, makePlace, type Place } from "./harness.ts";
import { hasPty, openPty } from "./pty.ts";

let place: Place;
beforeEach(() => {
  place = makePlace();
  put({ allow: ["write(made.txt)"], deny: ["command(rm)"] });
});
afterEach(() => place.remove());

const PROMPT = "Trust this, until it changes? [y] yes   [n] no";
const WRITE = ["call", "write", "--ask", "--args", '{"path":"made.txt","content":"x"}'];

function put(content: object | string): void {
  const file = path.join(place.workspace, ".collet/permissions.json");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : `${JSON.stringify({ version: 1, ...content })}\n`);
}
const trust = (...words: readonly string[]) => collet(["trust", ...words], { place });
const terminal = (words: readonly string[], size = {}) => openPty([process.execPath, BIN, ...words], { place, ...size });
async function files() {
  return jsonLines((await trust("--show", "--json")).stdout)[0].files;
}

test("trust is never given where nobody is there, whatever is piped in", async () => {
  const { status, stderr } = await collet(["trust"], { place, stdin: "y\ny\n" });
  expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringContaining("(permission_denied)") });
  expect(await files()).toMatchObject([{ file: ".collet/permissions.json", trusted: false, asks: ["allow write(made.txt)"] }]);
});

test("trust also waits for what asks about protected files, which it opens to a question", async () => {
  put({ ask: ["read(.env)", "write(src/**)"], deny: ["command(rm)"] });
  expect(await files()).toMatchObject([{ trusted: false, asks: ["ask read(.env)"] }]);
  expect(await trust()).toMatchObject({ status: 3 });
});

test("trust says where there is nothing to decide", async () => {
  put({ deny: ["command(rm)"] });
  expect(await trust()).toMatchObject({ status: 0, stderr: expect.stringContaining("nothing here waits for trust") });
  expect(await trust("--revoke")).toMatchObject({ status: 0, stderr: "nothing was trusted here\n" });
  put("broken");
  expect(await trust()).toMatchObject({ status: 2, stderr: expect.stringContaining("(invalid_config)") });
});

describe.skipIf(!hasPty)("at a terminal", () => {
  test("a yes to what is shown puts it in force, until it is taken back", async () => {
    const { type, shows, end } = terminal(["trust"]);
    await shows(PROMPT);
    type("y");
    const { status, screen } = await end();
    expect({ status, screen }).toEqual({
      status: 0,
      screen: expect.stringMatching(/1 │ \{"version":1[^\n]*\nIn force once it is trusted:\n {2}allow write\(made\.txt\)\n/s),
    });
    const [folder = ""] = readdirSync(path.join(place.state, "workspaces"));
    expect(statSync(path.join(place.state, "workspaces", folder, "trust.json")).mode & 0o777).toBe(0o600);
    expect((await collet(WRITE, { place })).status).toBe(0);
    expect(await trust("--revoke")).toMatchObject({ status: 0, stderr: expect.stringContaining("1 content") });
    expect((await collet(WRITE, { place })).status).toBe(3);
  });

  test("a paste is no yes, and what the keys mean is told", async () => {
    const { type, shows, end } = terminal(["trust"]);
    await shows(PROMPT);
    type("\u001b[200~y\u001b[201~");
    await shows("press y or n");
    type("?");
    await shows("only what narrows is in force");
    type("n");
    expect(await end()).toMatchObject({ status: 1 });
    expect(await files()).toMatchObject([{ trusted: false }]);
  });

  test("a command of a call has a terminal of its own, and is no person", async () => {
    const env = { COLLET_CALL: "a1" };
    const inside = terminal(["trust"], { env });
    expect(await inside.end()).toMatchObject({ status: 3, screen: expect.stringContaining("(permission_denied)") });
    expect(await terminal([...WRITE, "--on-ask", "ask"], { env }).end()).toMatchObject({
      status: 3,
      screen: expect.stringContaining('"reason":"inside_call"'),
    });
    expect(await terminal(WRITE, { env }).end()).toMatchObject({ status: 3, screen: expect.stringContaining("nobody_to_ask") });
  });

  test("what was typed before the end was shown is no yes", async () => {
    put(`{ "version": 1, "allow": [\n${Array.from({ length: 60 }, (_, at) => `"write(f${at})",`).join("\n")}\n] }`);
    const { type, shows, end } = terminal(["trust"], { rows: 20 });
    await shows("more: line 19 of");
    type("y");
    for (let page = 0; page < 7; page += 1) {
      type(" ");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await shows(PROMPT);
    type("n");
    expect(await end()).toMatchObject({ status: 1, screen: expect.stringContaining("allow write(f59)") });
    expect(await files()).toMatchObject([{ trusted: false }]);
  });

  test("a file that hides what it says shows it", async () => {
    put('{ "version": 1, "allow": ["write(a)"] /* \u001b[2K\u202e */ }');
    const { type, shows, end } = terminal(["trust"]);
    await shows(PROMPT);
    type("\u0003");
    const { status, screen } = await end();
    expect({ status, screen }).toEqual({ status: 130, screen: expect.stringContaining("\\x1b[2K\\u{202e}") });
    expect(await files()).toMatchObject([{ trusted: false }]);
  });

  test("run says in its first lines what is not trusted, and what is odd about the rules", async () => {
    const server = await createModelServer({ steps: [{ text: "The end." }] });
    const { end } = terminal(["run", "--model", "openai-compatible/x", "--base-url", server.baseUrl, "--allow", "command(bash)", "Go"]);
    const { status, screen } = await end();
    await server.close();
    expect({ status, screen }).toEqual({
      status: 0,
      screen: expect.stringMatching(
        /^Not trusted: \.collet\/permissions\.json\. .*\n.*and decide:\n.*trust\nRule allow command\(bash\) \(a flag\): bash runs whatever it is given\.\n/,
      ),
    });
  });

  test("run says that the mode is narrower than it was asked to be", async () => {
    put({ mode: "read_only" });
    const server = await createModelServer({ steps: [{ text: "The end." }] });
    const { end } = terminal(["run", "--auto", "--model", "openai-compatible/x", "--base-url", server.baseUrl, "Go"]);
    const { screen } = await end();
    await server.close();
    expect(screen).toMatch(/^Mode read_only: narrowed by \.collet\/permissions\.json; no flag widens it\.\n/);
    expect(readFileSync(path.join(place.workspace, ".collet/permissions.json"), "utf8")).toContain("read_only");
  });
});
