import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collet, jsonLines, makePlace, type Place, start } from "./harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace({ "a.txt": "one\n" });
});
afterEach(() => place.remove());

const line = (id: unknown, tool: string, args: unknown, more: object = {}) => `${JSON.stringify({ id, tool, args, ...more })}\n`;

async function batch(stdin: string, args: readonly string[] = []) {
  const { status, stdout, stderr } = await collet(["call", "--batch", ...args], { place, stdin });
  return { status, stderr, lines: jsonLines(stdout), stdout };
}

describe("a batch", () => {
  test("answers each line in order, with the caller's id after ok", async () => {
    const { status, lines, stdout } = await batch(
      line("x", "edit", { path: "a.txt", old_string: "one", new_string: "two" }) +
        line(7, "read", { path: "a.txt" }) +
        line(null, "bash", { command: "exit 2" }) +
        line("dry", "write", { path: "b.txt", content: "b" }, { dry_run: true }),
    );
    expect(status).toBe(0);
    expect(stdout.startsWith('{"ok":true,"id":"x","call_id":')).toBe(true);
    expect(lines).toMatchObject([
      { ok: true, id: "x", replacements: 1 },
      { ok: true, id: 7, output: "two\n" },
      { ok: false, id: null, exit_code: 2 },
      { ok: true, id: "dry", dry_run: true },
    ]);
    expect(new Set(lines.map(({ call_id }) => call_id)).size).toBe(4);
  });

  test("gives each id back as it was written, also a number that no double holds", async () => {
    const ids = ["9007199254740993", "-0", "1.50", "123456789012345678901234567890", '"a\\u0041"'];
    const { stdout } = await batch(ids.map((id) => `{"id":${id},"tool":"read","args":{"path":"a.txt","id":1}}\n`).join(""));
    expect(stdout.match(/(?<=^\{"ok":(?:true|false),"id":)[^,]*/gm)).toEqual(ids);
  });

  test("answers a bad line as that, and goes on", async () => {
    const bad = [
      "{broken",
      "[]",
      "",
      "null",
      '{"id":{},"tool":"read"}',
      '{"id":1}',
      '{"id":2,"tool":"read","arg":{}}',
      '{"id":3,"tool":"read","args":[]}',
    ];
    const { status, lines } = await batch(`${bad.join("\n")}\n${line("last", "read", { path: "a.txt" })}`);
    expect(status).toBe(0);
    expect(lines.map(({ ok, id, error }) => [ok, id, error?.kind])).toEqual([
      ...[null, null, null, null, null, 1, 2, 3].map((id) => [false, id, "invalid_args"]),
      [true, "last", undefined],
    ]);
    expect(lines.slice(0, -1).every(({ call_id }) => call_id === null)).toBe(true);
  });

  test("ends lines at line feeds only, and needs none at the end", async () => {
    const content = "a\u2028b\u2029c\u0085d";
    const written = line("u", "write", { path: "u.txt", content }).replace("\n", "\r\n");
    const { lines } = await batch(written + line("last", "read", { path: "u.txt" }).trimEnd());
    expect(lines).toMatchObject([
      { ok: true, id: "u" },
      { ok: true, id: "last", output: content },
    ]);
    expect(readFileSync(path.join(place.workspace, "u.txt"), "utf8")).toBe(content);
  });

  test("answers as soon as a call is done, while its input stays open", async () => {
    const { child, said, ended } = start(["call", "--batch"], { place, stdin: { open: true } });
    child.stdin?.write(line("first", "read", { path: "a.txt" }));
    await said('"id":"first"');
    child.stdin?.write(line("second", "read", { path: "a.txt" }));
    await said('"id":"second"');
    child.stdin?.end();
    expect((await ended).status).toBe(0);
  });

  test("is over when its reader leaves, though its input goes on", async () => {
    const { child, ended } = start(["call", "--batch"], { place, stdin: { open: true } });
    child.stdout?.once("data", () => child.stdout?.destroy());
    const more = setInterval(() => child.stdin?.write(line("x", "read", { path: "a.txt" })), 50);
    expect(await ended).toMatchObject({ status: 141, stderr: "" });
    clearInterval(more);
  });

  test("ends at an interrupt", async () => {
    const { child, said, ended } = start(["call", "--batch"], { place, stdin: { open: true } });
    child.stdin?.write(line("first", "read", { path: "a.txt" }));
    await said('"id":"first"');
    child.kill("SIGTERM");
    expect((await ended).status).toBe(143);
  });

  test("keeps its memory flat over many calls", async () => {
    const { child, ended } = start(["call", "--batch", "--no-log"], { place, stdin: { open: true } });
    const memory = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]);
    let answered = 0;
    const half = new Promise<number>((resolve) => {
      child.stdout?.on("data", (text: string) => {
        answered += text.split("\n").length - 1;
        if (answered >= 500) resolve(memory());
      });
    });
    const command = line("x", "read", { path: "a.txt" });
    child.stdin?.write(command.repeat(500));
    const before = await half;
    child.stdin?.write(command.repeat(1_500));
    await expect.poll(() => answered, { timeout: 40_000 }).toBe(2_000);
    const after = memory();
    child.stdin?.end();
    expect((await ended).status).toBe(0);
    expect(after - before).toBeLessThan(40_000);
  });
});
