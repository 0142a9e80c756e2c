/** Keeps six rules, one after the other, in a process of its own: node keep-rules.mjs WORKSPACE STATE NUMBER. */
import { createRuntime } from "../../dist/node.js";

const [workspace, stateDir, number] = process.argv.slice(2);
let count = 0;
const asker = async () => ({ answer: "allow", remember: { rules: [`write(f${number}-${count++})`], scope: "workspace" } });
const runtime = await createRuntime({ workspace, stateDir, rulesFiles: true, permissions: { mode: "ask", asker } });
for (let at = 0; at < 6; at += 1) {
  const result = await runtime.call("write", { path: `f${number}-${at}`, content: "x" });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
}
await runtime.close();
