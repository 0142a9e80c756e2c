/**
 * A tool of your own, called without a model.
 *
 * It declares what it does (here: nothing but compute, so `effects: []`), so it is allowed in every mode.
 */
import { defineTool, fail, result } from "collet";
import { createRuntime } from "collet/node";
import { codingTools } from "collet/tools";
import { z } from "zod";

// #region tool
export const convert = defineTool({
  name: "convert_temperature",
  description: "Convert a temperature between Celsius and Fahrenheit.",
  parameters: z.strictObject({
    degrees: z.number().describe("Temperature in the unit `from`."),
    from: z.enum(["C", "F"]).describe("Unit of `degrees`."),
  }),
  kinds: ["invalid_args"],
  examples: [{ degrees: 100, from: "C" }],
  effects: [],
  execute({ degrees, from }) {
    const kelvin = from === "C" ? degrees + 273.15 : ((degrees - 32) * 5) / 9 + 273.15;
    if (kelvin < 0) throw fail("invalid_args", `${degrees} °${from} is below absolute zero`, { reason: "below_absolute_zero" });
    const converted = from === "C" ? (degrees * 9) / 5 + 32 : ((degrees - 32) * 5) / 9;
    return result({ output: `${degrees} °${from} is ${converted} °${from === "C" ? "F" : "C"}.`, converted });
  },
});
// #endregion tool

export async function main(workspace: string): Promise<string[]> {
  const runtime = await createRuntime({ workspace, tools: [...codingTools(), convert], permissions: { mode: "read_only" } });
  try {
    const good = await runtime.call("convert_temperature", { degrees: 100, from: "C" });
    const bad = await runtime.call("convert_temperature", { degrees: -500, from: "C" });
    const wrong = await runtime.call("convert_temperature", { degrees: "hot", form: "C" });
    return [good, bad, wrong].map((envelope) => (envelope.ok ? envelope.output : `${envelope.error?.kind}: ${envelope.error?.message}`));
  } finally {
    await runtime.close();
  }
}
