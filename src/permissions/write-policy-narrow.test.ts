import { describe, expect, test } from "vitest";
import { readWritePolicy } from "./write-policy.ts";
import { narrowWritePolicy } from "./write-policy-narrow.ts";

const parent = {
  version: 1,
  metadata: { id: "parent" },
  allow_writes: ["src/**", "README.md", "**/spec*"],
  deny_writes: ["src/core/**"],
  bash: { verify: ["npm test", "npx tsc"] },
};

describe("a narrowed write policy", () => {
  test("has the child's rules, the denials of both, and a hash of its own", () => {
    const outer = readWritePolicy(parent);
    const inner = narrowWritePolicy(parent, { version: 1, allow_writes: ["src/ui/**", "a/spec1"], deny_writes: ["src/ui/x"] });
    expect(inner).toEqual({
      ...outer,
      allow_writes: ["src/ui/**", "a/spec1"],
      deny_writes: [...outer.deny_writes, "src/ui/x"],
      hash: expect.not.stringMatching(outer.hash),
    });
    expect(narrowWritePolicy(outer, { version: 1, allow_writes: ["src/ui/**", "a/spec1"], deny_writes: ["src/ui/x"] })).toEqual(inner);
    expect(readWritePolicy(inner)).toEqual(inner);
  });

  test("keeps the protection of the parent's own file", () => {
    const outer = readWritePolicy(parent, { file: "src/policy.json" });
    expect(narrowWritePolicy(outer, { version: 1, allow_writes: ["src/**"] }).deny_writes).toContain("src/policy.json");
  });

  test.each([
    [{ bash: "disabled" }, "disabled"],
    [{ bash: { verify: ["npm  'test'"] } }, { verify: ["npm  'test'"] }],
    [{}, { verify: ["npm test", "npx tsc"] }],
  ])("may run what its parent may: %j", (more, bash) => {
    expect(narrowWritePolicy(parent, { version: 1, allow_writes: [], ...more }).bash).toEqual(bash);
  });

  test.each([
    [{ allow_writes: ["src/ui/**", "docs/**"] }, "docs/**"],
    [{ allow_writes: ["**/*"] }, "**/*"],
    [{ allow_writes: ["README.md/**"] }, "README.md/**"],
    [{ allow_writes: [], bash: { verify: ["npm run lint"] } }, "npm run lint"],
    [{ allow_writes: [], bash: { verify: ["npm test -- x"] } }, "npm test -- x"],
  ])("does not reach beyond its parent: %j", (more, matched_rule) => {
    const { hash } = readWritePolicy(parent);
    expect(() => narrowWritePolicy(parent, { version: 1, ...more })).toThrow(
      expect.objectContaining({
        kind: "write_policy_denied",
        details: expect.objectContaining({ reason: "not_within_parent_allow", matched_rule, policy_id: "parent", hash }),
      }),
    );
  });

  test("of a parent without a shell has none", () => {
    const still = { ...parent, bash: "disabled" };
    expect(narrowWritePolicy(still, { version: 1, allow_writes: [] }).bash).toBe("disabled");
    expect(() => narrowWritePolicy(still, { version: 1, allow_writes: [], bash: { verify: ["npm test"] } })).toThrow(
      expect.objectContaining({ kind: "write_policy_denied" }),
    );
  });

  test("may be narrowed until there is too much to deny", () => {
    const some = (from: number) => Array.from({ length: 100 }, (_, index) => `d/${from + index}`);
    let policy: unknown = parent;
    const narrow = (level: number) => narrowWritePolicy(policy, { version: 1, allow_writes: ["src/**"], deny_writes: some(level * 100) });
    for (let level = 0; level < 9; level++) policy = narrow(level);
    expect(() => narrow(9)).toThrow(expect.objectContaining({ kind: "invalid_args" }));
  });
});
