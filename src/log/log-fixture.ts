import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import { createSessionLog, type SessionLog, type SessionLogOptions } from "./session-log.ts";

/** For the tests of this room: real folders below the system's temporary one, ids that count, and a clock that goes on by one. */
export interface LogFixture {
  /** Holds all the rest; to be removed at the end. */
  readonly root: string;
  readonly stateDir: string;
  readonly workspace: string;
  readonly ids: Ids;
  readonly clock: Clock;
  open(more?: Partial<SessionLogOptions>): Promise<SessionLog>;
}

export function logFixture(): LogFixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "collet-log-")));
  const workspace = join(root, "workspace");
  mkdirSync(workspace);
  const stateDir = join(root, "home", "state", "collet");
  let sessions = 0;
  let events = 0;
  let time = Date.UTC(2026, 10, 30);
  const ids: Ids = { session: () => `20261130-00000${++sessions}-abcd`, event: () => `e${++events}` };
  const clock: Clock = { now: () => time++, monotonic: () => time, timer: () => () => {} };
  return {
    root,
    stateDir,
    workspace,
    ids,
    clock,
    open: (more = {}) => createSessionLog({ stateDir, workspace, sessionId: more.sessionId ?? ids.session(), ids, clock, ...more }),
  };
}
