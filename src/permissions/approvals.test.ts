import { describe, expect, test } from "vitest";
import { isFailure } from "../base/fail.ts";
import { type Approvals, parseRule, sessionApprovals } from "./index.ts";

const texts = (approvals: Approvals) => approvals.rules().map(({ text }) => text);
const failing = (reason: string) =>
  expect.toSatisfy((error) => isFailure(error) && error.kind === "invalid_args" && error.details.reason === reason);

describe("approvals of a session", () => {
  test("are allow rules, each once, that say where they are from", async () => {
    const approvals = sessionApprovals();
    await approvals.remember(["write(a)", " write(a) "], "session");
    await approvals.remember(["write(a)", "read(b)"], "session");
    expect(approvals.rules()).toMatchObject([
      { text: "write(a)", effect: "allow", source: { from: "approval" } },
      { text: "read(b)", effect: "allow", source: { from: "approval" } },
    ]);
    expect(approvals.scopes).toEqual(["session"]);
  });

  test("are kept all or none", async () => {
    const approvals = sessionApprovals();
    await expect(approvals.remember(["write(a)", "everything"], "session")).rejects.toEqual(failing("syntax"));
    expect(texts(approvals)).toEqual([]);
  });

  test("of the workspace are refused where nobody keeps them", async () => {
    await expect(sessionApprovals().remember(["write(a)"], "workspace")).rejects.toEqual(failing("no_such_scope"));
  });

  test("of the workspace go to whoever keeps them, and are in force beside those of the session", async () => {
    const kept: string[] = [];
    const parent: Approvals = {
      rules: () => kept.map((text) => parseRule(text, "allow", { from: "approval" })),
      remember: async (rules) => void kept.push(...rules),
    };
    const approvals = sessionApprovals(parent);
    await approvals.remember(["write(a)"], "session");
    await approvals.remember([" read(b)"], "workspace");
    expect({ kept, all: texts(approvals), scopes: approvals.scopes }).toEqual({
      kept: ["read(b)"],
      all: ["read(b)", "write(a)"],
      scopes: ["session", "workspace"],
    });
  });
});
