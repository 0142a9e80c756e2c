import { describe, expect, test } from "vitest";
import type { Mode } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import { createPolicy, decide, guardedPaths, type PolicyOptions, parseRule, type Rule } from "./index.ts";

const CONFIG = "/home/u/.config/collet";
const STATE = "/home/u/.local/state/collet";
const SPILL = `${STATE}/workspaces/0/sessions/1/spill`;
const MODES = ["read_only", "ask", "auto"] as const;

function policyOf(mode: Mode, rules: readonly string[] = [], more: Partial<PolicyOptions> = {}) {
  const parsed = rules.map((text) => {
    const [effect, rule] = /^(allow|ask|deny) /.test(text) ? text.split(/ (.*)/s) : ["allow", text];
    return parseRule(rule ?? "", effect as Rule["effect"], { from: "flag" });
  });
  return createPolicy({
    mode,
    rules: parsed,
    workspace: "/ws",
    roots: ["/ws"],
    home: "/home/u",
    configDir: CONFIG,
    stateDir: STATE,
    spillDir: () => SPILL,
    ...more,
  });
}
const EVERYTHING = ["read(/**)", "write(/**)", "delete(/**)", "read(**)", "write(**)", "delete(**)"];

const read = (path: string): Effect => ({ kind: "file.read", sure: "open", path });
const write = (path: string): Effect => ({ kind: "file.write", sure: "open", path });
const remove = (path: string): Effect => ({ kind: "file.delete", sure: "open", path });
const tree = (effect: Effect): Effect => ({ ...effect, tree: true }) as Effect;
const outcome = (effect: Effect, mode: Mode, rules: readonly string[] = [], more: Partial<PolicyOptions> = {}): string => {
  const { decision, kind } = decide([effect], policyOf(mode, rules, more));
  return kind === "protected_path" ? "protected" : decision.outcome;
};
const protectedEverywhere = (effect: Effect, rules: readonly string[] = []): boolean =>
  MODES.every((mode) => outcome(effect, mode, rules) === "protected");

describe("never, whatever rule", () => {
  test.each([
    ["reading the configuration", read(`${CONFIG}/permissions.json`)],
    ["writing the configuration", write(`${CONFIG}/x/new.json`)],
    ["the configuration folder itself", remove(CONFIG)],
    ["reading the state", read(`${STATE}/workspaces/0/sessions/1/log.ndjson`)],
    ["another session's spill", read(`${STATE}/workspaces/0/sessions/2/spill/1`)],
    ["writing into the spill", write(`${SPILL}/1`)],
    ["by another case", read("/home/u/.Config/COLLET/permissions.json")],
    ["reading all that holds the configuration", tree(read("/home/u"))],
    ["writing all that holds the state", tree(write("/home"))],
    ["a hook", write("/ws/.git/hooks/pre-commit")],
    ["the settings of git", write("/ws/.git/config")],
    ["the attributes of git", write("/ws/.git/info/attributes")],
    ["the index", write("/ws/.git/index")],
    ["an object", remove("/ws/.git/objects/ab/cd")],
    ["a nested repository", write("/ws/vendor/x/.git/hooks/post-checkout")],
    ["a .git file", write("/ws/sub/.git")],
    ["the .git folder", tree(remove("/ws/.git"))],
    ["the workspace with its .git", tree(remove("/ws"))],
    ["outside the workspace", write("/home/u/other/.git/config")],
    [".GIT", write("/ws/.GIT/hooks/x")],
    [".git with what HFS leaves out", write("/ws/.g\u200cit/config")],
    [".git with a full-width letter", write("/ws/.\uff47it/config")],
    [".git as NTFS takes it", write("/ws/.git./config")],
    ["the stream of .git", write("/ws/.git::$INDEX_ALLOCATION/config")],
    ["its short name", write("/ws/git~1/config")],
  ])("%s", (_, effect) => {
    expect(
      protectedEverywhere(effect, [
        ...EVERYTHING,
        "write(.git/**)",
        "write(**/.git)",
        "delete(.git/**)",
        "read(~/.config/collet/**)",
        "write(~/.config/collet/**)",
      ]),
    ).toBe(true);
  });

  test("a folder that a .git file points to is .git", () => {
    const more = { gitDirs: ["/home/u/repos/main.gitdata"] };
    expect(outcome(write("/home/u/repos/main.gitdata/hooks/x"), "auto", EVERYTHING, more)).toBe("protected");
    expect(outcome(read("/home/u/repos/main.gitdata/HEAD"), "auto", EVERYTHING, more)).toBe("allow");
  });

  test.each([
    ["the spill of the running session", read(`${SPILL}/1.txt`)],
    ["reading .git", read("/ws/.git/HEAD")],
    ["reading .git/config", read("/ws/.git/config")],
    [".gitignore", write("/ws/.gitignore")],
    [".github", write("/ws/.github/workflows/ci.yml")],
    ["a name that ends in .git", write("/ws/x.git/config")],
    ["a folder called hooks", write("/ws/hooks/pre-commit")],
    ["a neighbour of the configuration", write("/home/u/.config/collet-other/x")],
    ["writing somewhere in the workspace", tree(write("/ws"))],
    ["searching the workspace", tree(read("/ws"))],
    ["deleting a folder of the workspace", tree(remove("/ws/build"))],
  ])("but not %s", (_, effect) => {
    expect(outcome(effect, "auto")).toBe("allow");
  });

  test("the spill may lie below a guarded name", () => {
    const more = { stateDir: "/x/.collet/state", spillDir: () => "/x/.collet/state/s/spill" };
    expect(outcome(read("/x/.collet/state/s/spill/1"), "ask", [], more)).toBe("allow");
    expect(outcome(read("/x/.collet/state/s/log.ndjson"), "auto", ["read(/x/.collet/**)"], more)).toBe("protected");
  });

  test("a workspace below a guarded name is not guarded by it", () => {
    const more = { workspace: "/x/.git/worktree/.env", roots: [] };
    expect(outcome(write("/x/.git/worktree/.env/a.ts"), "auto", [], more)).toBe("allow");
    expect(outcome(write("/x/.git/worktree/.env/.env"), "auto", [], more)).toBe("protected");
    expect(outcome(write("/x/.git/worktree/other"), "auto", [], more)).toBe("protected");
  });
});

