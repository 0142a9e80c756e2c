import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../base/fail.ts";
import { osFailure } from "./os-error.ts";
import { findFolder } from "./safe-folder.ts";
import { type SessionSummary, summarise } from "./session-summary.ts";
import { isSessionId, workspaceParts } from "./state-dir.ts";

/** Logs that are looked at beside each other; it bounds descriptors. */
const AT_ONCE = 16;

/**
 * The sessions of one workspace (its real path), or of all, newest first by the time in their first line, broken ones in their place by
 * their name. No state folder: none. Kinds: unsafe_state_path, log_read_failed.
 */
export async function listSessions(stateDir: string, which: { readonly workspace: string } | "all"): Promise<readonly SessionSummary[]> {
  const found = await findAll(stateDir, which);
  const summaries: SessionSummary[] = [];
  for (let from = 0; from < found.length; from += AT_ONCE) {
    summaries.push(...(await Promise.all(found.slice(from, from + AT_ONCE).map(({ dir, id }) => summarise(dir, id)))));
  }
  return summaries.sort(byAge);
}

/**
 * The folder of the session whose id is, or alone begins with, `id`, in whatever workspace. Kinds: not_found (details: the newest ids),
 * invalid_args (no id, or the start of several: details `ids`), and those of `listSessions`.
 */
export async function findSession(stateDir: string, id: string): Promise<{ readonly dir: string; readonly id: string }> {
  if (!isSessionId(id)) throw fail("invalid_args", "a session id is letters, digits, - and _, 64 at most", { session_id: id });
  const all = await findAll(stateDir, "all");
  const exact = all.filter((session) => session.id === id);
  const matches = exact.length > 0 ? exact : all.filter((session) => session.id.startsWith(id));
  const [match, second] = matches;
  if (match && !second) return match;
  const ids = (match ? matches : all)
    .map((session) => session.id)
    .sort()
    .reverse()
    .slice(0, 5);
  if (match) throw fail("invalid_args", `"${id}" is the start of several session ids`, { session_id: id, reason: "ambiguous", ids });
  throw fail("not_found", `there is no session ${id}`, { session_id: id, known: ids });
}

async function findAll(stateDir: string, which: { readonly workspace: string } | "all"): Promise<{ dir: string; id: string }[]> {
  const workspaces = which === "all" ? await keysIn(stateDir) : [workspaceParts(which.workspace)];
  const found: { dir: string; id: string }[] = [];
  for (const parts of workspaces) {
    const folder = findFolder(stateDir, [...parts, "sessions"]);
    const names = folder ? await namesIn(folder) : [];
    for (const id of names.filter(isSessionId)) found.push({ dir: join(folder ?? "", id), id });
  }
  return found;
}

async function keysIn(stateDir: string): Promise<readonly (readonly string[])[]> {
  const folder = findFolder(stateDir, ["workspaces"]);
  const names = folder ? await namesIn(folder) : [];
  return names.filter((name) => /^[0-9a-f]{16}$/.test(name)).map((name) => ["workspaces", name]);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw osFailure("log_read_failed", "list the sessions", { path: folder, cause });
  }
}

function byAge(a: SessionSummary, b: SessionSummary): number {
  // an id begins with its time too, so it stands in where no line tells it
  return compare(b.started ?? timeOf(b.id), a.started ?? timeOf(a.id)) || compare(b.id, a.id);
}

function timeOf(id: string): string {
  return id.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d).*/, "$1-$2-$3T$4:$5:$6");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
