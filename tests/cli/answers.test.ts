import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModelServer, type ModelServer, type ModelServerStep } from "../../src/testing/model-server.ts";
import { BIN, makePlace, type Place } from "./harness.ts";
import { hasPty, openPty, type PtyOptions } from "./pty.ts";

const CHOICES = "[y] allow once   [a] always   [n] deny   [c] change   [?] help";
const END: ModelServerStep = { text: "The end." };
const [ESC, CTRL_C, CTRL_U] = ["\u001b", "\u0003", "\u0015"];

let place: Place;
let server: ModelServer;
beforeEach(() => {
  place = makePlace({ "a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n" });
});
afterEach(async () => {
  await server.close();
  place.remove();
});

const at = (name: string) => path.join(place.workspace, name);
const text = (name = "a.txt") => readFileSync(at(name), "utf8");
const edit = (old_string: string, new_string: string, file = "a.txt") => ({ name: "edit", args: { path: file, old_string, new_string } });
const heard = (request: number) => JSON.stringify(server.requests[request]?.body);

/** A turn in a terminal of its own; `before` stands before the command. */
async function terminal(steps: readonly ModelServerStep[], { before = "", ...size }: Omit<PtyOptions, "place"> & { before?: string } = {}) {
  server = await createModelServer({ steps });
  const command = `"${process.execPath}" "${BIN}" run --model openai-compatible/x --base-url ${server.baseUrl} Go`;
  const pty = openPty(["bash", "-c", `${before} ${command}; echo "status $?"; stty -a`], { place, ...size });
  const times = (part: string, n: number) => expect.poll(() => pty.screen().split(part).length - 1, { timeout: 30_000 }).toBe(n);
  return { ...pty, times };
}

/** A program that takes the place of an editor. */
function editor(script: string): string {
  writeFileSync(path.join(place.root, "editor"), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(place.root, "editor"), 0o755);
  return `VISUAL= EDITOR='${path.join(place.root, "editor")}'`;
}

describe.skipIf(!hasPty)("allow always", () => {
  test("shows what is kept before it is kept, and asks no more in the session", async () => {
    const { type, shows, end } = await terminal([{ calls: [edit("one", "two")] }, { calls: [edit("two", "three")] }, END]);
    await shows(CHOICES);
    type("a");
    await shows("   1 * write(a.txt)\n         create or change a.txt\n");
    await shows("[s] session");
    type("s");
    await shows("Kept for this session: in memory, until it ends:\n  write(a.txt)\n[y] keep them and allow");
    expect(text()).toBe("one\n");
    type("y");
    const { screen } = await end();
    expect(screen).toContain("allowed, and from now on for this session\n");
    expect(screen.split(CHOICES)).toHaveLength(2);
    expect(screen).toContain("allowed by write(a.txt) (approved earlier)");
    expect(text()).toBe("three\n");
  });

  test("for the workspace asks no more in its next run", async () => {
    const first = await terminal([{ calls: [edit("one", "two")] }, END]);
    await first.shows(CHOICES);
    first.type("a");
    await first.shows("[w] workspace");
    first.type("w");
    await first.shows("Kept for this workspace: in the state folder, for later sessions too:\n  write(a.txt)\n[y] keep");
    first.type("y");
    await first.end();
    await server.close();
    const next = await terminal([{ calls: [edit("two", "three")] }, END]);
    expect((await next.end()).screen).not.toContain("the model wants");
    expect(text()).toBe("three\n");
  });

  test("takes a wider rule by its number, and can be left", async () => {
    const steps = [{ calls: [{ name: "bash", args: { command: "npm test -- x" } }] }, { calls: [edit("one", "two")] }, END];
    const { type, shows, times, end } = await terminal(steps);
    await shows(CHOICES);
    type("a");
    await shows("   2   command(npm test)\n         run npm test, whatever words follow\n");
    await shows("[2] wider");
    type("2");
    await shows("   2 * command(npm test)");
    await times("[2] wider", 2);
    type(ESC);
    await times(CHOICES, 2);
    type("n");
    await shows("Why?");
    type("\r");
    await times(CHOICES, 3);
    type(CTRL_C);
    expect((await end()).screen).toContain("status 130");
  });
});

describe.skipIf(!hasPty)("a refusal", () => {
  test("with a reason is read by the model, and a paste answers nothing", async () => {
    const { type, shows, times, end } = await terminal([{ calls: [edit("one", "two")] }, END]);
    await shows(CHOICES);
    type(`${ESC}[200~y${ESC}[201~`);
    await shows("press y, a, n or c");
    type("n");
    await shows("Why?");
    type(ESC);
    await times(CHOICES, 3);
    type("n");
    await times("Why?", 2);
    type(`wrong${CTRL_U}${ESC}[200~the tests\nfirst${ESC}[201~`);
    await shows("the tests first");
    type("\r");
    expect((await end()).screen).toContain("refused by a person: the tests first");
    expect(heard(1)).toContain("the tests first");
    expect(text()).toBe("one\n");
  });
});

