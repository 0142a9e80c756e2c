import { mkdirSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { fail } from "../base/fail.ts";
import type { Ids } from "../base/ids.ts";
import { AppendFile, allDone, syncFolder } from "./append-file.ts";
import { type BlobStore, FolderBlobs } from "./blob-store.ts";
import { chainStart, hexOf, nextLink } from "./chain.ts";
import { encodeEvent, ephemeralEvent, type Writer } from "./event-line.ts";
import type { EphemeralData, EphemeralEvent, LoggedData, LoggedEvent } from "./events.ts";
import { osFailure } from "./os-error.ts";
import { pruneSpills } from "./prune-spills.ts";
import { makeFolders, makeNewFolder } from "./safe-folder.ts";
import { isSessionId, workspaceParts } from "./state-dir.ts";
import { recordWorkspace } from "./workspace-record.ts";

export const LOG_NAME = "log.ndjson";
/** How long a session that ends waits at most for the pruning of spills, which it began, on the one start of a day that does it. */
const PRUNING_WAIT_MS = 1000;

export interface SessionLogOptions {
  /** Absolute; made when it is missing. */
  readonly stateDir: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Letters, digits, `-`, `_`; 64 at most. */
  readonly sessionId: string;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Number of this writer of the session; default 1. */
  readonly epoch?: number;
}

/** The log of one session, held by its only writer. */
export interface SessionLog {
  readonly sessionId: string;
  /** The session's folder. */
  readonly dir: string;
  /** The log itself. */
  readonly path: string;
  /** A folder for output that was cut; `read` may page what is in it. */
  readonly spillDir: string;
  readonly blobs: BlobStore;
  /**
   * Writes one event as one line, in the order of the calls, before it returns; gives the event as it was written, what is above 8 KiB
   * being a blob. After a failure nothing of the event is in the log, and `seq` has not moved.
   * Kinds: log_encode_failed, log_write_failed, ephemeral_not_loggable, session_record_unavailable (closed).
   */
  append<Type extends keyof LoggedData>(type: Type, data: LoggedData[Type]): LoggedEvent;
  /** An event of this session that is streamed and never stored. */
  ephemeral<Type extends keyof EphemeralData>(type: Type, data: EphemeralData[Type]): EphemeralEvent;
  /** The chain's hash up to the last line, lower-case hex: what `turn_ended` holds as `head`. */
  head(): string;
  /** Brings every line and blob written until now to the disk. Calls may overlap. Kind: log_write_failed, for good. */
  sync(): Promise<void>;
  /** Syncs and closes, and waits a second at most for old spills to be pruned. Safe to call twice. Fails as `sync` does, and is closed then too. */
  close(): Promise<void>;
}

/**
 * Makes a session's folder, which must not be there yet, with an empty log. Nothing of it is left when that fails.
 * Kinds: invalid_args (session id, relative path), unsafe_state_path, session_start_failed.
 */
export async function createSessionLog(options: SessionLogOptions): Promise<SessionLog> {
  const { stateDir, workspace, sessionId, ids, clock, epoch = 1 } = options;
  if (!isSessionId(sessionId))
    throw fail("invalid_args", "a session id is letters, digits, - and _, 64 at most", { session_id: sessionId });
  for (const path of [stateDir, workspace]) {
    if (!isAbsolute(path)) throw fail("invalid_args", `not an absolute path: ${path}`, { path });
  }
  const folder = makeFolders(stateDir, workspaceParts(workspace));
  recordWorkspace(folder.path, workspace, sessionId);
  const sessions = makeFolders(stateDir, [...workspaceParts(workspace), "sessions"]);
  const dir = makeNewFolder(sessions.path, sessionId);
  try {
    mkdirSync(join(dir, "blobs"), { mode: 0o700 });
    mkdirSync(join(dir, "spill"), { mode: 0o700 });
    const file = new AppendFile(join(dir, LOG_NAME));
    const changed = [dir, sessions.path, folder.path, ...folder.changed, ...sessions.changed];
    return new FileLog(file, { writer: { sessionId, epoch, ids, clock }, dir, unsynced: changed, pruning: startPruning(stateDir, clock) });
  } catch (cause) {
    removeFolder(dir);
    throw osFailure("session_start_failed", "make the session's folder", { path: dir, cause });
  }
}

interface FileLogParts {
  readonly writer: Writer;
  readonly dir: string;
  /** Folders that got entries when the log was made. */
  readonly unsynced: readonly string[];
  readonly pruning: Pruning;
}

class FileLog implements SessionLog {
  readonly sessionId: string;
  readonly dir: string;
  readonly path: string;
  readonly spillDir: string;
  readonly blobs: FolderBlobs;
  readonly #pruning: Pruning;
  readonly #file: AppendFile;
  readonly #writer: Writer;
  /** Folders that got entries when the log was made, until the first sync. */
  readonly #unsyncedFolders: Set<string>;
  #seq = 0;
  /** Whether the last line holds the chain's hash. Nothing was written yet: there is nothing to hold. */
  #hasEnd = true;
  #chain = chainStart();
  #syncs: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(file: AppendFile, { writer, dir, unsynced, pruning }: FileLogParts) {
    this.#pruning = pruning;
    this.#file = file;
    this.#writer = writer;
    this.#unsyncedFolders = new Set(unsynced);
    this.sessionId = writer.sessionId;
    this.dir = dir;
    this.path = file.path;
    this.spillDir = join(dir, "spill");
    this.blobs = new FolderBlobs(join(dir, "blobs"));
  }

  append<Type extends keyof LoggedData>(type: Type, data: LoggedData[Type]): LoggedEvent {
    this.#file.refuseBroken();
    const { event, line } = encodeEvent(this.#writer, { seq: this.#seq, type, data }, (bytes, mimeType) =>
      this.blobs.putSync(bytes, mimeType),
    );
    this.#file.append(line);
    this.#seq++;
    this.#hasEnd = type === "turn_ended" || type === "log_closed";
    this.#chain = nextLink(this.#chain, line.subarray(0, -1));
    return event;
  }

  ephemeral<Type extends keyof EphemeralData>(type: Type, data: EphemeralData[Type]): EphemeralEvent {
    return ephemeralEvent(this.#writer, type, data);
  }

  head(): string {
    return hexOf(this.#chain);
  }

  sync(): Promise<void> {
    const sync = this.#syncs.then(() => this.#syncNow());
    this.#syncs = sync.catch(() => {});
    return sync;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
      .finally(() => this.#file.close())
      .finally(() => this.#pruning.end());
    return this.#closing;
  }

  async #end(): Promise<void> {
    if (!this.#hasEnd) this.append("log_closed", { head: this.head() });
    await this.sync();
  }

  async #syncNow(): Promise<void> {
    this.#file.refuseBroken();
    try {
      // at once: nothing that rests on them begins before all are there, and the disk takes them in one go
      await allDone([this.blobs.sync(), this.#file.sync()]);
      for (const folder of this.#unsyncedFolders) await syncFolder(folder);
      this.#unsyncedFolders.clear();
    } catch (cause) {
      throw this.#file.breakWith(osFailure("log_write_failed", "bring the log to the disk", { path: this.path, cause }));
    }
  }
}

interface Pruning {
  /** Resolves when it is done, or was given up after `PRUNING_WAIT_MS`. Never fails. */
  end(): Promise<void>;
}

/** Runs beside the session. A short one would end before it is done, each time anew, so that its end waits for it. */
function startPruning(stateDir: string, clock: Clock): Pruning {
  const over = new AbortController();
  const done = pruneSpills(stateDir, { nowMs: clock.now(), signal: over.signal });
  return {
    async end() {
      const cancel = clock.timer(PRUNING_WAIT_MS, () => over.abort());
      // ends soon after it is given up: it looks between any two files
      await done;
      cancel();
    },
  };
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // the failure that led here says more
  }
}
