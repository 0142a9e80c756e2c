import { expect, test } from "vitest";
import { argsText, commandText, shortLine } from "./args-text.ts";
import { bytesText, durationText } from "./bytes-text.ts";

test.each([
  ["plain and quoted values", { path: "src/a.ts", text: "a b\n", limit: 3, all: true }, 'path=src/a.ts text="a b\\n" limit=3 all=true'],
  ["text that is no object", "{broken", "{broken"],
  ["a list", [1, "a"], '[1,"a"]'],
  ["nothing", undefined, ""],
  ["what would hide", { command: "ls\u202e" }, 'command="ls\\u{202e}"'],
])("arguments are shown in one line: %s", (_, args, line) => {
  expect(argsText(args, 80)).toBe(line);
});

test("a line is cut where it is too long, also where escapes make it so", () => {
  expect(shortLine("a".repeat(100_000), 10)).toBe(`${"a".repeat(9)}…`);
  expect(shortLine("\u001b".repeat(10), 10)).toBe("\\x1b\\x1b\\…");
  expect(shortLine("short", 10)).toBe("short");
});

test("words of a command are shown as a shell would read them back", () => {
  expect(commandText(["git", "commit", "-m", "it's", ""])).toBe("git commit -m 'it'\\''s' ''");
  expect(commandText(["echo", "a\nb"])).toBe("echo $'a\\x0ab'");
});

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1536, "1.5 KiB"],
  [5 * 2 ** 20, "5.0 MiB"],
  [3 * 2 ** 30, "3.0 GiB"],
])("%i bytes are %s", (size, text) => {
  expect(bytesText(size)).toBe(text);
});

test.each([
  [12.4, "12 ms"],
  [1_500, "1.5 s"],
  [61_000, "1 min 1 s"],
])("%i ms are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