describe("only when a rule names it", () => {
  test.each<[string, string]>([
    [".env", ".env"],
    [".env.production", ".env.*"],
    [".env.local", ".env*"],
    ["sub/.env", "**/.env"],
    [".ENV", ".ENV"],
    [".envrc", ".envrc"],
    [".env/inner", ".env/**"],
    ["id_ed25519", "**/id_ed25519"],
    ["keys/id_rsa", "keys/id_rsa"],
    ["id_ecdsa_sk.bak", "id_ecdsa*"],
    ["tls/server.key", "tls/*.key"],
    ["server.pem", "*.pem"],
    ["privkey.pem", "priv*.pem"],
    ["a.p12", "*.p12"],
    [".ssh/config", ".ssh/**"],
    [".gnupg/x", ".gnupg/x"],
    [".netrc", ".netrc"],
    [".git-credentials", ".git-credentials"],
    [".aws/credentials", ".aws/*"],
    [".docker/config.json", ".docker/config.json"],
    [".bashrc", ".bashrc"],
    ["x/.zshenv", "**/.zshenv"],
    [".profile", ".profile"],
    [".config/fish/config.fish", ".config/fish/**"],
    [".vscode/tasks.json", ".vscode/**"],
    [".vscode/settings.json", ".vscode/settings.json"],
    ["my.code-workspace", "*.code-workspace"],
    [".idea/runConfigurations/a.xml", ".idea/**"],
    [".idea/workspace.xml", ".idea/workspace.xml"],
    [".devcontainer/devcontainer.json", ".devcontainer/**"],
    [".zed/tasks.json", ".zed/*"],
    [".exrc", ".exrc"],
    [".dir-locals.el", ".dir-locals.el"],
    [".claude/settings.local.json", ".claude/*.json"],
    [".mcp.json", ".mcp.json"],
    [".collet/settings.json", ".collet/**"],
    [".collet/x/y", ".collet/x/*"],
    ["sub/.collet/permissions.json", "**/.collet/**"],
  ])("%s by %s", (path, pattern) => {
    for (const [head, effect] of [
      ["read", read(`/ws/${path}`)],
      ["write", write(`/ws/${path}`)],
      ["delete", remove(`/ws/${path}`)],
    ] as const) {
      expect(protectedEverywhere(effect)).toBe(true);
      expect(protectedEverywhere(effect, EVERYTHING)).toBe(true);
      expect(protectedEverywhere(effect, [`deny ${head}(${pattern})`])).toBe(true);
      expect(outcome(effect, "ask", [`${head}(${pattern})`])).toBe("allow");
      expect(outcome(effect, "ask", [`ask ${head}(${pattern})`])).toBe("ask");
      expect(outcome(effect, "read_only", [`${head}(${pattern})`])).toBe(head === "read" ? "allow" : "deny");
      expect(outcome(effect, "ask", [`${head === "read" ? "write" : "read"}(${pattern})`])).toBe("protected");
    }
  });

  test.each<[string, string]>([
    [".env", "*"],
    [".env", "**"],
    [".env", ".*"],
    [".env", "????"],
    [".env", ".e*"],
    [".env", "[.]env"],
    [".env", "?env"],
    ["sub/.env", "sub/**"],
    ["sub/.env", "sub/*"],
    [".env/a", "**/a"],
    [".env/a", "*/a"],
    ["id_rsa", "id_*"],
    ["tls/a.key", "tls/**"],
    [".vscode/tasks.json", "**/tasks.json"],
    [".collet/a", "*/a"],
    [".env/x/.env", "**/.env"],
    [".env/x/.env", ".env/**"],
  ])("%s, not by %s", (path, pattern) => {
    expect(protectedEverywhere(read(`/ws/${path}`), [`read(${pattern})`])).toBe(true);
  });

  test("each guarded name of a path has to be named", () => {
    expect(outcome(read("/ws/.env/x/.env"), "ask", ["read(.env/x/.env)"])).toBe("allow");
  });

  test.each([
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.local.example",
    ".environment",
    "env",
    "prod.env",
    "id_rsa.pub",
    "id_ed25519_sk.pub",
    "id_card.ts",
    "cert.pem",
    "fullchain.pem",
    "ca.pem",
    "public.pem",
    "key.ts",
    "keys",
    ".bashrc.d.md",
    ".npmrc",
    ".vscode/extensions.json",
    ".config",
    ".idea/codeStyles/x.xml",
    ".config/other/x",
    ".colletrc",
    ".claude/commands/x.md",
    "tasks.json",
    ".gitattributes",
  ])("%s needs no name", (path) => {
    expect(outcome(write(`/ws/${path}`), "auto")).toBe("allow");
  });

  test.each([".vscode", ".claude", ".idea"])("%s itself is put there, taken away and linked with what it holds", (path) => {
    for (const effect of [write(`/ws/${path}`), tree(write(`/ws/${path}`)), remove(`/ws/${path}`), tree(remove(`/ws/${path}`))]) {
      expect(outcome(effect, "auto")).toBe("protected");
      expect(outcome(effect, "auto", [`write(${path})`, `delete(${path})`])).toBe("allow");
    }
    expect(outcome(tree(read(`/ws/${path}`)), "auto")).toBe("allow");
    expect(outcome(tree(read("/ws/.docker")), "auto")).toBe("protected");
  });

  test("at home, by a home or absolute path", () => {
    expect(outcome(write("/home/u/.bashrc"), "auto")).toBe("protected");
    expect(outcome(write("/home/u/.bashrc"), "ask", ["write(~/.bashrc)"])).toBe("allow");
    expect(outcome(read("/home/u/.ssh/id_rsa"), "auto", ["read(~/.ssh/*)"])).toBe("protected");
    expect(outcome(read("/home/u/.ssh/id_rsa"), "auto", ["read(~/.ssh/id_rsa)"])).toBe("allow");
    expect(outcome(read("/home/u/.ssh/known_hosts"), "auto", ["read(/home/u/.ssh/**)"])).toBe("allow");
  });

  test("a file that is also a guarded one by another name is that one", () => {
    const linked = { ...read("/ws/notes.txt"), also: ["/ws/.env"] } as Effect;
    expect(outcome(linked, "auto", ["read(notes.txt)"])).toBe("protected");
    expect(outcome(linked, "auto", ["read(.env)"])).toBe("allow");
    expect(outcome({ ...write("/ws/notes.txt"), also: ["/ws/.git/config"] } as Effect, "auto", EVERYTHING)).toBe("protected");
  });

  test("the denial names the row and the rule that would do", () => {
    const { decision, message, details } = decide([read("/ws/.env")], policyOf("auto", ["read(**)"]));
    expect(decision).toEqual({ outcome: "deny", rule: "evidence guard: an environment file", source: { from: "guard" }, effect: 0 });
    expect(details).toMatchObject({ path: "/ws/.env", guarded: "/ws/.env", why: "it holds secrets", would_allow: ["read(.env)"] });
    expect(message).toContain("read(.env)");
    expect(message).toContain("write(.env)");
    expect(decide([write("/ws/.git/config")], policyOf("auto")).details).not.toHaveProperty("would_allow");
  });

  test("the denial of several effects names every rule that the call needs", () => {
    const needed = decide([read("/ws/.env"), write("/ws/.env")], policyOf("auto")).details as { would_allow: string[] };
    expect(needed.would_allow).toEqual(["read(.env)", "write(.env)"]);
    expect(decide([read("/ws/.env"), write("/ws/.env")], policyOf("auto", needed.would_allow)).decision.outcome).toBe("allow");
  });

  test("the rule that the denial names does it", () => {
    for (const path of ["/ws/.env", "/ws/a[1]/{x}/.env", "/ws/~/.env", "/ws/!x/id_rsa", "/home/u/.ssh/id_rsa", "/ws/.idea/workspace.xml"]) {
      const { would_allow } = decide([read(path)], policyOf("ask")).details as { would_allow: string[] };
      expect(outcome(read(path), "ask", would_allow)).toBe("allow");
    }
  });
});

test("guarded paths are few, absolute, and each of them guarded", () => {
  const options = { workspace: "/ws", roots: ["/ws", "/more"], home: "/home/u", configDir: CONFIG, stateDir: STATE, gitDirs: ["/repos/x"] };
  const paths = guardedPaths(options);
  expect(paths).toEqual(
    expect.arrayContaining([
      "/ws/.env",
      "/ws/.git/hooks/pre-commit",
      "/ws/.git/config",
      "/more/.env",
      "/repos/x/hooks/pre-push",
      "/home/u/.ssh/id_rsa",
      `${CONFIG}/permissions.json`,
    ]),
  );
  expect(paths.length).toBeLessThan(300);
  expect(paths.filter((path) => outcome(write(path), "auto", EVERYTHING, options) !== "protected")).toEqual([]);
  expect(guardedPaths({ workspace: "/ws", home: null, configDir: null }).every((path) => path.startsWith("/ws/"))).toBe(true);
});
