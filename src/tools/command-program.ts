import { fail } from "../base/fail.ts";
import { isWithin } from "../base/real-path.ts";
import type { PlanContext } from "./contract.ts";

/** Where a granted program lies. */
export interface GrantedProgram {
  /** What it is called by: its name as it was granted, or, of a path, where that is. */
  readonly word: string;
  /** What is started: the place that its name or path stands for, in its real folder. */
  readonly place: string;
  /** The file that the place leads to. */
  readonly file: string;
  /** Hash of what lies in the workspace; `null` for what lies outside. */
  readonly sha256: string | null;
}

type Where = Pick<PlanContext, "sandbox" | "workspace" | "sessionId">;

/** Sessions whose programs are known, at most: the oldest is forgotten. */
const MAX_SESSIONS = 1_000;

/** Links that lead every process to its own place. */
const MAGIC = /^\/(?:proc|dev)(?:\/|$)/;

/**
 * Finds a granted program, once for each session. From then on it is the same place and file, and in the workspace the same bytes: what else
 * is found there later is refused, since whoever writes in the workspace would choose what runs.
 * Kind: command_failed (`reason`: `not_found`; `in_workspace` for a bare name that leads there; `program_changed`).
 */
export function createProgramFinder(command: string): (where: Where) => Promise<GrantedProgram> {
  const known = new Map<string, GrantedProgram>();
  return async (where) => {
    const found = await findProgram(command, where);
    const session = `${where.sessionId}\0${where.workspace}`;
    const first = known.get(session);
    if (first === undefined) {
      known.set(session, found);
      const [oldest] = known.keys();
      if (known.size > MAX_SESSIONS && oldest !== undefined) known.delete(oldest);
      return found;
    }
    if (first.place === found.place && first.file === found.file && first.sha256 === found.sha256) return found;
    throw fail("command_failed", `${command} is another file than when this session first used it; it was not started`, {
      program: command,
      reason: "program_changed",
      path: found.file,
      path_before: first.file,
    });
  };
}

async function findProgram(command: string, { sandbox, workspace }: Where): Promise<GrantedProgram> {
  const isPath = command.includes("/");
  // a path of the user's home is the file that it leads to
  const spelled = command.startsWith("~/") ? (await sandbox.resolve(command)).path : command;
  const { places } = await sandbox.survey.program(spelled, workspace);
  const [place, file] = [places[0], places.at(-1)];
  if (place === undefined || file === undefined || places.some((each) => MAGIC.test(each))) {
    const text = isPath ? `there is no program at ${command}` : `there is no program ${JSON.stringify(command)} in the PATH for commands`;
    throw fail("command_failed", text, { program: command, reason: "not_found" });
  }
  if (!isPath && places.some((each) => isWithin(each, workspace))) {
    const text = `${command} leads into the workspace, to ${file}; a program that lies there is granted by its path, such as ./bin/${command}`;
    throw fail("command_failed", text, { program: command, reason: "in_workspace", path: file });
  }
  const word = isPath ? place : command;
  if (!isWithin(file, workspace)) return { word, place, file, sha256: null };
  const { version } = await sandbox.version(file);
  if (version === null) throw fail("command_failed", `there is no program at ${command}`, { program: command, reason: "not_found" });
  return { word, place, file, sha256: version.sha256 };
}
