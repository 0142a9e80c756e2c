import type { GivenOption } from "../options.ts";

/** True when one of the options, separated by blanks, was given. */
export function given(options: readonly GivenOption[], names: string): boolean {
  return options.some(({ name }) => names.split(" ").includes(name));
}
