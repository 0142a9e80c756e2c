import type { CommonFlags } from "../common-flags.ts";
import { whileInterruptible } from "../interrupts.ts";
import { type Place, placeOf } from "../place.ts";
import { type OwnOptions, runtimeOptionsOf } from "../runtime-options.ts";
import type { Terminal } from "../terminal.ts";
import type { Look } from "../view/look.ts";

/** What every command about the policy works with. */
export interface PolicyCommand {
  readonly terminal: Terminal;
  readonly flags: CommonFlags;
}

/** The options of the runtime that `collet run` would make here, that asks nobody and keeps no log. */
export async function policyPlace({ terminal, flags }: PolicyCommand): Promise<{ readonly place: Place; readonly options: OwnOptions }> {
  const place = placeOf(terminal, flags);
  const options = await whileInterruptible(terminal, (signal) =>
    runtimeOptionsOf({ terminal, flags, place, defaultMode: "ask", signal }, null),
  );
  return { place, options: { ...options, log: false } };
}

export function lookOf({ out }: Terminal, { workspace, home }: Pick<Place, "workspace" | "home">): Look {
  return { colors: out.colors, workspace, home, columns: out.columns() };
}

/** One document on standard output. */
export async function tellJson({ out }: Terminal, value: object): Promise<void> {
  await out.write(`${JSON.stringify({ ok: true, ...value })}\n`);
}
