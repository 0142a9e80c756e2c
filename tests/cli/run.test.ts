import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModelServer, type ModelServer, type ModelServerStep } from "../../src/testing/model-server.ts";
import { BIN, collet, environment, jsonLines, makePlace, type Place, type StartOptions, start } from "./harness.ts";

let place: Place;
let server: ModelServer | undefined;
beforeEach(() => {
  place = makePlace({ "a.txt": "one\n" });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  place.remove();
});

const ANSWER = "All is well.";
const EDIT = { name: "edit", args: { path: "a.txt", old_string: "one", new_string: "two" } };

async function flags(steps: readonly ModelServerStep[]): Promise<readonly string[]> {
  server = await createModelServer({ steps });
  return ["--model", "openai-compatible/scripted", "--base-url", server.baseUrl];
}

async function run(args: readonly string[], steps: readonly ModelServerStep[], options: Omit<StartOptions, "place"> = {}) {
  return collet(["run", ...(await flags(steps)), ...args], { place, ...options });
}

function promptSent(): unknown {
  const messages = server?.requests[0]?.body?.messages;
  return Array.isArray(messages) ? messages.findLast(({ role }) => role === "user")?.content : undefined;
}

function bashes(command: string): ModelServerStep {
  return { calls: [{ name: "bash", args: { command } }] };
}

/** A shell line of its own; the model server goes on meanwhile. */
async function shell(line: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const child = spawn("bash", ["-c", line], { cwd: place.workspace, env: environment(place), stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text) => {
      said[name] += text;
    });
  }
  await new Promise((resolve) => child.on("close", resolve));
  return said;
}

