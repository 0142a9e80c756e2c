/**
 * One program instead of a shell: its arguments are words that nothing expands, what they may begin with is bounded by the grant, and a secret
 * in its environment is seen by the program alone.
 */
import { secret } from "collet";
import { createRuntime } from "collet/node";
import { command, readOnlyTools } from "collet/tools";

// #region grant
const date = command({ command: "date", allow: ["-u", "+%Y"], env: { TZ: "UTC" } });
const deploy = command({ command: "printenv", name: "deploy", env: { API_TOKEN: secret("DEPLOY_TOKEN") } });
// #endregion grant

export async function main(workspace: string): Promise<string[]> {
  const runtime = await createRuntime({
    workspace,
    tools: [...readOnlyTools(), date, deploy],
    permissions: { mode: "auto" },
    secrets: { DEPLOY_TOKEN: "a-token-that-nobody-sees" },
  });
  try {
    const answers = [
      await runtime.call("date", { args: ["-u", "-d", "@0", "+%Y; echo $HOME"] }),
      await runtime.call("date", { args: ["--set", "2001-01-01"] }),
      await runtime.call("deploy", { args: "API_TOKEN" }),
      await runtime.call("bash", { command: "echo gone > users.csv" }),
    ];
    return answers.map((answer) => (answer.ok ? answer.output.trim() : `${answer.error?.kind}: ${answer.error?.details.reason}`));
  } finally {
    await runtime.close();
  }
}
