import { expect, test } from "vitest";
import { collet, makePlace } from "./harness.ts";

const COMMON = ["-C, --workspace <dir>", "--json", "--quiet", "--state-dir <dir>", "-h, --help"];
const PERMISSIONS = [
  "--permission <mode>",
  "--auto",
  "--ask",
  "--read-only",
  "--allow <rule>",
  "--ask-for <rule>",
  "--deny <rule>",
  "--write-policy <file>",
];

// flags are public: a new one is added here, and an old one does not go
test.each([
  [["demo"], COMMON.slice(1)],
  [
    ["run"],
    [
      ...COMMON,
      ...PERMISSIONS,
      "--on-ask <what>",
      "-m, --model <provider/name>",
      "--base-url <url>",
      "--api-key-env <name>",
      "--max-iterations <n>",
      "--plan",
      "--grant <program>",
    ],
  ],
  [
    ["call"],
    [
      ...COMMON,
      ...PERMISSIONS,
      "--on-ask <what>",
      "--args <json>",
      "--args-file <file>",
      "--dry-run",
      "--batch",
      "--no-log",
      "--grant <program>",
    ],
  ],
  [["tools"], [...COMMON, "--grant <program>"]],
  [["kinds"], COMMON],
  [["sessions"], [...COMMON, "--all"]],
  [["sessions", "show"], COMMON],
  [["policy"], COMMON],
  [
    ["policy", "show"],
    [...COMMON, ...PERMISSIONS],
  ],
  [
    ["policy", "lint"],
    [...COMMON, ...PERMISSIONS, "--grant <program>"],
  ],
  [
    ["policy", "gates"],
    [...COMMON, ...PERMISSIONS],
  ],
  [
    ["policy", "explain"],
    [...COMMON, ...PERMISSIONS, "--on-ask <what>", "--tool <name>", "--args <json>", "--grant <program>"],
  ],
  [
    ["policy", "test"],
    [...COMMON, ...PERMISSIONS, "--grant <program>"],
  ],
  [
    ["policy", "approvals"],
    [...COMMON, "--forget <rule>", "--forget-all"],
  ],
  [["trust"], [...COMMON, "--show", "--revoke"]],
])("the flags of %j are what they were", async (command, flags) => {
  const place = makePlace();
  const { stdout } = await collet([...command, "--help"], { place });
  place.remove();
  const shown = stdout.match(/^ {2}-.*?(?= {2}|$)/gm)?.map((flag) => flag.trim()) ?? [];
  expect(shown.sort()).toEqual([...flags].sort());
});

test.each(["tools", "kinds", "sessions"])("%s takes the permission flags too, though they change nothing there", async (command) => {
  const place = makePlace();
  const flags = ["--ask", "--allow", "read(**)", "--deny", "write(**)"];
  expect(await collet([command, ...flags], { place })).toMatchObject({ status: 0 });
  place.remove();
});
