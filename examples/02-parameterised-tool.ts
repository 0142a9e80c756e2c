/**
 * One definition, several tools: a function from options to a tool.
 *
 * The tools read files, so they plan: `plan` looks and says what will be read, `execute` gets the plan.
 */
import { defineTool, result } from "collet";
import { createRuntime } from "collet/node";

// #region tool
const lookUp = defineTool((options: { table: string; file: string }) => ({
  name: `look_up_${options.table}`,
  description: `Find a line of the ${options.table} table by its first column.`,
  parameters: {
    type: "object",
    properties: { key: { type: "string", description: "Exact text of the first column." } },
    required: ["key"],
  },
  kinds: ["not_found"],
  async plan({ key }, { sandbox }) {
    const { path } = await sandbox.readText(options.file);
    return { effects: [{ kind: "file.read", sure: "exact", path }], path, key };
  },
  async execute({ path, key }, { sandbox }) {
    const { text } = await sandbox.readText(path);
    const row = text.split("\n").find((line) => line.split(",")[0] === key);
    return result({ output: row ?? `There is no ${key} in ${options.table}.`, found: row !== undefined });
  },
}));
// #endregion tool

export async function main(workspace: string): Promise<string[]> {
  const tools = [lookUp({ table: "users", file: "users.csv" }), lookUp({ table: "orders", file: "orders.csv" })];
  const runtime = await createRuntime({ workspace, tools, permissions: { mode: "read_only" } });
  try {
    const user = await runtime.call("look_up_users", { key: "ada" });
    const order = await runtime.call("look_up_orders", { key: "17" });
    const none = await runtime.call("look_up_orders", { key: "18" });
    return [user, order, none].map((envelope) => (envelope.ok ? envelope.output : `${envelope.error?.kind}: ${envelope.error?.message}`));
  } finally {
    await runtime.close();
  }
}
