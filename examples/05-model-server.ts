/**
 * A test of an agent without a provider: a model server of `collet/testing` on loopback speaks the provider's own protocol, from a script.
 *
 * The same server speaks Anthropic Messages, Chat Completions and OpenAI Responses: the runtime picks by `model`. It can also fail in the
 * ways that real ones do (`fault`).
 */
import { createRuntime } from "collet/node";
import { createModelServer } from "collet/testing";

export async function main(workspace: string): Promise<string[]> {
  // #region server
  const server = await createModelServer({
    steps: [{ text: "I will look.", calls: [{ name: "read", args: { path: "users.csv" } }] }, { text: "There is one user, Ada Lovelace." }],
  });
  const lines: string[] = [];
  for (const model of ["anthropic/any", "openai/any", "openai-compatible/any"]) {
    const runtime = await createRuntime({
      workspace,
      model,
      baseUrl: server.baseUrl,
      env: { ...process.env, ANTHROPIC_API_KEY: "test", OPENAI_API_KEY: "test" },
      permissions: { mode: "read_only" },
    });
    const { status, text } = await (await runtime.session()).run("Who is there?").result;
    lines.push(`${model}: ${status}, ${text}`);
    await runtime.close();
  }
  await server.close();
  // #endregion server
  return lines;
}
