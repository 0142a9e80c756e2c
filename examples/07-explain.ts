/**
 * How a call would be decided, effect by effect, with nothing run, asked or recorded.
 */
import { createRuntime } from "collet/node";

export async function main(workspace: string): Promise<string[]> {
  // #region explain
  const runtime = await createRuntime({
    workspace,
    permissions: { mode: "ask", asker: null, allow: ["write(src/**)"], deny: ["write(src/generated/**)"] },
  });
  const { effects, rulings, decision, offers } = await runtime.explain("write", { path: "docs/a.md", content: "hello\n" });
  // #endregion explain
  await runtime.close();
  const told = effects.map((effect, at) => `${effect.kind}: ${rulings[at]?.outcome} by ${rulings[at]?.rule}`);
  return [...told, `decision: ${decision?.outcome}`, `would be allowed by ${offers[0]}`];
}
