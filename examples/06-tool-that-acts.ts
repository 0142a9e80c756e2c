/**
 * A tool that writes and runs a command. Its plan says both before anything is done, so they are decided, shown and recorded first; what
 * `execute` does beside its plan is refused.
 */
import { defineTool, result } from "collet";
import { createRuntime } from "collet/node";
import { z } from "zod";

// #region tool
const stamp = defineTool({
  name: "stamp",
  description: "Write the version of Node into a file.",
  parameters: z.strictObject({ path: z.string().describe("File to write.") }),
  kinds: ["write_failed", "changed_since_plan"],
  effectKinds: ["file.write", "command"],
  examples: [{ path: "VERSION" }],
  async plan({ path: asked }, { sandbox, cwd }) {
    // where the path leads, and what is there now: a change in between is refused, not overwritten
    const { path, version } = await sandbox.version(asked);
    return {
      effects: [
        { kind: "command", sure: "declared", argv: ["node", "--version"], cwd },
        { kind: "file.write", sure: "declared", path },
      ],
      path,
      before: version?.sha256 ?? null,
    };
  },
  async execute({ path, before }, { sandbox }) {
    const { output, exit_code } = await sandbox.exec({ argv: ["node", "--version"], timeoutMs: 10_000 });
    if (exit_code !== 0) return result({ output, exit_code });
    const { size_bytes } = await sandbox.write(path, new TextEncoder().encode(output), { before });
    return result({ output: `Wrote ${size_bytes} bytes.`, path });
  },
});
// #endregion tool

export async function main(workspace: string): Promise<string[]> {
  const runtime = await createRuntime({
    workspace,
    tools: [stamp],
    permissions: { mode: "ask", asker: null, allow: ["command(node --version $)", "write(VERSION)"] },
  });
  try {
    const written = await runtime.call("stamp", { path: "VERSION" });
    const refused = await runtime.call("stamp", { path: "package.json" });
    return [written, refused].map((envelope) => (envelope.ok ? envelope.output : `${envelope.error?.kind}: ${envelope.error?.message}`));
  } finally {
    await runtime.close();
  }
}
