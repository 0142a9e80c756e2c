import { describe, expect, test } from "vitest";
import { effectsMisfit } from "./effect-check.ts";
import type { JsonValue } from "./json.ts";

const SHA = "0".repeat(64);
const VERSION = { sha256: SHA, size_bytes: 1, mode: 0o644 };
const EXACT = { kind: "file.write", sure: "exact", path: "/a", before: VERSION, after: VERSION, diff: "" };

describe("the effects of a plan", () => {
  test.each<[string, JsonValue]>([
    ["no list", {}],
    ["more than a line of a log holds", [{ kind: "agent", sure: "open", name: "x".repeat(5 * 1024 * 1024) }]],
  ])("are not %s", (_, effects) => {
    expect(effectsMisfit(effects)).toMatchObject({ pointer: "" });
  });

  test("say nothing that is not understood, as it could be what matters", () => {
    expect(effectsMisfit([EXACT])).toBeUndefined();
    for (const more of [{ diff_blob: { sha256: SHA, size_bytes: 1, mime_type: "text/plain" } }, { only_on: "Sunday" }, { tree: true }]) {
      expect(effectsMisfit([EXACT, { ...EXACT, ...more }])).toMatchObject({ pointer: `/1/${Object.keys(more)[0]}` });
    }
  });
});
