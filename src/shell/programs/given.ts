import type { GivenOption } from "../options.ts";
import type { Word } from "../word.ts";

/** True when one of the options, separated by blanks, was given. */
export function given(options: readonly GivenOption[], names: string): boolean {
  return options.some(({ name }) => names.split(" ").includes(name));
}

/** The values of one of the options, separated by blanks, in their order; an option without its value has none. */
export function valuesOf(options: readonly GivenOption[], names: string): readonly Word[] {
  return options.flatMap(({ name, value }) => (value !== null && names.split(" ").includes(name) ? [value] : []));
}
