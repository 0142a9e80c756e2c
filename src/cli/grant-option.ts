import { Option } from "commander";

/** `--grant`, for a command that takes it. */
export function grantOption(): Option {
  const text = "a tool that runs this program alone, without a shell; behind a colon what its arguments may begin with; repeatable";
  return new Option("--grant <program>", text).argParser(gather);
}

function gather(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
