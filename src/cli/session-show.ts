import { type Failure, fail, isFailure } from "../base/fail.ts";
import { type AnyEvent, blobTexts, createFold, findSession, listSessions, readSessionLog } from "../log/index.ts";
import type { CommonFlags } from "./common-flags.ts";
import { ownCommand } from "./own-command.ts";
import { type Place, placeOf } from "./place.ts";
import { placeFlags } from "./place-flags.ts";
import { reportFailure } from "./report-failure.ts";
import type { Terminal } from "./terminal.ts";
import { counted } from "./view/bytes-text.ts";
import { sessionText } from "./view/session-text.ts";
import { wrapText } from "./view/wrap-text.ts";

export interface ShowCommand {
  readonly terminal: Terminal;
  readonly flags: CommonFlags;
}

/**
 * `collet sessions show ID`. A damaged line is passed over and told, and so is a blob that is gone; the rest is shown, and the
 * exit status is then that of `corrupt_log_line` or `resource_missing`.
 */
export async function showSession(id: string, { terminal, flags }: ShowCommand): Promise<number> {
  const { out, err } = terminal;
  const { dir } = await sessionDir(id, {
    ...placeOf(terminal, flags),
    at: placeFlags(flags),
    stateFlag: placeFlags({ stateDir: flags.stateDir }),
  });
  const damage = new Damage();
  let torn = 0;
  const events = readSessionLog(dir, {
    chain: "verify",
    onCorrupt: (failure) => damage.add(failure),
    onTorn: (tail) => {
      torn = tail.dropped_bytes;
    },
  });
  if (flags.json) await writeEvents(damage.bounded(events), terminal);
  else {
    const fold = createFold({ resolve: blobTexts(dir, (failure) => damage.add(failure)) });
    for await (const event of damage.bounded(events)) fold.push(event);
    const view = fold.end();
    const columns = out.columns();
    const text = sessionText(view, { colors: out.colors, workspace: view.started?.workspace ?? "", columns });
    await out.write(wrapText(text, columns));
  }
  if (torn > 0 && !flags.quiet) await err.write(`the last line is torn: ${counted(torn, "byte")} are no whole event\n`);
  const { first, count } = damage;
  if (!first) return 0;
  if (count > 1 && !flags.quiet) {
    const rest = damage.isTooMuch ? "; what follows was not read" : "";
    await err.write(`${count} parts of the log are damaged${rest}; the first of them:\n`);
  }
  return reportFailure(first, { output: err, form: flags.json ? "json" : "text", command: ownCommand(terminal) });
}

/** So much damage is looked through; a log with more is none. */
const MAX_DAMAGE = 1000;

/** What was found damaged, by its first and its number. */
class Damage {
  first: Failure | null = null;
  count = 0;
  isTooMuch = false;

  add(failure: Failure): void {
    this.first ??= failure;
    this.count++;
    if (this.count < MAX_DAMAGE) return;
    this.isTooMuch = true;
    throw failure;
  }

  /** The events until there is too much damage. */
  async *bounded(events: AsyncIterable<AnyEvent>): AsyncGenerator<AnyEvent> {
    try {
      yield* events;
    } catch (error) {
      if (!this.isTooMuch) throw error;
    }
  }
}

async function writeEvents(events: AsyncIterable<AnyEvent>, { out }: Terminal): Promise<void> {
  for await (const event of events) {
    await out.write(`${JSON.stringify(event)}\n`);
    if (out.gone.aborted) return;
  }
}

interface Sought extends Place {
  /** As `placeFlags` gives them. */
  readonly at: string;
  /** As `at`, without the workspace: for commands that are for another one. */
  readonly stateFlag: string;
}

/** So many sessions are named to someone who named none. */
const MAX_NAMED = 5;

/** With the ids that were likely meant as the next things to try, those of this workspace first. */
async function found(id: string, { stateDir, workspace, at }: Sought): Promise<{ readonly dir: string }> {
  try {
    return await findSession(stateDir, id);
  } catch (error) {
    if (!isFailure(error) || "next_actions" in error.details) throw error;
    const { ids, known } = error.details;
    const others = [ids, known].flatMap((some) => (Array.isArray(some) ? some.map(String) : []));
    const own = others.length === 0 ? [] : (await listSessions(stateDir, { workspace })).map((session) => session.id);
    const fitting = ids === undefined ? own : own.filter((each) => each.startsWith(id));
    const named = [...new Set([...fitting, ...others])].slice(0, MAX_NAMED);
    const next_actions = named.length > 0 ? named.map((each) => `collet sessions show ${each}${at}`) : [`collet sessions${at}`];
    throw fail(error.kind, error.message, { ...error.details, next_actions }, { cause: error });
  }
}

/** `last`: the newest conversation of this workspace; where there is none, the newest session of single calls. */
async function sessionDir(id: string, sought: Sought): Promise<{ readonly dir: string }> {
  if (id !== "last") return found(id, sought);
  const { workspace, stateDir, stateFlag } = sought;
  const sessions = await listSessions(stateDir, { workspace });
  const last = sessions.find(({ content }) => content === "turns") ?? sessions[0];
  if (last) return last;
  throw fail("not_found", `there are no sessions in ${workspace}`, {
    workspace,
    next_actions: [`collet sessions -C DIR${stateFlag}`, "collet demo"],
  });
}
