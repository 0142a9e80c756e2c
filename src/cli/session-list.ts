import { showLine } from "../base/show.ts";
import { listSessions, type SessionSummary } from "../log/index.ts";
import type { CommonFlags } from "./common-flags.ts";
import { firstCallText } from "./first-call.ts";
import type { Colors } from "./output.ts";
import { placeOf } from "./place.ts";
import type { Terminal } from "./terminal.ts";
import { shortLine } from "./view/args-text.ts";
import { counted } from "./view/bytes-text.ts";

export interface ListCommand {
  readonly terminal: Terminal;
  readonly flags: CommonFlags;
  /** Also those of single calls. */
  readonly all: boolean;
}

const DEFAULT_WIDTH = 120;

/** `collet sessions`. Returns the exit status. */
export async function listedSessions({ terminal, flags, all }: ListCommand): Promise<number> {
  const { out, err } = terminal;
  const { workspace, stateDir } = placeOf(terminal, flags);
  const found = await listSessions(stateDir, { workspace });
  const sessions = found.filter(({ content }) => all || content === "turns" || content === "broken");
  if (flags.json) {
    await out.write(`${JSON.stringify({ ok: true, workspace, sessions })}\n`);
    return 0;
  }
  const width = out.isTerminal ? (terminal.process.stdout.columns ?? DEFAULT_WIDTH) : DEFAULT_WIDTH;
  const idWidth = Math.max(...sessions.map(({ id }) => id.length));
  for (const session of sessions) {
    await out.write(`${await rowOf(session, { idWidth, width, colors: out.colors })}\n`);
    if (out.gone.aborted) return 0;
  }
  const hidden = found.length - sessions.length;
  if (flags.quiet || (sessions.length > 0 && hidden === 0)) return 0;
  const none = sessions.length > 0 ? "" : `no sessions in ${showLine(workspace)}`;
  const more = hidden > 0 ? `${counted(hidden, "session")} of single calls not shown: --all` : "";
  await err.write(err.colors.dim(`${[none, more].filter(Boolean).join("; ")}\n`));
  return 0;
}

interface RowLook {
  readonly idWidth: number;
  readonly width: number;
  readonly colors: Colors;
}

async function rowOf(session: SessionSummary, { idWidth, width, colors }: RowLook): Promise<string> {
  const { id, dir, started, content, status, prompt, prompt_is_cut: isCut, events, error } = session;
  const when = started === null ? "" : localTime(started);
  const state = content === "turns" ? (status ?? "unfinished") : content;
  const left = `${id.padEnd(idWidth)}  ${when.padEnd(16)}  `;
  const coloured = (state === "done" ? colors.green : content === "turns" || content === "broken" ? colors.red : colors.dim)(
    state.padEnd(11),
  );
  const room = Math.max(20, width - left.length - 13);
  const calls = content === "calls" ? await firstCallText(dir, room) : null;
  const about = prompt === null ? (error ? error.message : (calls ?? counted(events, "event"))) : prompt.trim() + (isCut ? "…" : "");
  return `${left}${coloured}  ${calls ?? shortLine(about, room)}`;
}

/** `2026-11-30 15:34` where the person is. */
function localTime(ts: string): string {
  const date = new Date(ts);
  const two = (part: number) => String(part).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return Number.isNaN(date.getTime()) ? "" : `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
