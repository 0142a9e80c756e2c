import type { CommandEffect } from "../base/effect.ts";
import { type Doing, type Invocation, open, type Run } from "./doing.ts";
import { classOf } from "./environment.ts";
import { addFileUse, placesOf } from "./file-effects.ts";
import type { Machine } from "./machine.ts";
import { brief, NotUnderstood } from "./not-understood.ts";
import { contentOf, type Redirected } from "./redirections.ts";
import type { State } from "./state.ts";
import { addTracked } from "./tracked-files.ts";
import { isSurelyNoOption, type Word } from "./word.ts";
import { weightOfWords } from "./work.ts";

/** A simple command whose words have been expanded, and what is known of it. */
export interface Judged {
  readonly words: readonly Word[];
  readonly doing: Doing;
  readonly redirected: Redirected;
  /** Folders whose names wildcards in it list. */
  readonly listed: ReadonlyMap<string, boolean>;
}

export interface At {
  readonly state: State;
  readonly machine: Machine;
}

/** Adds a command and what it does by itself. What it is told to run is not yet run. */
export async function addJudged({ words, doing: wanted, redirected, listed }: Judged, at: At): Promise<void> {
  const { state, machine } = at;
  const doing = await quietOrOpen(state.open ? { ...wanted, sure: "open" } : wanted, words, at);
  const { sure } = doing;
  const isStale = state.stale;
  for (const effect of commandEffects(words, sure, at)) machine.effects.addCommand(effect, doing.quiet);
  if (sure === "open") state.stale = true;
  for (const [path, isTree] of listed)
    machine.effects.add({ kind: "file.read", sure: "declared", path, ...(isTree ? { tree: true } : {}) });
  for (const use of doing.files) await addFileUse(use, { state, machine, sure, isStale });
  for (const { host, port } of doing.network) machine.effects.add({ kind: "network", sure, host, port });
  if (doing.tracked) {
    const read = doing.files.flatMap(({ access, path }) => (access === "read" && path.known ? (placesOf(path.value, state) ?? []) : []));
    await addTracked(doing.tracked, gitFolders(doing, at) ?? [], { machine, sure, isStale, read });
  }
  await addRedirected(redirected, at);
  if (doing.unknown !== null) addUnknownCommands(doing.unknown, at);
}

/** A process of its own runs what nobody knows: the shell goes on as it is. */
function addUnknownCommands(reason: string, { state, machine }: At): void {
  machine.effects.add({ kind: "unknown", sure: "open", reason, commands: true });
  state.stale = true;
}

/** Adds what redirections do by themselves. */
export async function addRedirected({ files, network, unknown }: Redirected, { state, machine }: At): Promise<void> {
  for (const use of files) await addFileUse(use, { state, machine, sure: "declared" });
  for (const { host, port } of network) machine.effects.add({ kind: "network", sure: "declared", host, port });
  for (const reason of unknown) machine.effects.add({ kind: "unknown", sure: "open", reason });
  if (unknown.length > 0) state.stale = true;
}

/** Runs what a program is told to run. Each runs in a process of its own: nothing of it is left in the shell. */
export async function runAll(runs: readonly Run[], { state, machine }: At): Promise<void> {
  for (const run of runs) {
    const inner = state.copy();
    if ("script" in run) {
      if (!run.script.known) {
        addUnknownCommands(`which commands ${brief(run.script.raw)} holds is not known`, { state, machine });
        continue;
      }
      const fresh = inner.fresh();
      fresh.positional = run.positional ? run.positional.slice(1) : [];
      if (run.roughly) await runRoughly(run.script.value, fresh, machine);
      else await machine.runScript(run.script.value, fresh, run.shell ?? "sh");
      inner.stale ||= fresh.stale;
    } else {
      if (run.folder) inner.folders = run.folder.known ? placesOf(run.folder.value, inner) : null;
      if (run.stdin) inner.stdin = run.stdin;
      if (run.assigns?.some((name) => classOf(name, { exported: "yes", look: machine.look }) !== "plain")) inner.open = true;
      await machine.runWords(run.words, inner, "programs");
    }
    state.stale ||= inner.stale;
  }
}

/** A text that is known to be run, by a shell of which little is known: that it is not understood says nothing of what stands around it. */
async function runRoughly(text: string, state: State, machine: Machine): Promise<void> {
  state.open = true;
  try {
    await machine.runScript(text, state, "bash");
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    addUnknownCommands(`a text that a shell runs is not understood: ${error.message}`, { state, machine });
  }
}

/** How much longer than a copy of the words a row takes to look at them, measured. */
const ROW = 2;

/** A program by its place and its row. */
export async function programDoing(words: readonly Word[], { state, machine }: At): Promise<Doing> {
  const [first, ...args] = words;
  if (!first?.known) return open();
  const spelled = first.value;
  const folders = spelled.includes("/") && !spelled.startsWith("/") ? state.folders : (state.folders ?? ["/"]).slice(0, 1);
  if (folders === null) return open();
  const name = spelled.slice(spelled.lastIndexOf("/") + 1);
  const row = await machine.table.row(name);
  if (!row) return open();
  const call: Invocation = { name, args, stdin: "part" in state.stdin && state.stdin.part ? { kind: "unknown" } : state.stdin };
  machine.work.spend(ROW * weightOfWords(args));
  const asked = row(call);
  const doing = asked.asks ? row({ ...call, told: await contentOf(asked.asks, { state, machine }) }) : asked;
  for (const folder of folders) {
    const standing = await machine.look.program(spelled, folder);
    // what is not there does nothing, unless the script puts it there
    if (standing !== "trusted" && (standing !== "absent" || state.stale)) return { ...doing, sure: "open" };
  }
  return doing;
}

/** One effect; of a program whose path is relative one for each folder that it may be taken from. */
function commandEffects(words: readonly Word[], sure: Doing["sure"], { state, machine }: At): readonly CommandEffect[] {
  const [first] = words;
  const isRelative = first?.known === true && first.value.includes("/") && !first.value.startsWith("/");
  const folders = state.folders ?? [machine.cwd];
  if (isRelative && state.folders === null)
    addUnknownCommands(`the folder that ${brief(first.value)} is taken from is not known`, { state, machine });
  const dynamic = words.flatMap((word, index) => (word.known ? [] : [index]));
  const argv = words.map((word) => (word.known ? word.value : word.raw));
  const effect = { kind: "command", sure, argv, ...(dynamic.length > 0 ? { dynamic } : {}) } as const;
  return (isRelative ? folders : folders.slice(0, 1)).map((cwd) => ({ ...effect, cwd })).reverse();
}

/** The folders in which git begins to look for its repository. */
function gitFolders(doing: Doing, { state }: At): readonly string[] | null {
  let folders = state.folders;
  for (const word of doing.quietIn ?? []) {
    const from = folders;
    folders = word.known && from ? placesOf(word.value, { folders: from }) : null;
  }
  return folders;
}

/** Git is quiet only where nothing in its repository makes it run what the environment cannot switch off. */
async function quietOrOpen(doing: Doing, words: readonly Word[], { state, machine }: At): Promise<Doing> {
  if (!doing.quiet || doing.sure === "open") return doing;
  const folders = gitFolders(doing, { state, machine });
  const asksElsewhere =
    !doing.quietIn && words.slice(1, 1 + words.slice(1).findIndex(isSurelyNoOption)).some((word) => word.known && word.value === "-C");
  if (folders === null || asksElsewhere) return { ...doing, sure: "open" };
  for (const folder of folders) if ((await machine.look.gitRuns(folder)) !== null) return { ...doing, sure: "open" };
  return doing;
}
