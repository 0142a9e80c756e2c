import { describe, expect, test } from "vitest";
import { isFailure } from "../base/fail.ts";
import { readWritePolicy } from "./write-policy.ts";

const IMPLICIT = [".collet/**", ".git/**", "**/.env*", "**/secrets/**"];

function detailsOf(value: unknown): object {
  try {
    readWritePolicy(value);
  } catch (error) {
    if (isFailure(error)) return { kind: error.kind, ...error.details };
    throw error;
  }
  return { kind: null };
}

const policy = (more: object) => ({ version: 1, allow_writes: ["src/**"], ...more });

describe("a write policy", () => {
  test("has a normal form with the denials that every policy has, first", () => {
    expect(readWritePolicy({ version: 1, allow_writes: [" ./src//a.ts ", "./src//a.ts", "docs/**"] })).toEqual({
      version: 1,
      metadata: {},
      id: "bounded-write",
      allow_writes: ["src/a.ts", "docs/**"],
      deny_writes: IMPLICIT,
      bash: "disabled",
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
  });

  // worked out by `printf '%s' JSON | sha256sum`, the JSON written by hand
  test.each([
    [{ version: 1, allow_writes: ["src/**"] }, {}, "28037233b9cc63a5ab2902cbe9af7fef59094098d43bb9fabfc1e5fa996366e1"],
    [
      {
        version: 1,
        metadata: { id: "docs-only", owner: "not hashed" },
        allow_writes: ["README.md", "docs/**", "**/spec*"],
        deny_writes: ["docs/legal/**"],
        bash: { verify: [" npm test ", "npx tsc --noEmit"] },
      },
      {},
      "82cc12e060f5b40c89d3fe907ed5d33a2b094d1e23b5e41c153a6ebde63452c8",
    ],
    [
      { version: 1, metadata: { id: "über" }, allow_writes: [] },
      { file: "policies/write.json" },
      "a75fa380f86aa0b61e5a8c33c5badd2f068701f1359dd83016114ba95bd8279d",
    ],
  ])("has the hash of its canonical JSON", (value, options, hash) => {
    expect(readWritePolicy(value, options).hash).toBe(`sha256:${hash}`);
  });

  test("forbids its own file", () => {
    const { deny_writes } = readWritePolicy(policy({ deny_writes: ["b"] }), { file: "p/write.json" });
    expect(deny_writes).toEqual([...IMPLICIT, "p/write.json", "b"]);
  });

  test.each(["a*.json", " b.json", "c\\.json"])("refuses to lie in a file that no rule can name: %j", (file) => {
    expect(() => readWritePolicy(policy({}), { file })).toThrow(expect.objectContaining({ kind: "invalid_args" }));
  });

  test("reads its normal form back, and protects the file that this lies in", () => {
    const normal = readWritePolicy(policy({ metadata: { id: "a", n: 1 }, bash: { verify: ["make"] } }), { file: "x.json" });
    expect(readWritePolicy(JSON.parse(JSON.stringify(normal)))).toEqual(normal);
    const moved = readWritePolicy(normal, { file: "y.json" });
    expect(moved.deny_writes).toContain("y.json");
    expect(moved.hash).not.toBe(normal.hash);
  });

  test.each([
    ["allow_writes", ["**/*"]],
    ["deny_writes", IMPLICIT.slice(1)],
    ["bash", { verify: ["rm -r src"] }],
    ["id", "other"],
    ["hash", "sha256:0"],
    ["hash", 7],
  ])("refuses a normal form whose %s was altered", (key, value) => {
    const normal = readWritePolicy(policy({ deny_writes: ["src/x"] }));
    expect(detailsOf({ ...normal, [key]: value })).toMatchObject({
      kind: "invalid_args",
      reason: "hash_mismatch",
      stored_hash: key === "hash" ? (typeof value === "string" ? value : null) : normal.hash,
      computed_hash: expect.stringMatching(/^sha256:/),
    });
  });

  test.each([
    [null, "not_an_object", ""],
    [[], "not_an_object", ""],
    [{ allow_writes: [] }, "unsupported_version", "/version"],
    [policy({ version: 2 }), "unsupported_version", "/version"],
    [policy({ version: "1" }), "unsupported_version", "/version"],
    [policy({ allow: [] }), "unknown_key", "/allow"],
    [policy({ id: "x" }), "unknown_key", "/id"],
    [{ version: 1 }, "not_a_list", "/allow_writes"],
    [policy({ allow_writes: "src/**" }), "not_a_list", "/allow_writes"],
    [policy({ deny_writes: null }), "not_a_list", "/deny_writes"],
    [policy({ allow_writes: Array(101).fill("a") }), "too_many", "/allow_writes"],
    [policy({ deny_writes: Array(101).fill("a") }), "too_many", "/deny_writes"],
    [policy({ allow_writes: ["a", "../b"] }), "parent_segment", "/allow_writes/1"],
    [policy({ deny_writes: [7] }), "not_a_string", "/deny_writes/0"],
    [policy({ metadata: [] }), "not_an_object", "/metadata"],
    [policy({ metadata: { id: 7 } }), "bad_id", "/metadata/id"],
    [policy({ metadata: { id: " " } }), "bad_id", "/metadata/id"],
    [policy({ metadata: { id: "a\u001b[2J" } }), "bad_id", "/metadata/id"],
    [policy({ bash: "enabled" }), "bad_bash", "/bash"],
    [policy({ bash: null }), "bad_bash", "/bash"],
    [policy({ bash: { verify: [], other: 1 } }), "bad_bash", "/bash"],
    [policy({ bash: { verify: "npm test" } }), "not_a_list", "/bash/verify"],
    [policy({ bash: { verify: Array(9).fill("a") } }), "too_many", "/bash/verify"],
  ])("refuses %j", (value, reason, pointer) => {
    expect(detailsOf(value)).toMatchObject({ kind: "invalid_args", reason, pointer });
  });
});

describe("a verify command", () => {
  test.each([
    "npm test",
    "mix test --trace test/a_test.exs",
    "./scripts/check.sh 'a b'",
    "git diff HEAD~2..HEAD",
    "tsc -p tsconfig.json",
    `node -e 'process.exit(1 | 2)'`,
  ])("may be %s", (command) => {
    expect(readWritePolicy(policy({ bash: { verify: [command] } })).bash).toEqual({ verify: [command] });
  });

  test.each([
    ["", "not_a_command"],
    [" \t", "not_a_command"],
    [7, "not_a_command"],
    ["CI=1 npm test", "not_a_command"],
    ["npm test && rm -r src", "not_literal"],
    ["npm test > out", "not_literal"],
    ["npm test $HOME", "not_literal"],
    ["npm test\nrm x", "not_literal"],
    ["npm `id`", "not_literal"],
    ["npm *", "not_literal"],
    ["npm 'test", "not_literal"],
    ["make -C ../other", "path_outside_workspace"],
    ["make -C../other", "path_outside_workspace"],
    ["make --directory=../other", "path_outside_workspace"],
    ["make sub/../../other", "path_outside_workspace"],
    ["make -C /tmp", "path_outside_workspace"],
    ["make -C/tmp", "path_outside_workspace"],
    ["make --directory=/tmp", "path_outside_workspace"],
    ["/usr/bin/make", "path_outside_workspace"],
    ["cat '~/x'", "path_outside_workspace"],
  ])("is not %j", (command, reason) => {
    expect(detailsOf(policy({ bash: { verify: [command] } }))).toMatchObject({ kind: "invalid_args", reason, pointer: "/bash/verify/0" });
  });
});
