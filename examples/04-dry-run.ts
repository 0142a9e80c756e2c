/**
 * A dry run: the plan of a call, and the decision that a real call would meet, with nothing done.
 */
import { createRuntime } from "collet/node";

export async function main(workspace: string): Promise<string[]> {
  // #region dry-run
  const runtime = await createRuntime({ workspace, permissions: { mode: "ask", asker: null, allow: ["write(src/**)"] } });
  const args = { path: "src/greeting.txt", content: "hello\n" };
  const planned = await runtime.call("write", args, { dryRun: true });
  if (!planned.ok || !planned.dry_run) throw new Error("the plan failed");
  const done = await runtime.call("write", args);
  // #endregion dry-run
  await runtime.close();
  const [effect] = planned.effects;
  const hash = effect?.kind === "file.write" && effect.sure === "exact" ? effect.after.sha256 : null;
  return [planned.output, planned.decision.outcome, `written: ${done.ok && !done.dry_run && done.sha256_after === hash}`];
}
