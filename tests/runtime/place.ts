import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { EphemeralEvent, LoggedEvent } from "../../src/log/index.ts";
import { createRuntime, type Runtime, type RuntimeOptions } from "../../src/node.ts";

export type AnyRunEvent = LoggedEvent | EphemeralEvent;

export interface Place {
  readonly root: string;
  readonly workspace: string;
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Folders of one test, removed when it ends. */
export function makePlace(files: Readonly<Record<string, string>> = {}): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "collet-runtime-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, "ws");
  mkdirSync(workspace);
  mkdirSync(join(root, "home"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  return { root, workspace, stateDir: join(root, "state"), env: { PATH: process.env.PATH, HOME: join(root, "home") } };
}

/** A runtime on a place, closed when the test ends, and the events that it makes. Mode `auto` unless the options say. */
export async function open(place: Place, options: Partial<RuntimeOptions> = {}): Promise<{ runtime: Runtime; events: AnyRunEvent[] }> {
  const events: AnyRunEvent[] = [];
  const { workspace, stateDir, env } = place;
  const runtime = await createRuntime({
    workspace,
    stateDir,
    env,
    permissions: { mode: "auto" },
    onEvent: (event) => void events.push(event),
    ...options,
  });
  onTestFinished(() => runtime.close());
  return { runtime, events };
}

/** Types of the logged events, in order. */
export function typesOf(events: readonly AnyRunEvent[]): string[] {
  return events.filter((event) => event.seq !== null).map((event) => event.type);
}

/** Data of the events of one type. */
export function dataOf<Type extends AnyRunEvent["type"]>(events: readonly AnyRunEvent[], type: Type): DataOf<Type>[] {
  // the check of `type` is what makes the data be of it
  return events.filter((event) => event.type === type).map((event) => event.data as DataOf<Type>);
}

type DataOf<Type extends AnyRunEvent["type"]> = Extract<AnyRunEvent, { type: Type }>["data"];