describe.skipIf(!hasPty)("other arguments", () => {
  test("are typed in a line, shown again, and carried out", async () => {
    const { type, shows, times, end } = await terminal([{ calls: [edit("one", "two")] }, END]);
    await shows(CHOICES);
    type("c");
    await shows('> {"path":"a.txt"');
    type(`${CTRL_U}{"path"\r`);
    await shows("That cannot be taken");
    type("e");
    await times("The arguments, as JSON.", 2);
    type(`${CTRL_U}${ESC}[200~${JSON.stringify(edit("one", "three").args)}${ESC}[201~\r`);
    await shows("(with your arguments)");
    await times(CHOICES, 2);
    expect(text()).toBe("one\n");
    type("y");
    const { screen } = await end();
    expect(screen).toContain("changed: it is planned anew\n");
    expect(screen).toContain("a person changed the arguments: path=a.txt old_string=one new_string=three\n");
    expect(text()).toBe("three\n");
    expect(heard(1)).toContain("a person changed the arguments of this call");
    const [log = ""] = readdirSync(place.state, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("log.ndjson"));
    expect(readFileSync(path.join(place.state, log), "utf8")).toMatch(/"permission_decision".*"changed_by":"person"/);
  });

  test("are changed in the editor of the user, in a file of their own", async () => {
    const script = `stat -c '%a %F' "$1" "$(dirname "$1")" > '${path.join(place.root, "seen")}'; echo "$MINE" >> '${path.join(place.root, "seen")}'
if [ -e '${path.join(place.root, "broken")}' ]; then sed -i 's/"two"/"three"/; s/}}/}/' "$1"; else : > '${path.join(place.root, "broken")}'; echo '}' >> "$1"; sed -i ':a;N;$!ba;s/}\\n}/}}/' "$1"; fi`;
    const { type, shows, times, end } = await terminal([{ calls: [edit("one", "two")] }, END], { before: `${editor(script)} MINE=mine` });
    await shows(CHOICES);
    type("c");
    await shows("That cannot be taken");
    await shows("[e] mend it");
    type("e");
    await times(CHOICES, 2);
    type("y");
    await end();
    expect(text()).toBe("three\n");
    expect(readFileSync(path.join(place.root, "seen"), "utf8")).toBe("600 regular file\n700 directory\nmine\n");
  });

  test.each([
    ["fails", "exit 3", "ended with 3"],
    ["changes nothing", "true", "Nothing was changed."],
    ["leaves no file", 'rm "$1"', "cannot be used"],
  ])("of an editor that %s leave the question as it was", async (_, script, told) => {
    const { type, shows, times, end } = await terminal([{ calls: [edit("one", "two")] }, END], { before: editor(script) });
    await shows(CHOICES);
    type("c");
    await shows(told);
    await times(CHOICES, 2);
    type("y");
    await end();
    expect(text()).toBe("two\n");
  });
});

test.skipIf(!hasPty)("what was meant for an editor that has ended answers nothing", async () => {
  const { type, shows, times, end } = await terminal([{ calls: [edit("one", "two")] }, END], { before: editor("echo gone; exit 3") });
  await shows(CHOICES);
  type("c");
  await shows("gone\n");
  type("y");
  await times(CHOICES, 2);
  expect(text()).toBe("one\n");
  type("n");
  await shows("Why?");
  type("\r");
  await end();
  expect(text()).toBe("one\n");
});

describe.skipIf(!hasPty)("Ctrl-C", () => {
  test.each<[string, string, string]>([
    ["at the rules", "a", "[s] session"],
    ["in the line of a reason", "n", "Why?"],
    ["in the line of the arguments", "c", '> {"path"'],
  ])("%s ends the turn and gives the terminal back", async (_, key, shown) => {
    const { type, shows, end } = await terminal([{ calls: [edit("one", "two"), edit("b", "c", "b.txt")] }, END]);
    await shows(CHOICES);
    type(key);
    await shows(shown);
    type(CTRL_C);
    const { screen } = await end();
    expect(screen).toContain("status 130");
    expect(screen).toMatch(/[^-]icanon/);
    expect(screen.split("the model wants")).toHaveLength(2);
    expect(text()).toBe("one\n");
  });

  test.each([
    ["Ctrl-C", (pty: { type: (keys: string) => void }) => pty.type(CTRL_C)],
    ["a terminal that goes away", (pty: { hangUp: () => void }) => pty.hangUp()],
  ])("%s in an editor ends it with the turn", async (_, stop) => {
    const pty = await terminal([{ calls: [edit("one", "two")] }, END], { before: editor("echo editing; trap '' INT; exec sleep 600") });
    await pty.shows(CHOICES);
    pty.type("c");
    await pty.shows("editing");
    stop(pty);
    await pty.end();
    expect(text()).toBe("one\n");
  });
});

describe.skipIf(!hasPty)("a batch", () => {
  test("of three questions is answered one by one", async () => {
    const calls = [edit("one", "two"), edit("b", "B", "b.txt"), edit("c", "C", "c.txt")];
    const { type, shows, times, end } = await terminal([{ calls }, END]);
    await times(CHOICES, 1);
    type("y");
    await times(CHOICES, 2);
    type("n");
    await shows("Why?");
    type("leave it\r");
    await times(CHOICES, 3);
    type("a");
    await shows("[s] session");
    type("s");
    await shows("[y] keep them and allow");
    type("y");
    expect((await end()).screen).toContain("status 0");
    expect([text(), text("b.txt"), text("c.txt")]).toEqual(["two\n", "b\n", "C\n"]);
    expect(heard(1)).toContain("leave it");
  });

  test("is asked about again when a file changed meanwhile, with the new diff", async () => {
    const { type, shows, times, end } = await terminal([{ calls: [edit("one", "two")] }, END]);
    await shows(CHOICES);
    writeFileSync(at("a.txt"), "zero\none\n");
    type("y");
    await shows("(asked again: files changed meanwhile)");
    await times(CHOICES, 2);
    expect(text()).toBe("zero\none\n");
    type("y");
    expect((await end()).screen).toContain(" zero\n");
    expect(text()).toBe("zero\ntwo\n");
  });
});
