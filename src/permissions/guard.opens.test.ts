import { expect, test } from "vitest";
import { mayOpenGuarded } from "./guard.ts";

test.each([
  ["read(.env)", true],
  ["read(**/.env*)", true],
  ["write(a/.ENV.local)", true],
  ["delete(~/.ssh/**)", true],
  ["read(keys/*.pem)", true],
  ["write(*.env?x)", true],
  ["read(.collet/permissions.json)", true],
  ["read(**)", false],
  ["write(src/**)", false],
  ["read(.env.example)", false],
  ["command(cat .env)", false],
])("a rule may open what is guarded, or cannot: %s %j", (rule, may) => {
  expect(mayOpenGuarded(rule)).toBe(may);
});
