import { expect, test } from "vitest";
import { ruleMeaning } from "./rule-meaning.ts";

test.each([
  ["write(a.txt)", "create or change a.txt"],
  ["write(src/**)", "create or change every file below src"],
  ["read(/etc/passwd)", "read /etc/passwd"],
  ["delete(build/**)", "delete every file below build"],
  ["command(npm test $)", "run exactly npm test"],
  ["command(npm test)", "run npm test, whatever words follow"],
  ["command(echo '$')", "run echo '$', whatever words follow"],
  ["network(api.example.com:443)", "connect to api.example.com:443"],
  ["network([::1])", "connect to [::1], whatever port"],
  ["agent(reviewer)", "give work to the agent reviewer"],
  ["command(echo \u001b[2J $)", "run exactly echo \\x1b[2J"],
  ["something else", "something else"],
])("%s lets a call %s", (rule, meaning) => {
  expect(ruleMeaning(rule)).toBe(meaning);
});