describe("run", () => {
  test("prints the answer, and only that, on standard output", async () => {
    const { status, stdout, stderr } = await run(["--auto", "Change it"], [{ text: "I change it.", calls: [EDIT] }, { text: ANSWER }]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${ANSWER}\n` });
    for (const part of ["I change it.", "● edit", "-one", "+two", "mode auto"]) expect(stderr).toContain(part);
    expect(stderr).not.toContain(ANSWER);
    expect(readFileSync(path.join(place.workspace, "a.txt"), "utf8")).toBe("two\n");
  });

  test("says nothing on standard error when it is to be quiet", async () => {
    const ended = await run(["--auto", "--quiet", "Change it"], [{ text: "I change it.", calls: [EDIT] }, { text: ANSWER }]);
    expect(ended).toMatchObject({ status: 0, stdout: `${ANSWER}\n`, stderr: "" });
  });

  test("prints events and nothing else with --json, in order and without gaps", async () => {
    const { status, stdout, stderr } = await run(["--auto", "--json", "Change it"], [{ calls: [EDIT] }, { text: ANSWER }]);
    const events = jsonLines(stdout);
    const logged = events.filter(({ seq }) => seq !== null);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(logged.map(({ seq }) => seq)).toEqual(logged.map((_, index) => index));
    expect(logged[0]).toMatchObject({ v: 1, type: "session_started", data: { mode: "auto" } });
    expect(logged.at(-1)).toMatchObject({ type: "turn_ended", data: { status: "done" } });
    expect(
      events
        .filter(({ type }) => type === "text_delta")
        .map(({ data }) => data.text)
        .join(""),
    ).toBe(ANSWER);
  });

  test("writes an answer as it is into a pipe, control characters too", async () => {
    expect(await run(["Hi"], [{ text: "a\u001b[31mb\r\nc\u202e" }])).toMatchObject({ stdout: "a\u001b[31mb\r\nc\u202e\n" });
  });

  test("shows what a model says beside its calls with escapes", async () => {
    const { stderr } = await run(["Hi"], [{ text: "\u001b]0;owned\u0007", ...bashes("printf '\\033[2J'") }, { text: ANSWER }]);
    expect(stderr).not.toContain("\u001b");
    expect(stderr).toContain("\\x1b]0;owned\\x07");
  });

  test("shows the end of a long output, and a diff that is too long for a line of the log", async () => {
    const content = Array.from({ length: 2_000 }, (_, index) => `line ${index}`).join("\n");
    const steps = [bashes("seq 1 20000"), { calls: [{ name: "write", args: { path: "b.txt", content } }] }, { text: ANSWER }];
    const { stderr } = await run(["--auto", "Go"], steps);
    expect(stderr).toMatch(/│ 1\n.*│ 2\n[\s\S]*│ … \d+ lines …\n[\s\S]*│ 20000\n/);
    expect(stderr).toMatch(/create b\.txt[\s\S]*\+line 0\n[\s\S]*… \d+ more lines\n/);
  });

  test("keeps the answer apart from what stands before it where both streams are one", async () => {
    const args = (await flags([{ calls: [{ name: "read", args: { path: "a.txt" } }] }, { text: ANSWER }])).join(" ");
    const { stdout } = await shell(`"${process.execPath}" "${BIN}" run ${args} Go 2>&1 | cat`);
    expect(stdout).toMatch(new RegExp(`result .*\\n\\n${ANSWER}\\n$`));
  });

  test("asks by default, and denies where there is nobody to ask", async () => {
    const { status, stderr } = await run(["Change it"], [{ calls: [EDIT] }, { text: ANSWER }]);
    expect(status).toBe(0);
    expect(stderr).toContain("it would have been asked about, and nobody is asked");
    expect(stderr).toContain("--allow 'write(a.txt)'");
    expect(readFileSync(path.join(place.workspace, "a.txt"), "utf8")).toBe("one\n");
  });

  test("takes its model from COLLET_MODEL, and tells which one it takes by the only key", async () => {
    const [, , ...base] = await flags([{ text: ANSWER }]);
    const fromEnv = await collet(["run", ...base, "Hi"], { place, env: { COLLET_MODEL: "openai-compatible/x" } });
    expect(fromEnv).toMatchObject({ status: 0, stdout: `${ANSWER}\n` });
    const byKey = await collet(["run", ...base, "Hi"], { place, env: { ANTHROPIC_API_KEY: "sk-ant-0123456789" } });
    expect(byKey).toMatchObject({ status: 0, stderr: expect.stringContaining("ANTHROPIC_API_KEY is the only key") });
  });
});

describe("the prompt", () => {
  test.each<[string, readonly string[], StartOptions["stdin"], string]>([
    ["is the words", ["Fix", "it"], "ignored", "Fix it"],
    ["is the piped text", [], "Fix\nit\n", "Fix\nit\n"],
    ["holds the piped text where the dash stands", ["Review", "-", "now"], "a diff", "Review a diff now"],
    ["does not wait for an open pipe", ["Fix it"], { open: true }, "Fix it"],
  ])("%s", async (_, words, stdin, prompt) => {
    expect(await run(words, [{ text: ANSWER }], { stdin })).toMatchObject({ status: 0 });
    expect(promptSent()).toEqual(prompt);
  });

  test("says that a file on standard input is not read, and is silent where nothing was meant", async () => {
    const args = (await flags([{ text: ANSWER }])).join(" ");
    const lines = [`Go < a.txt`, `--quiet Go < a.txt`, `Go - < a.txt`, `Go < /dev/null`];
    const ended = await Promise.all(lines.map((line) => shell(`"${process.execPath}" "${BIN}" run ${args} ${line}`)));
    expect(ended.map(({ stderr }) => stderr.includes("standard input is not read"))).toEqual([true, false, false, false]);
  });

  test.each([
    ["no_prompt", [], ""],
    ["no_prompt", ["-"], " \n"],
    ["stdin_error", [], "a\0b"],
  ])("is %s with %j and %j piped in", async (kind, words, stdin) => {
    const ended = await run(words, [], { stdin });
    expect(ended).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining(`(${kind})`) });
    expect(existsSync(place.state)).toBe(false);
  });
});

describe("a turn that does not end well", () => {
  test.each<[string, number, string, readonly string[], readonly ModelServerStep[]]>([
    ["iteration_cap", 8, "capped", ["--max-iterations", "1"], [{ text: "So far.", calls: [EDIT] }]],
    ["provider_refusal", 7, "failed", [], [{ text: "I cannot.", fault: { kind: "refusal" } }]],
    ["provider_http_error", 7, "failed", [], [{ fault: { kind: "status", status: 418, times: 99 } }]],
    ["budget_exceeded", 8, "over_budget", [], [{ text: "A long answer", fault: { kind: "truncated" } }]],
  ])("is %s, with exit status %i", async (kind, exit, status, args, steps) => {
    const text = await run([...args, "Go"], steps);
    expect(text).toMatchObject({ status: exit, stdout: "", stderr: expect.stringMatching(new RegExp(`^collet: .*\\(${kind}\\)$`, "m")) });
    await server?.close();
    const json = await run([...args, "--json", "Go"], steps);
    expect(jsonLines(json.stdout).at(-1)).toMatchObject({ type: "turn_ended", data: { status, error: { kind } } });
    expect(jsonLines(json.stderr)).toMatchObject([{ ok: false, error: { kind } }]);
  });

  test("for want of a right key names the variable that holds it", async () => {
    const { status, stderr } = await run(["Go"], [{ fault: { kind: "status", status: 401, times: 99 } }]);
    expect(status).toBe(4);
    expect(stderr).toMatch(/\(not_authenticated\)\n {2}try: export COLLET_API_KEY=…\n$/);
  });

  test("for want of a server on this machine asks whether it runs", async () => {
    const args = await flags([]);
    await server?.close();
    const { status, stderr } = await collet(["run", ...args, "Go"], { place });
    expect(status).toBe(7);
    expect(stderr).toMatch(/is the server running\? \(network\)\n {2}try: .*--base-url\n$/);
  });

  test("shows the answer that was cut", async () => {
    const { stderr } = await run(["Go"], [{ text: "A long answer", fault: { kind: "truncated" } }]);
    expect(stderr).toContain("A long");
  });

  test.each([
    ["not_authenticated", 4, ["run", "Go"]],
    ["model_not_supported", 2, ["run", "--model", "nobody/x", "Go"]],
    ["insecure_auth_transport", 4, ["run", "--model", "openai/x", "--base-url", "http://model.example/v1", "--api-key-env", "KEY", "Go"]],
    ["invalid_args", 2, ["run", "--model", "openai-compatible/x", "Go"]],
    ["invalid_args", 2, ["run", "--allow", "rm", "Go"]],
    ["not_found", 6, ["run", "-C", "nowhere", "Go"]],
    [
      "unsafe_state_path",
      5,
      ["run", "-C", ".", "--state-dir", "a.txt", "--model", "openai-compatible/x", "--base-url", "http://127.0.0.1:9/v1", "Go"],
    ],
  ])("that cannot begin is %s, with exit status %i", async (kind, exit, args) => {
    const options = { place, env: { KEY: "sk-0123456789abcdef" } };
    expect(await collet(args, options)).toMatchObject({ status: exit, stdout: "", stderr: expect.stringContaining(`(${kind})`) });
    const { stdout, stderr } = await collet([...args, "--json"], options);
    expect([stdout, ...jsonLines(stderr)]).toMatchObject(["", { ok: false, error: { kind } }]);
  });
});

describe("an interrupt", () => {
  const events = (stdout: string) => jsonLines(stdout).at(-1);

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s ends the command that runs, records the end, and is exit status %i", async (signal, status) => {
    const args = [...(await flags([bashes("echo $$ > pid; sleep 300")])), "--auto", "--json", "Go"];
    const { child, said, ended } = start(["run", ...args], { place });
    await said('"tool_started"');
    await fileAppears(path.join(place.workspace, "pid"));
    child.kill(signal);
    const end = await ended;
    expect(end.status).toBe(status);
    expect(events(end.stdout)).toMatchObject({ type: "turn_ended", data: { status: "interrupted", error: { kind: "cancelled" } } });
    expect(isAlive(Number(readFileSync(path.join(place.workspace, "pid"), "utf8")))).toBe(false);
  });

  test("ends a model call that says nothing more", async () => {
    const args = [...(await flags([{ text: "And so it goes on and on", fault: { kind: "stall", after: 1 } }])), "--json", "Go"];
    const { child, said, ended } = start(["run", ...args], { place });
    await said("text_delta");
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ status: 130, stdout: expect.stringContaining('"interrupted"') });
    expect(await server?.requests[0]?.aborted).toBe(true);
  });

  test("a second one kills at once what does not want to end", async () => {
    const stubborn = "trap '' TERM INT; echo $$ > pid; while true; do sleep 1; done";
    const args = [...(await flags([bashes(stubborn)])), "--auto", "--json", "Go"];
    const { child, ended } = start(["run", ...args], { place });
    await fileAppears(path.join(place.workspace, "pid"));
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill("SIGINT");
    expect((await ended).status).toBe(130);
    await expect.poll(() => isAlive(Number(readFileSync(path.join(place.workspace, "pid"), "utf8")))).toBe(false);
  });

  test("while the prompt is read is an interrupt too", async () => {
    const { child, ended } = start(["run", "Review", "-"], { place, stdin: { open: true } });
    await expect.poll(() => catchesSignals(child.pid), { timeout: 20_000 }).toBe(true);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ status: 130, stderr: expect.stringContaining("(cancelled)") });
  });
});

test("a reader that leaves ends the turn, and what runs in it", async () => {
  const args = [...(await flags([bashes("echo $$ > pid; sleep 300")])), "--auto", "--json", "Go"];
  const { child, ended } = start(["run", ...args], { place });
  child.stdout?.once("data", () => child.stdout?.destroy());
  expect(await ended).toMatchObject({ status: 141, stderr: "" });
});

test("a person who leaves the pager ends the turn too", async () => {
  const args = [...(await flags([bashes("echo $$ > pid; sleep 300")])), "--auto", "Go"].map((arg) => `'${arg}'`).join(" ");
  const script = `{ "${process.execPath}" "${BIN}" run ${args}; echo $? > status; } 2>&1 | head -1`;
  const child = spawn("bash", ["-c", script], { cwd: place.workspace, env: environment(place), stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.resume();
  await new Promise((resolve) => child.on("close", resolve));
  expect(readFileSync(path.join(place.workspace, "status"), "utf8")).toBe("141\n");
});

/** By the mask of caught signals, where SIGHUP is the lowest bit; that of SIGINT may still be the test runner's, before the program began. */
function catchesSignals(pid: number | undefined): boolean {
  const mask = /SigCgt:\s+([0-9a-f]+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${mask}`) & 1n) !== 0n;
}

async function fileAppears(file: string): Promise<void> {
  await expect.poll(() => existsSync(file) && readFileSync(file, "utf8").trim() !== "", { timeout: 20_000 }).toBe(true);
}

/** A process that nobody has waited for yet has ended all the same. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
