import { fail } from "../base/fail.ts";
import type { EventStore } from "../executor/index.ts";
import { createSessionLog, createSpillFile, type SessionLog, transientLog } from "../log/index.ts";
import type { Host } from "./host.ts";

/** Where the events of one session go. */
export interface Store extends EventStore {
  /** Folder of spilled output; null: what does not fit is dropped. */
  readonly spillDir: string | null;
  /** Hash that the next line of the log chains to. */
  head(): string;
  close(): Promise<void>;
}

/** A log in the state folder, or one that is gone with the session. Kinds: unsafe_state_path, session_record_unavailable. */
export async function openStore(host: Host, { workspace, isKept }: { workspace: string; isKept: boolean }): Promise<Store> {
  const { stateDir, ids, clock } = host;
  if (!isKept) return { ...transientLog({ sessionId: ids.session(), epoch: 1, ids, clock }), spillDir: null, spill: () => null };
  if (stateDir === null) {
    throw fail("unsafe_state_path", "there is no home folder for the state; set COLLET_STATE_DIR", { reason: "no_home" });
  }
  return storeOf(await createSessionLog({ stateDir, workspace, sessionId: ids.session(), ids, clock }));
}

function storeOf(log: SessionLog): Store {
  const spills = new Map<string, number>();
  return {
    sessionId: log.sessionId,
    spillDir: log.spillDir,
    append: (type, data) => log.append(type, data),
    ephemeral: (type, data) => log.ephemeral(type, data),
    sync: () => log.sync(),
    putBlob: (bytes, mimeType) => log.blobs.put(bytes, mimeType),
    spill(name) {
      // a call may run several commands; a spill is never reused
      const count = (spills.get(name) ?? 0) + 1;
      spills.set(name, count);
      const { sink, close } = createSpillFile(log.spillDir, count === 1 ? name : `${name}-${count}`);
      return { sink, close: () => close().path };
    },
    head: () => log.head(),
    close: () => log.close(),
  };
}
