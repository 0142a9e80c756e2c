/** A small disk and a small table, for the tests of the evaluator alone. */
import type { Effect } from "../base/effect.ts";
import { declared, type Program } from "./doing.ts";
import type { Look } from "./look.ts";
import type { ScriptPlan, Table } from "./plan.ts";
import { plainProgram } from "./program.ts";
import { type Family, rowsOf } from "./programs/table.ts";
import { scriptPlan } from "./script-plan.ts";

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  "/": ["ws", "home"],
  "/ws": ["src", "lib", "a.ts", "b.ts", ".env"],
  "/ws/src": ["c.ts", "deep"],
  "/ws/src/deep": ["d.ts"],
  "/ws/lib": ["-x", "e.ts"],
};

function kindOf(path: string): "folder" | "file" | "none" {
  const plain = path.replace(/(?<=.)\/+$/, "");
  if (FOLDERS[plain]) return "folder";
  const slash = plain.lastIndexOf("/");
  return FOLDERS[plain.slice(0, slash) || "/"]?.includes(plain.slice(slash + 1)) ? "file" : "none";
}

/** Programs whose names do not begin with `./` or `absent` are there, and trusted. */
export function smallLook(changes: Partial<Look> = {}): Look {
  return {
    kind: async (path) => kindOf(path),
    names: async (folder) => FOLDERS[folder.replace(/(?<=.)\/+$/, "")] ?? null,
    text: async (path) => (path === "/ws/list.txt" ? "src/a.ts\nsrc/b.ts\n" : null),
    tree: async (folder) => ({
      complete: true,
      readComplete: true,
      ownComplete: true,
      guarded: folder === "/ws" ? [{ path: "/ws/.env", folder: false }] : [],
      linked: folder === "/ws/src" ? [{ name: "out", to: "/outside" }] : [],
      oddNames: false,
    }),
    program: async (spelled) => (spelled.startsWith("./") ? "workspace" : spelled.startsWith("absent") ? "absent" : "trusted"),
    gitRuns: async (folder) => (folder === "/ws/lib" ? "diff.x.textconv" : null),
    gitTracked: async (folder) => ({ folder, top: "/ws", files: [] }),
    variables: { USER: "u", TMPDIR: "/tmp", MISSING: null },
    ...changes,
  };
}

const git: Program = ({ args }) => {
  const [first] = args;
  return declared({ quiet: first?.known && first.value === "commit" ? "git_without_hooks" : "git" });
};

const SMALL_FAMILY: Family = {
  cat: plainProgram({ flags: "-n", operands: "read" }),
  ls: plainProgram({ flags: "-l", operands: "stat", withoutOperands: "." }),
  grep: plainProgram({ flags: "-r -R", recursive: "-r -R", operands: "read" }),
  rm: plainProgram({ flags: "-f", operands: "delete" }),
  touch: plainProgram({ operands: "write" }),
  w: () => declared(),
  cp: ({ args: [from, to] }) =>
    declared({
      files:
        from && to
          ? [
              { access: "read", path: from },
              { access: "write", path: to, into: "copied" },
            ]
          : [],
    }),
  find: () => declared({ prints: { kind: "paths", below: ["src"], end: "\n" } }),
  wc: () => declared({ prints: { kind: "unknown", numbers: true } }),
  run: ({ args }) => declared({ runs: [{ words: args }] }),
  sh: ({ args: [, script] }) => declared({ runs: script ? [{ script }] : [] }),
  bash: ({ args: [, script, ...positional] }) => declared({ runs: script ? [{ script, positional, shell: "bash" }] : [] }),
  git,
};

export const SMALL_TABLE: Table = tableWith({});

/** The small table with other rows beside its own. */
export function tableWith(more: Family): Table {
  return {
    row: rowsOf({ ...SMALL_FAMILY, ...more }),
    gitQuiet: { always: { QUIET: "1" }, withoutHooks: { HOOKS: "0" } },
  };
}

export function planOf(script: string, look: Look = smallLook()): Promise<ScriptPlan> {
  return scriptPlan(script, { cwd: "/ws", home: "/home/u", look, table: SMALL_TABLE });
}

/** Effects in short: `cat a` declared, `cat a?` open, `r: /ws/a` read, `w:` `d:` written, deleted, `/**` a tree, `?:` unknown, `??:` which commands. */
export function short(effect: Effect): string {
  switch (effect.kind) {
    case "command":
      return `${effect.cwd === "/ws" ? "" : `${effect.cwd}: `}${effect.argv.join(" ")}${effect.sure === "open" ? "?" : ""}`;
    case "file.read":
    case "file.write":
    case "file.delete":
      return `${effect.kind.charAt(5)}: ${effect.path}${"tree" in effect && effect.tree ? "/**" : ""}`;
    case "network":
      return `n: ${effect.host}:${effect.port}`;
    case "unknown":
      return effect.commands ? "??" : "?";
    default:
      return effect.kind;
  }
}

export async function shortPlan(script: string, look?: Look): Promise<readonly string[]> {
  return (await planOf(script, look)).effects.map(short);
}
