import { showLine } from "../../base/show.ts";
import type { PolicyGate, WritePolicy } from "../../node.ts";

/** What a write policy says, as rows of a name and a text: where it comes from, its id and hash, and each of its rules. `file`: safe to show. */
export function writePolicyRows({ id, hash, allow_writes, deny_writes, bash }: WritePolicy, file: string): readonly (readonly string[])[] {
  const verify = bash === "disabled" ? [] : bash.verify;
  return [
    ["from", file],
    ["id", showLine(id)],
    ["hash", hash],
    ...listRows("allow_writes", allow_writes, "none: nothing is written"),
    ...listRows("deny_writes", deny_writes, "none"),
    ...listRows(
      "bash",
      verify.map((command) => `verify: ${command}`),
      "disabled: only what is certain to only read is run",
    ),
  ];
}

function listRows(name: string, values: readonly string[], none: string): readonly (readonly string[])[] {
  return values.length === 0 ? [[name, none]] : values.map((value, at) => [at === 0 ? name : "", showLine(value)]);
}

/** What a write policy leaves of one row of the gates, in a few words. */
export function writePolicyPart(
  row: string,
  left: NonNullable<PolicyGate["by_write_policy"]>,
  { allow_writes, bash }: WritePolicy,
): string {
  const verify = bash === "disabled" ? [] : bash.verify;
  if (left === "denies") return "by the write policy";
  const verifying = verify.length === 0 ? "" : `the commands to verify with: ${verify.map(showLine).join(" · ")}`;
  switch (row) {
    case "write":
    case "delete":
      return `the write policy leaves ${[allow_writes.map(showLine).join(", "), verifying && `what is done by ${verifying}`].filter(Boolean).join(", and ")}`;
    case "command outside":
      return "the write policy leaves what only reads";
    case "command":
      return `the write policy leaves ${verifying}`;
    default:
      return `the write policy leaves what is done by ${verifying}`;
  }
}
