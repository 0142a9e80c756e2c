/**
 * An agent from code: a model drives the tools, and an asker of your own decides what no rule covers.
 *
 * The model here is a scripted one, so that the example runs offline; put `"anthropic/NAME"` in its place for a real one.
 */
import type { Asker } from "collet";
import { createRuntime, scripted } from "collet/node";
import { codingTools } from "collet/tools";

// #region asker
/** Sees the whole plan: the command's words, the diff of a write. What it does not know it denies, and the model reads why. */
const asker: Asker = async ({ effects }) => {
  const onlyNotes = effects.every((effect) => effect.kind === "file.write" && effect.path.endsWith("/NOTES.md"));
  return onlyNotes ? { answer: "allow" } : { answer: "deny", reason: "only NOTES.md may be written" };
};
// #endregion asker

const model = scripted([
  { text: "I will take a note.", calls: [{ name: "write", args: { path: "NOTES.md", content: "# Notes\n" } }] },
  { text: "And clean up.", calls: [{ name: "bash", args: { command: "rm -rf build" } }] },
  { text: "I wrote NOTES.md; I was not allowed to remove build." },
]);

export async function main(workspace: string): Promise<string[]> {
  const runtime = await createRuntime({ workspace, model, tools: codingTools(), permissions: { mode: "ask", asker } });
  const lines: string[] = [];
  try {
    // #region run
    const session = await runtime.session();
    const run = session.run("Take a note, then clean up.");
    for await (const event of run) {
      if (event.type === "tool_result") lines.push(event.data.ok ? "done" : `failed: ${event.data.error?.kind}`);
    }
    const { status, text } = await run.result;
    // #endregion run
    return [...lines, status, text];
  } finally {
    await runtime.close();
  }
}
