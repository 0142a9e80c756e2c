/** Cases from public bug reports about the tools of coding agents, each one call through the command line; see `source` and `why` in each. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { makePlace, start } from "./cli/harness.ts";

interface Entry {
  readonly path: string;
  readonly content?: string;
  readonly base64?: string;
  readonly repeat?: string;
  readonly size?: number;
  readonly tail?: string;
  readonly mode?: string;
  readonly symlink?: string;
  readonly fifo?: boolean;
}
interface After {
  readonly absent?: boolean;
  readonly content?: string;
  readonly base64?: string;
  readonly has_base64?: string;
  readonly lacks_base64?: string;
  readonly mode?: string;
  readonly symlink?: string;
}
interface Case {
  readonly id: string;
  readonly tool: string;
  readonly why: string;
  readonly files: readonly Entry[];
  readonly args: unknown;
  readonly dry_run: boolean;
  readonly options: {
    readonly command?: string;
    readonly permission?: string;
    readonly allow?: readonly string[];
    readonly host_env?: Record<string, string>;
  };
  readonly expect: {
    readonly ok?: boolean;
    readonly kind?: string;
    readonly exit_code?: number;
    readonly output_includes?: readonly string[];
    readonly output_excludes?: readonly string[];
    readonly max_output_bytes?: number;
    readonly max_seconds?: number;
    readonly settle_seconds?: number;
    readonly files_after?: Readonly<Record<string, After>>;
  };
}

/** Limits in the cases are for a quiet machine; what they guard against takes far longer, or for ever. */
const NOISE = 2;

const folder = fileURLToPath(new URL("cases", import.meta.url));
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name): Case => JSON.parse(readFileSync(join(folder, name), "utf8")));

function bytesOf({ base64, content = "", repeat, size = 0, tail = "" }: Entry): Buffer {
  const body = base64 === undefined ? Buffer.from(content) : Buffer.from(base64, "base64");
  const filling = repeat === undefined ? Buffer.alloc(0) : Buffer.alloc(size - body.length, repeat);
  return Buffer.concat([body, filling, Buffer.from(tail)]);
}

function materialise(entry: Entry, workspace: string): void {
  const target = resolve(workspace, entry.path);
  mkdirSync(dirname(target), { recursive: true });
  if (entry.symlink !== undefined) symlinkSync(entry.symlink, target);
  else if (entry.fifo) spawnSync("mkfifo", [target]);
  else {
    writeFileSync(target, bytesOf(entry));
    chmodSync(target, Number.parseInt(entry.mode ?? "644", 8));
  }
}

/** What is there, in the words of what is wanted, so that the two compare as wholes. */
function foundFor(wanted: After, target: string): After {
  const stat = lstatSync(target, { throwIfNoEntry: false });
  if (wanted.absent || !stat) return stat ? { absent: false } : { absent: true };
  const body = existsSync(target) ? readFileSync(target) : Buffer.alloc(0);
  const has = (base64: string) => body.includes(Buffer.from(base64, "base64"));
  return {
    ...(wanted.symlink === undefined ? {} : { symlink: stat.isSymbolicLink() ? readlinkSync(target) : "(no link)" }),
    ...(wanted.content === undefined ? {} : { content: body.toString() }),
    ...(wanted.base64 === undefined ? {} : { base64: body.toString("base64") }),
    ...(wanted.has_base64 === undefined ? {} : { has_base64: has(wanted.has_base64) ? wanted.has_base64 : "(lost)" }),
    ...(wanted.lacks_base64 === undefined ? {} : { lacks_base64: has(wanted.lacks_base64) ? "(there)" : wanted.lacks_base64 }),
    ...(wanted.mode === undefined ? {} : { mode: (statSync(target).mode & 0o7777).toString(8) }),
  };
}

describe("reported cases", () => {
  test.each(cases)("$id: $why", async ({ id, tool, args, files, dry_run, options, expect: wanted }) => {
    const place = makePlace();
    try {
      for (const entry of files) materialise(entry, place.workspace);
      const argsFile = join(place.root, "args.json");
      writeFileSync(argsFile, typeof args === "string" ? args : JSON.stringify(args));
      const permission = options.permission ? ["--permission", options.permission] : [];
      const allow = (options.allow ?? []).flatMap((prefix) => ["--allow", `command(${prefix})`]);
      // a scoped grant is called by its name
      const grant = tool === "command" ? options.command : undefined;
      const words = [
        "call",
        grant ?? tool,
        "--workspace",
        place.workspace,
        "--args-file",
        argsFile,
        ...(dry_run ? ["--dry-run"] : []),
        ...(grant === undefined ? [] : ["--grant", grant]),
        ...permission,
        ...allow,
      ];
      const began = performance.now();
      const { stdout } = await start(words, { place, env: options.host_env ?? {} }).ended;
      const seconds = (performance.now() - began) / 1000;

      const envelope = JSON.parse(stdout);
      const seen: string = envelope.error
        ? `${envelope.error.message}\n${JSON.stringify(envelope.error)}`
        : `${envelope.output}${JSON.stringify(envelope.content ?? "")}`;
      if (wanted.ok !== undefined) expect(envelope.ok, seen.slice(0, 300)).toBe(wanted.ok);
      if (wanted.kind !== undefined) expect(envelope.error?.kind, seen.slice(0, 300)).toBe(wanted.kind);
      if (wanted.exit_code !== undefined) expect(envelope.exit_code).toBe(wanted.exit_code);
      for (const part of wanted.output_includes ?? []) expect(seen).toContain(part);
      for (const part of wanted.output_excludes ?? []) expect(seen).not.toContain(part);
      if (wanted.max_output_bytes !== undefined) expect(Buffer.byteLength(seen)).toBeLessThanOrEqual(wanted.max_output_bytes);
      if (wanted.max_seconds !== undefined) expect(seconds, `${id} took too long`).toBeLessThanOrEqual(NOISE * wanted.max_seconds);
      await wait(1000 * (wanted.settle_seconds ?? 0));
      for (const [name, after] of Object.entries(wanted.files_after ?? {}))
        expect(foundFor(after, resolve(place.workspace, name)), name).toEqual(after);
    } finally {
      place.remove();
    }
  });
});
