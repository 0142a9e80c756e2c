import { fail, isFailure } from "../base/fail.ts";
import { isWithin } from "../base/real-path.ts";
import type { OpenContext } from "./contract.ts";

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

/** Sessions whose programs are known, at most: the oldest is forgotten. */
const MAX_SESSIONS = 1_000;

/** Links that lead every process to its own place. */
const MAGIC = /^\/(?:proc|dev)(?:\/|$)/;

/** Finds a granted program. */
export interface ProgramFinder {
  /** Finds it for a session that opens. What cannot be found is told by `find`. */
  open(where: OpenContext): Promise<void>;
  /** Kind: command_failed (`reason`: `not_found`; `in_workspace` for a bare name that leads there; `program_changed`). */
  find(where: OpenContext): Promise<GrantedProgram>;
}

/**
 * Finds a granted program once for each session, when that opens, or at the latest when it is first needed. From then on it is the same place
 * and file, and in the workspace the same bytes: what else is found there later is refused, also where nothing was before, since whoever
 * writes in the workspace would choose what runs.
 */
export function createProgramFinder(command: string): ProgramFinder {
  /** `null`: there was none to be had. */
  const known = new Map<string, GrantedProgram | null>();
  const keyOf = ({ sessionId, workspace }: OpenContext) => `${sessionId}\0${workspace}`;
  const keep = (session: string, found: GrantedProgram | null) => {
    known.set(session, found);
    const [oldest] = known.keys();
    if (known.size > MAX_SESSIONS && oldest !== undefined) known.delete(oldest);
  };
  return {
    async open(where) {
      const found = await findProgram(command, where).catch((error: unknown) => {
        if (isFailure(error)) return null;
        throw error;
      });
      keep(keyOf(where), found);
    },
    async find(where) {
      const found = await findProgram(command, where);
      const session = keyOf(where);
      const first = known.get(session);
      const leadsIn = [found.place, found.file].some((each) => isWithin(each, where.workspace));
      if (first === undefined || (first === null && !leadsIn)) {
        keep(session, found);
        return found;
      }
      if (first?.place === found.place && first.file === found.file && first.sha256 === found.sha256) return found;
      throw programChanged(command, { path: found.file, path_before: first?.file ?? null });
    },
  };
}

function programChanged(command: string, paths: { readonly path: string; readonly path_before: string | null }) {
  return fail("command_failed", `${command} is another file than when this session began; it was not started`, {
    program: command,
    reason: "program_changed",
    ...paths,
  });
}

async function findProgram(command: string, { sandbox, workspace }: OpenContext): Promise<GrantedProgram> {
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
