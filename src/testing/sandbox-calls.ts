import { sha256 } from "../base/hash.ts";
import type { Access, Gate, SandboxPort } from "../sandbox/index.ts";

/** Every file method of a sandbox by name, called on one path from the workspace; writes are of a new file, `x`. */
export const FILE_CALLS: Readonly<Record<string, (sandbox: SandboxPort, path: string, gate?: Gate) => Promise<unknown>>> = {
  stat: (sandbox, path, gate) => sandbox.stat(path, accessTo(sandbox, gate)),
  read: (sandbox, path, gate) => sandbox.read(path, { ...accessTo(sandbox, gate), maxBytes: 1000 }),
  stream: async (sandbox, path, gate) => (await sandbox.stream(path, accessTo(sandbox, gate))).close(),
  version: (sandbox, path, gate) => sandbox.version(path, accessTo(sandbox, gate)),
  list: (sandbox, path, gate) => sandbox.list(path, accessTo(sandbox, gate)),
  write: (sandbox, path, gate) => writeText(sandbox, path, { text: "x", before: null, gate }),
  remove: (sandbox, path, gate) => sandbox.remove(path, { ...accessTo(sandbox, gate), before: sha256("x") }),
};

/** Access from the workspace; the gate is open unless one is given. */
export function accessTo(sandbox: SandboxPort, gate: Gate = () => {}): Access {
  return { cwd: sandbox.workspace, gate };
}

export async function readText(sandbox: SandboxPort, path: string): Promise<string> {
  const { bytes } = await sandbox.read(path, { ...accessTo(sandbox), maxBytes: 1_000_000 });
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

export interface TextToWrite {
  readonly text: string;
  readonly before: string | null;
  readonly mode?: number;
  readonly gate?: Gate | undefined;
}

export function writeText(
  sandbox: SandboxPort,
  path: string,
  { text, before, mode = 0o644, gate }: TextToWrite,
): ReturnType<SandboxPort["write"]> {
  return sandbox.write(path, new TextEncoder().encode(text), { ...accessTo(sandbox, gate), before, mode });
}

/** All pieces of a stream, joined, and their number. */
export async function streamBytes(sandbox: SandboxPort, path: string): Promise<{ readonly bytes: Uint8Array; readonly pieces: number }> {
  const stream = await sandbox.stream(path, accessTo(sandbox));
  const pieces: Uint8Array[] = [];
  for await (const piece of stream.chunks) pieces.push(piece);
  await stream.close();
  return { bytes: Buffer.concat(pieces), pieces: pieces.length };
}
