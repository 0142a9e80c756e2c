import type { Input } from "./doing.ts";
import { placesOf } from "./file-effects.ts";
import type { Machine } from "./machine.ts";
import type { State } from "./state.ts";

/** Lists of paths by lines only as far as their lines can be told apart: a name may hold a line break, and blanks that others split at. */
export async function surePaths(input: Input, { state, machine }: { readonly state: State; readonly machine: Machine }): Promise<Input> {
  if (input.kind !== "paths" || input.end !== "\n" || input.plain) return input;
  if (state.stale) return { kind: "unknown" };
  for (const below of input.below) {
    const places = placesOf(below === "" ? "." : below, state);
    if (places === null) return { kind: "unknown" };
    for (const place of places) {
      const { complete, oddNames } = await machine.look.tree(place);
      if (!complete || oddNames) return { kind: "unknown" };
    }
  }
  return { ...input, plain: true };
}
