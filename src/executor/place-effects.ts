import type { CommandEffect, Effect } from "../base/effect.ts";
import { isFailure } from "../base/fail.ts";
import { type Policy, placePrograms } from "../permissions/index.ts";
import type { SandboxPort } from "../sandbox/port.ts";

/** What programs a plan starts, by their real places: worked out here, whatever the tool says, since rules are held to them. */
export async function placeEffects(effects: readonly Effect[], port: SandboxPort): Promise<readonly Effect[]> {
  if (!effects.some(({ kind }) => kind === "command")) return effects;
  const known = new Map<string, Promise<CommandEffect["program"]>>();
  const placed = async ({ program: _, ...effect }: CommandEffect): Promise<CommandEffect> => {
    const [spelled = ""] = effect.argv;
    const cwd = await realPath(port, effect.cwd);
    if (!spelled.includes("/") || effect.dynamic?.includes(0)) {
      const named = known.get(spelled) ?? programNamed(port, spelled);
      known.set(spelled, named);
      const program = await named;
      return { ...effect, cwd: cwd ?? effect.cwd, ...(program ? { program } : {}) };
    }
    const path = spelled.startsWith("/") ? spelled : `${cwd}/${spelled}`;
    const program = cwd === null ? Promise.resolve(null) : (known.get(path) ?? programAt(port, path));
    known.set(path, program);
    return { ...effect, cwd: cwd ?? effect.cwd, program: (await program) ?? null };
  };
  const all = effects.map(async (effect) => Object.freeze(effect.kind === "command" ? await placed(effect) : effect));
  return Object.freeze(await Promise.all(all));
}

/** The policy by which these effects are decided: rules on programs by their places, as the disk is now. */
export async function placePolicy(policy: Policy, effects: readonly Effect[], port: SandboxPort): Promise<Policy> {
  if (!effects.some(({ kind }) => kind === "command")) return policy;
  return placePrograms(policy, (path) => realPath(port, path));
}

/** Links that this process and the command would follow to different places. */
const MAGIC = /^\/+(?:proc|dev)(?:\/|$)/;

async function programNamed(port: SandboxPort, name: string): Promise<readonly string[] | null> {
  const found = (await port.ground?.locate(name)) ?? null;
  return found === null ? null : [...(found.through ?? []), found.path];
}

async function programAt(port: SandboxPort, path: string): Promise<readonly string[] | null> {
  try {
    const { path: real, through = [] } = await port.resolve(path, { cwd: port.workspace });
    const places = [...through, real];
    return [path, ...places].some((place) => MAGIC.test(place)) ? null : places;
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}

async function realPath(port: SandboxPort, path: string): Promise<string | null> {
  try {
    return (await port.resolve(path, { cwd: port.workspace })).path;
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}
