import type { SandboxPort } from "../sandbox/index.ts";

/** A sandbox to be tried, and a way past it, to set files up and look at what became of them. All paths are absolute. */
export interface SandboxFixture {
  readonly sandbox: SandboxPort;
  /** Real path of an empty folder outside every root, on the same disk. */
  readonly outside: string;
  /** Writes a file, making its folders. */
  put(path: string, content: string | Uint8Array): void | Promise<void>;
  /** Makes a symbolic link, and its folders. */
  link(path: string, target: string): void | Promise<void>;
  folder(path: string): void | Promise<void>;
  /** What stands at the path itself, unresolved; `null` when nothing does. */
  look(path: string): Promise<{ readonly type: "file" | "directory" | "link"; readonly text?: string; readonly mode?: number } | null>;
  /** Called after each case. */
  close(): void | Promise<void>;
}

/** Cases by name. */
export type SandboxCases = Readonly<Record<string, (fixture: SandboxFixture) => Promise<void>>>;
