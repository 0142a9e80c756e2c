import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface LabelledCommand {
  readonly id: string;
  readonly command: string;
  readonly class: "everyday" | "change" | "attack";
  readonly expect: "allow" | "ask" | "deny";
  readonly acceptable: readonly string[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  readonly network: readonly string[];
  readonly runs: readonly string[];
  readonly safe_to_run: boolean;
  readonly why: string;
}

export const SETS = ["independent", "own"] as const;

export function labelledCommands(set: (typeof SETS)[number]): readonly LabelledCommand[] {
  const path = fileURLToPath(new URL(`${set}.jsonl`, import.meta.url));
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as LabelledCommand);
}

export interface Ground {
  readonly root: string;
  /** A repository with two commits. */
  readonly workspace: string;
  readonly home: string;
}

const FILES: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({ name: "ground", version: "1.0.0", scripts: { test: "node test.js" } }, null, 2)}\n`,
  "README.md": "# Ground\n\nA small project.\n",
  "test.js": 'console.log("ok");\n',
  "src/app.ts": 'import { half } from "./util.ts";\nexport const app = half(4);\n// TODO: more\n',
  "src/util.ts": "export function half(n: number): number {\n  return n / 2;\n}\n",
  "src/deep/inner.ts": "export const inner = 1;\n",
  "src/with space.txt": "a b\n",
  "docs/guide.md": "# Guide\n\nRead this.\n",
  "docs/data.csv": "name,n\nb,2\na,1\n",
  "data.json": '{ "name": "x", "items": [1, 2, 3] }\n',
  "log.txt": "INFO start\nERROR bad\nINFO end\n",
  Makefile: "all: ; touch built\n",
  "script.sh": "#!/bin/sh\necho hi > from-script\n",
  ".env": "SECRET=abc123\n",
  ".gitignore": "node_modules\nbuild\n",
  "build/out.js": "1;\n",
  "list.txt": "src/app.ts src/util.ts\n",
  "patch.diff": "--- a/docs/guide.md\n+++ b/docs/guide.md\n@@ -1,3 +1,3 @@\n # Guide\n \n-Read this.\n+Read that.\n",
  "evil.sed": "w pwned\n",
  "evil.awk": 'BEGIN { system("touch pwned") }\n',
};

/** Makes the files that the labels speak of, in a new folder. */
export function makeGround(): Ground {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "collet-labelled-")));
  const workspace = join(root, "ws");
  const home = join(root, "home");
  for (const [name, text] of Object.entries(FILES)) put(join(workspace, name), text);
  chmodSync(join(workspace, "script.sh"), 0o755);
  put(join(home, ".ssh/id_ed25519"), "a key\n");
  put(join(home, ".bashrc"), "\n");
  put(join(home, "notes.txt"), "notes\n");
  symlinkSync("/etc/hostname", join(workspace, "link-out"));
  symlinkSync("/bin/rm", join(workspace, "bin-link"));
  symlinkSync(home, join(workspace, "outlink"));
  git(workspace, "init", "-q", "-b", "main");
  git(workspace, "add", "package.json", "README.md", "src", "docs");
  git(workspace, "commit", "-q", "-m", "first");
  git(workspace, "add", "-A");
  git(workspace, "commit", "-q", "-m", "second");
  put(join(workspace, "README.md"), "# Ground\n\nA small project, changed.\n");
  return { root, workspace, home };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function git(cwd: string, ...args: readonly string[]): void {
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  const own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
  const { status, stderr } = spawnSync("git", [...own, ...args], { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}
