import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesOfIndex } from "../../src/base/git-index.ts";

const HOOKS =
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout " +
  "post-merge pre-push post-rewrite post-index-change reference-transaction pre-auto-gc sendemail-validate fsmonitor-watchman";

/** A repository in which each thing that git may run leaves a file of its own in `marks`. */
export class HostileRepository {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "collet-git-")));
  readonly folder = join(this.base, "repository");
  readonly marks = join(this.base, "marks");
  readonly programs = join(this.base, "programs");

  constructor() {
    for (const folder of [this.folder, this.marks, this.programs, join(this.base, "home")]) mkdirSync(folder);
    this.git("init -q -b main");
    for (const [key, value] of [
      ["user.name", "A"],
      ["user.email", "a@example.com"],
    ] as const) {
      this.git(`config ${key} ${value}`);
    }
    this.write(".gitattributes", "*.x diff=evil filter=evil merge=evil\n");
    this.write("a.x", "one\n");
    this.write("b.txt", "two\n");
    mkdirSync(join(this.folder, "sub"));
    this.write("sub/c.txt", "three\n");
    this.git("add .");
    this.git("commit -q -m first");
    this.git("tag -a v1 -m v1");
    this.git("notes add -m note");
    this.write("a.x", "stashed\n");
    this.git("stash");
    this.git("checkout -q -b other");
    this.write("b.txt", "other\n");
    this.git("commit -q -a -m other");
    this.git("checkout -q main");
    this.write("b.txt", "main\n");
    this.git("commit -q -a -m second");
    this.signLastCommit();
    this.git("remote add origin ssh://localhost:1/x");
    this.git("bisect start HEAD HEAD~1");
    this.write(".gitignore", "ignored\n");
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Gives the commit a signature, which git hands to a program when it is to be checked. */
  signLastCommit(): void {
    const commit = execFileSync("git", ["cat-file", "commit", "HEAD"], { cwd: this.folder, encoding: "utf8" });
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n";
    const signed = commit.replace("\n\n", `\n${signature}\n`);
    const hash = this.git("hash-object -t commit -w --stdin", { input: signed }).stdout.trim();
    this.git(`update-ref refs/heads/main ${hash}`);
  }

  program(name: string): string {
    const path = join(this.programs, name);
    writeFileSync(path, `#!/bin/sh\n: > '${this.marks}/${name}'\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  }

  /** All that the environment can switch off. */
  trap(): void {
    for (const hook of HOOKS.split(" ")) {
      const path = join(this.folder, ".git/hooks", hook);
      mkdirSync(join(this.folder, ".git/hooks"), { recursive: true });
      writeFileSync(path, `#!/bin/sh\n: > '${this.marks}/hook-${hook}'\n`);
      chmodSync(path, 0o755);
    }
    const settings: Readonly<Record<string, string>> = {
      "core.fsmonitor": this.program("fsmonitor"),
      "core.pager": this.program("pager"),
      "pager.log": this.program("pager-log"),
      "core.editor": this.program("editor"),
      "core.sshCommand": this.program("ssh"),
      "core.askPass": this.program("askpass"),
      "credential.helper": `!${this.program("credential")}`,
      "sequence.editor": this.program("sequence-editor"),
      "log.showSignature": "true",
      "format.pretty": "signed",
      "pretty.signed": "%G?",
      "merge.tool": "evil",
      "mergetool.evil.cmd": this.program("mergetool"),
      "difftool.evil.cmd": this.program("difftool"),
      "alias.log": `!${this.program("alias-log")}`,
      "alias.status": `!${this.program("alias-status")}`,
      "alias.diff": `!${this.program("alias-diff")}`,
      "trace2.normalTarget": join(this.marks, "trace2"),
      "status.submoduleSummary": "true",
      "trailer.x.command": this.program("trailer"),
      "tar.x.command": this.program("tar"),
      "help.autocorrect": "immediate",
      "column.ui": "always",
    };
    for (const [key, value] of Object.entries(settings)) this.git(["config", key, value]);
  }

  /** Files look changed, and one is. */
  touch(): void {
    this.write("a.x", "eno\n");
    for (const name of ["b.txt", "sub/c.txt"]) utimesSync(join(this.folder, name), Date.now() / 1000, Math.random() * 1e9);
  }

  git(args: string | readonly string[], { input = "", env = {} }: { input?: string; env?: Readonly<Record<string, string>> } = {}) {
    const home = { PATH: process.env.PATH ?? "", HOME: join(this.base, "home"), GIT_CONFIG_NOSYSTEM: "1" };
    const words = typeof args === "string" ? args.split(" ") : args;
    return spawnSync("git", words, { cwd: this.folder, encoding: "utf8", input, env: { ...home, ...env }, timeout: 20_000 });
  }

  /** All files, those of git too, by their content; of the index what it names, since git notes times in it by the way. */
  files(): readonly string[] {
    const names = readdirSync(this.folder, { recursive: true, encoding: "utf8" }).sort();
    const texts = names.map((name) => {
      const path = join(this.folder, name);
      return lstatSync(path).isFile() && name !== ".git/index" ? `${name} ${readFileSync(path, "latin1")}` : name;
    });
    const index = filesOfIndex(readFileSync(join(this.folder, ".git/index")), 20);
    return [...texts, ...(index?.map(({ path, size }) => `${path} ${size}`) ?? [])];
  }

  /** What has run. */
  marked(): readonly string[] {
    return readdirSync(this.marks).sort();
  }

  clear(): void {
    for (const name of this.marked()) rmSync(join(this.marks, name));
  }
}
