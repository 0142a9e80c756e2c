import { describe, expect, test } from "vitest";
import { createPolicy, evidencePlaces, parseRule } from "./index.ts";

const policy = (allow: readonly string[] = []) =>
  createPolicy({
    mode: "auto",
    rules: allow.map((rule) => parseRule(rule, "allow", { from: "flag" })),
    workspace: "/ws",
    roots: ["/ws"],
    home: "/home/u",
    configDir: "/home/u/.config/collet",
    stateDir: "/home/u/.local/state/collet",
    spillDir: () => null,
  });

const places = (allow: readonly string[] = []) =>
  evidencePlaces(policy(allow), {
    gitFolders: ["/ws/.git"],
    modules: Array.from({ length: 20 }, (_, index) => ["modules", `m${index}`]),
    hookFolders: [{ base: "/ws", names: [".husky"] }],
    included: [{ base: "/ws", names: [], leaf: "inc" }],
    trees: [["packages", "x"]],
  });

describe("the places of evidence", () => {
  test("hold every hook by its name, whatever else lies there, but no samples", () => {
    const hooks = places().find(({ names }) => names.join("/") === "hooks");
    expect(hooks?.leaves).toEqual(expect.arrayContaining(["pre-commit", "post-checkout", "reference-transaction", "proc-receive"]));
    expect(["x", "pre-commit.sample"].map((name) => hooks?.others?.(name))).toEqual([true, false]);
  });

  test.each([
    ["", [".env", ".env.production", ".envrc", "id_rsa", "my.code-workspace", ".bashrc"], ["env", ".env.example", "a.ts", "README.md"]],
    [".collet", ["permissions.json", "notes.md"], []],
    [".vscode", ["tasks.json", "settings.json"], ["extensions.json"]],
    [".idea", ["watcherTasks.xml"], ["modules.xml", "workspace.xml"]],
    [".claude", ["settings.local.json"], ["notes.md"]],
  ])("of the workspace hold in %j what the guard's table names", (folder, held, others) => {
    const place = places().find(({ base, names, others: more }) => base === "/ws" && names.join("/") === folder && more !== null);
    expect(held.filter((name) => !place?.others?.(name))).toEqual([]);
    expect(others.filter((name) => place?.others?.(name))).toEqual([]);
  });

  test("do not depend on rules, which are asked when something has changed", () => {
    const list = (allow: readonly string[]) => JSON.stringify(places(allow));
    expect(list(["write(.env)"])).toBe(list([]));
  });

  test("begin with git's, and look into no more than eight submodules", () => {
    const all = places();
    expect(all[0]).toMatchObject({ base: "/ws/.git", names: [], of: "git" });
    expect(all.filter(({ names }) => names[0] === "modules" && names.length === 2)).toHaveLength(8);
  });

  test("hold what the repository's settings name, and what is guarded in a folder that the call may fill", () => {
    const found = (folder: string) => places().find(({ base, names }) => [base, ...names].join("/") === folder);
    expect(found("/ws/.husky")).toMatchObject({ of: "runs", leaves: expect.arrayContaining(["post-checkout"]) });
    expect(places().find(({ leaves }) => leaves.includes("inc"))).toMatchObject({ base: "/ws", names: [], of: "runs" });
    const inTree = found("/ws/packages/x");
    expect([".env.local", "id_rsa", "a.ts"].map((name) => inTree?.others?.(name))).toEqual([true, true, false]);
    expect(found("/ws/packages/x/.vscode")?.others?.("tasks.json")).toBe(true);
  });

  test("hold no keys or tokens of the home folder", () => {
    const home = places().filter(({ base }) => base === "/home/u");
    const names = home.flatMap((place) => [...place.leaves, ...(place.others === null ? [] : ["others"])]);
    expect(names.filter((name) => /^id_|credentials|netrc|others/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining([".bashrc", "authorized_keys"]));
  });
});
