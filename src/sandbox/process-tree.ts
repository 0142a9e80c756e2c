import type { Clock } from "../base/clock.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";

/** A process and all that came from it. */
export interface ProcessTree {
  /**
   * Looks now and then who is there, where that is quick: who was seen once is found again, though it has dropped session, parents and
   * environment by then. Returns what ends it.
   */
  watch(): () => void;
  /**
   * Ends them: TERM, and after 2 s KILL. Resolves when none is left, or 2 s after the first KILL: one that hangs in the kernel cannot be
   * ended. Returns how many there were besides the first process.
   */
  end(): Promise<number>;
  /** KILL to all that a single look finds, for the moment when this process itself ends and nothing can be waited for. */
  killNow(): void;
}

export interface ProcessTreeOptions {
  /** Leader of a session and group of its own. */
  readonly first: number;
  /** Random text in the environment of the first process and nowhere else: whatever carries it is ended. At least 32 characters. */
  readonly mark: string;
  readonly table: ProcessTable;
  readonly clock: Clock;
}

/** From one look to the next while the command runs: it doubles, since what is to last mostly starts soon. */
export const FIRST_LOOK_MS = 20;
const LAST_LOOK_MS = 2_000;
/** From TERM to KILL, and from KILL to giving up. */
const GRACE_MS = 2_000;

/**
 * Descendants are what has a descendant for parent, stands in a group or session of one, or carries the mark in its environment; so
 * `setsid`, `nohup` and double forks are found, also when their parents are gone. What escapes: a process that left session and parents
 * *and* was started with another environment (`env -i setsid …`, a daemon that overwrites its own) before any look saw it, one that moves
 * on faster than the table is read, and what somebody else started on request (cron, a service manager, a container engine).
 */
export function createProcessTree({ first, mark, table, clock }: ProcessTreeOptions): ProcessTree {
  if (!/^\w{32,}$/.test(mark)) throw new TypeError("createProcessTree(): a short mark could stand in the environment of any process");
  const startedAt = clock.monotonic();
  const kinship = createKinship(first, mark, table);

  async function members(): Promise<Found> {
    const look = async () => kinship.among(await table.rows(first, clock.monotonic() - startedAt));
    const found = await look();
    if (found.count > 0 || !found.unclear) return found;
    await pause(clock, 1);
    return look();
  }

  /** Looks again, ever more rarely, and hands what is still there to `again`. True when nothing is. */
  async function gone(again: (found: Found) => void): Promise<boolean> {
    const deadline = clock.monotonic() + GRACE_MS;
    for (let wait = 1; clock.monotonic() < deadline; wait = Math.min(wait * 2, 50)) {
      await pause(clock, wait);
      const found = await members();
      if (found.count === 0) return true;
      again(found);
    }
    return false;
  }

  return {
    watch() {
      let cancel = () => {};
      const lookIn = (ms: number) => {
        cancel = clock.timer(ms, () => {
          const rows = table.mayHaveDescendants(first) ? table.rows(first, clock.monotonic() - startedAt) : [];
          if (!(rows instanceof Promise) && rows !== null) kinship.among(rows);
          lookIn(Math.min(2 * ms, LAST_LOOK_MS));
        });
      };
      if (table.isQuick) lookIn(FIRST_LOOK_MS);
      return () => cancel();
    },

    async end() {
      if (!table.mayHaveDescendants(first) && !isThere(first)) return 0;
      const found = await members();
      if (found.count === 0) return 0;
      const told = new Set<string>();
      const term = (now: Found) => terminate(now, told);
      term(found);
      if (!(await gone(term))) {
        kill(await members());
        await gone(kill);
      }
      // one that was on its way out has left nothing running
      return found.count - found.rows.filter((row) => row.pid === first || row.isEnding).length;
    },

    killNow() {
      const rows = table.rows(first, clock.monotonic() - startedAt);
      kill(kinship.among(rows instanceof Promise ? null : rows));
    },
  };
}

