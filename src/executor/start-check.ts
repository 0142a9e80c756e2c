import { canonicalJson } from "../base/canonical.ts";
import type { Effect } from "../base/effect.ts";
import { fail, isFailure } from "../base/fail.ts";
import type { SandboxPort, Survey } from "../sandbox/port.ts";
import { effectsOfStart } from "../tools/index.ts";
import { placeEffects } from "./place-effects.ts";

/** The words and folder of a process that a tool wants to start. */
export interface Start {
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  /** The file to start in the place of what `argv[0]` is looked up as: only a place of the planned program. */
  readonly file?: string | undefined;
  /** As in `Sandbox.exec`. */
  readonly content?: { readonly file: string; readonly sha256: string } | undefined;
}

/**
 * Refuses a file to start that is another one, or holds something else, than the tool wants: the plan was made before a question, which may
 * have been open for long. Kind: command_failed (`reason: "program_changed"`).
 */
export async function checkContent(port: SandboxPort, { argv, file, content }: Start): Promise<void> {
  if (content === undefined) return;
  const found = await port.version(file ?? content.file, { cwd: port.workspace, gate: () => {} }).catch((error: unknown) => {
    if (isFailure(error)) return null;
    throw error;
  });
  if (found?.path === content.file && found.version?.sha256 === content.sha256) return;
  throw fail("command_failed", `${argv[0]} is another file than when it was looked at; it was not started`, {
    program: argv[0] ?? "",
    reason: "program_changed",
    path: found?.path ?? content.file,
    path_before: content.file,
  });
}

/**
 * Refuses a process that was not planned, whatever certainty its effect has: `open` says that a program may do more than is known, not that
 * another may be started. What was planned are its very words in its very folder, or a script of which every effect is in the plan.
 * Kinds: `tool_failed` (`reason: "not_in_plan"`); `changed_since_plan` when the same words now lead to other files.
 */
export function createStartCheck(
  port: SandboxPort,
  { cwd, effects, survey }: { readonly cwd: string; readonly effects: readonly Effect[]; readonly survey: Survey },
): (start: Start) => Promise<void> {
  const planned = new Set(effects.map(keyOf));
  return async ({ argv, cwd: asked = cwd, file }) => {
    if (!effects.some(({ kind }) => kind === "command")) throw notInPlan(argv);
    const folder = (await port.resolve(asked, { cwd })).path;
    const sandbox = { resolve: (path: string, at?: { readonly cwd?: string }) => port.resolve(path, { cwd: at?.cwd ?? folder }), survey };
    const direct = await placeEffects([{ kind: "command", sure: "open", argv, cwd: folder }], port);
    if (file !== undefined && !direct.every((effect) => effect.kind === "command" && effect.program?.includes(file))) throw notInPlan(argv);
    // words that are started without a shell are alone by nature
    if (direct.every((effect) => planned.has(keyOf(effect)) || planned.has(keyOf(alone(effect))))) return;
    if (file !== undefined) throw effects.some((each) => wordsOf(each) === canonicalJson(argv)) ? changed(argv) : notInPlan(argv);
    const started = await placeEffects(await effectsOfStart(argv, { cwd: folder, sandbox }), port);
    if (started.every((effect) => planned.has(keyOf(effect)) || planned.has(keyOf(inCompany(effect))))) return;
    const isSamePlace = effects.some((effect) => effect.kind === "command" && effect.cwd === folder);
    const isSame = started.every((effect) => effects.some((each) => each.kind === effect.kind && wordsOf(each) === wordsOf(effect)));
    throw isSame && isSamePlace ? changed(argv) : notInPlan(argv);
  };
}

/** An effect without its certainty. */
function keyOf({ sure: _, ...effect }: Effect): string {
  return canonicalJson(effect);
}

function alone(effect: Effect): Effect {
  return effect.kind === "command" ? { ...effect, alone: true } : effect;
}

/** A command that is alone is no more than one of which that is not said; the other way round it could be. */
function inCompany(effect: Effect): Effect {
  if (effect.kind !== "command") return effect;
  const { alone: _, ...rest } = effect;
  return rest;
}

/** What of an effect does not depend on links. */
function wordsOf(effect: Effect): string {
  return effect.kind === "command" ? canonicalJson(effect.argv) : "path" in effect ? "" : keyOf(effect);
}

function notInPlan(argv: readonly string[]) {
  return fail("tool_failed", "the tool started a process that is not in its plan", { reason: "not_in_plan", argv: [...argv] });
}

function changed(argv: readonly string[]) {
  return fail("changed_since_plan", "the paths of the command lead elsewhere than when it was planned; it was not started", {
    argv: [...argv],
  });
}
