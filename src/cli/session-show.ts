import { type Failure, fail, isFailure } from "../base/fail.ts";
import { type AnyEvent, blobTexts, createFold, findSession, listSessions, readSessionLog } from "../log/index.ts";
import type { CommonFlags } from "./common-flags.ts";
import { ownCommand } from "./own-command.ts";
import { type Place, placeOf } from "./place.ts";
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
  const { dir } = await sessionDir(id, placeOf(terminal, flags));
  const damage: Failure[] = [];
  let torn = 0;
  const events = readSessionLog(dir, {
    onCorrupt: (failure) => damage.push(failure),
    onTorn: (tail) => {
      torn = tail.dropped_bytes;
    },
  });
  if (flags.json) await writeEvents(events, terminal);
  else {
    const fold = createFold({ resolve: blobTexts(dir, (failure) => damage.push(failure)) });
    for await (const event of events) fold.push(event);
    const view = fold.end();
    const columns = out.columns();
    const text = sessionText(view, { colors: out.colors, workspace: view.started?.workspace ?? "", columns });
    await out.write(wrapText(text, columns));
  }
  if (torn > 0 && !flags.quiet) await err.write(`the last line is torn: ${counted(torn, "byte")} are no whole event\n`);
  const [first] = damage;
  if (!first) return 0;
  if (damage.length > 1 && !flags.quiet) await err.write(`${damage.length} parts of the log are damaged; the first of them:\n`);
  return reportFailure(first, { output: err, form: flags.json ? "json" : "text", command: ownCommand(terminal) });
}

async function writeEvents(events: AsyncIterable<AnyEvent>, { out }: Terminal): Promise<void> {
  for await (const event of events) {
    await out.write(`${JSON.stringify(event)}\n`);
    if (out.gone.aborted) return;
  }
}

/** With the ids that were likely meant as the next things to try. */
async function found(stateDir: string, id: string): Promise<{ readonly dir: string }> {
  try {
    return await findSession(stateDir, id);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const ids = error.details.ids ?? error.details.known;
    const next_actions =
      Array.isArray(ids) && ids.length > 0 ? ids.map((known) => `collet sessions show ${String(known)}`) : ["collet sessions"];
    throw fail(error.kind, error.message, { ...error.details, next_actions }, { cause: error });
  }
}

/** `last`: the newest conversation of this workspace; where there is none, the newest session of single calls. */
async function sessionDir(id: string, { workspace, stateDir }: Place): Promise<{ readonly dir: string }> {
  if (id !== "last") return found(stateDir, id);
  const sessions = await listSessions(stateDir, { workspace });
  const last = sessions.find(({ content }) => content === "turns") ?? sessions[0];
  if (last) return last;
  throw fail("not_found", `there are no sessions in ${workspace}`, {
    workspace,
    next_actions: ["collet sessions --all -C DIR", "collet demo"],
  });
}