interface Found {
  readonly rows: readonly ProcessRow[];
  /** How many there are: one, the group of the first process, when the table cannot be read. */
  readonly count: number;
  /** Groups that hold nothing but descendants. */
  readonly groups: ReadonlySet<number>;
  /** True when a process might be one and did not say. */
  readonly unclear: boolean;
}

/**
 * TERM to each, once: it may be at work on its end. Parents first: a shell whose child is ended before it would begin with its next command.
 */
function terminate({ rows, groups, count }: Found, told: Set<string>): void {
  for (const row of rows) {
    if (told.has(identity(row))) continue;
    told.add(identity(row));
    signal(row.pid, "SIGTERM");
    // a stopped process takes the TERM only when it goes on
    signal(row.pid, "SIGCONT");
  }
  if (rows.length === 0 && count > 0) for (const group of groups) signal(-group, "SIGTERM");
}

/** KILL to whole groups at once, so that none of them can fork in between. */
function kill({ rows, groups, count }: Found): void {
  const present = new Set(rows.map((row) => row.group));
  for (const group of groups) if (present.has(group) || (rows.length === 0 && count > 0)) signal(-group, "SIGKILL");
  for (const row of rows) signal(row.pid, "SIGKILL");
}

/** What is known of the family from look to look: who was found once stays found, though its parents go. */
function createKinship(first: number, mark: string, table: ProcessTable) {
  const members = new Set<string>();
  const strangers = new Set<string>();
  const groups = new Set([first]);
  const sessions = new Set([first]);

  function isMarked(row: ProcessRow): boolean | null {
    if (strangers.has(identity(row))) return false;
    const carries = table.carries(row.pid, mark);
    if (carries === "no") strangers.add(identity(row));
    return carries === "unclear" ? null : carries === "yes";
  }

  function among(all: readonly ProcessRow[] | null): Found {
    if (all === null) return { rows: [], count: isThere(-first) ? 1 : 0, groups: new Set([first]), unclear: false };
    // threads of the kernel are in no group
    const rows = all.filter((row) => row.pid !== process.pid && row.group > 0);
    const byParent = groupedBy(rows, (row) => row.parent);
    const byGroup = groupedBy(rows, (row) => row.group);
    const bySession = groupedBy(rows, (row) => row.session);
    const pids = new Set(rows.map((row) => row.pid));
    const kin = new Map<number, ProcessRow>();
    // a group or session is theirs when its leader is one of them, or is dead
    const isTheirs = (leader: number) => leader > 1 && (kin.has(leader) || (!pids.has(leader) && !isThere(leader)));

    function follow(start: readonly ProcessRow[]): void {
      // first come, first found: parents stand before their children
      const queue = [...start];
      for (const row of queue) {
        if (kin.has(row.pid)) continue;
        kin.set(row.pid, row);
        members.add(identity(row));
        if (isTheirs(row.group)) groups.add(row.group);
        if (isTheirs(row.session)) sessions.add(row.session);
        queue.push(...(byParent.get(row.pid) ?? []));
        if (groups.has(row.group)) queue.push(...(byGroup.get(row.group) ?? []));
        if (sessions.has(row.session)) queue.push(...(bySession.get(row.session) ?? []));
      }
    }

    follow(rows.filter((row) => groups.has(row.group) || sessions.has(row.session) || members.has(identity(row))));
    let unclear = false;
    for (const row of rows) {
      if (kin.has(row.pid)) continue;
      const marked = isMarked(row);
      if (marked) follow([row]);
      unclear ||= marked === null;
    }
    return { rows: [...kin.values()], count: kin.size, groups, unclear };
  }

  return { among };
}

function groupedBy(rows: readonly ProcessRow[], key: (row: ProcessRow) => number): Map<number, ProcessRow[]> {
  const groups = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}

const identity = (row: ProcessRow) => `${row.pid}:${row.started}`;

const pause = (clock: Clock, ms: number) => new Promise<void>((resolve) => clock.timer(ms, resolve));

function signal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // gone already, or not ours to signal
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
