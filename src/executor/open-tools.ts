import type { SandboxPort } from "../sandbox/port.ts";
import type { Redactor } from "../secrets/index.ts";
import { type ToolSet, toolInternals } from "../tools/index.ts";
import { readView } from "./sandbox-view.ts";

export interface OpeningSession {
  readonly sandbox: SandboxPort;
  readonly tools: ToolSet;
  readonly redactor: Redactor;
  /** Real path. */
  readonly cwd: string;
  readonly sessionId: string;
}

/** Nothing of what is looked at is shown: no rule has a say. */
const PERMITS = {
  reads: () => true,
  guards: () => false,
  isSecret: () => false,
  isAsked: () => false,
  secretFiles: () => [],
  secretsBy: {},
};
/** Nobody reads it. */
const OVER = "the session is open";

/** Lets the tools look at what must not depend on what calls do. To be awaited before the first call of a session. */
export async function openTools({ sandbox: port, tools, redactor, cwd, sessionId }: OpeningSession): Promise<void> {
  const over = new AbortController();
  const sandbox = readView(port, { cwd, gate: () => {}, over: over.signal, redactor, permits: PERMITS });
  try {
    for (const tool of tools.list) await tool[toolInternals].open?.({ sandbox, workspace: port.workspace, sessionId });
  } finally {
    over.abort(OVER);
  }
}
