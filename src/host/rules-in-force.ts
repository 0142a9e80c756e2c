import { join } from "node:path";
import type { DecisionSource, Mode } from "../base/decision.ts";
import { readTrust } from "../log/index.ts";
import { type Rule, type RulesFile, readRulesFile } from "../permissions/index.ts";
import { readConfigFile } from "./config-file.ts";
import { realPath } from "./folders.ts";
import type { Host } from "./host.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { isTrusted, TRUST_KINDS } from "./trust.ts";

/** A file of rules that is looked for. */
export interface RulesFileState {
  readonly path: string;
  readonly owner: "user" | "workspace";
  /** `narrowing`: it is not trusted, so its allow rules are not in force. */
  readonly state: "absent" | "in_force" | "narrowing";
  /** `null` when it is absent. */
  readonly sha256: string | null;
}

/** The rules and the mode of the sessions that begin now. */
export interface RulesInForce {
  readonly mode: Mode;
  readonly modeSource: DecisionSource;
  /** Those of the options first, then those of the user's file and of the workspace's. */
  readonly rules: readonly Rule[];
  /** Allow rules of the workspace's file that wait for trust. */
  readonly untrusted: readonly Rule[];
  readonly files: readonly RulesFileState[];
}

const NAME = "permissions.json";
const IN_WORKSPACE = TRUST_KINDS[0].file;
const WIDTH: readonly Mode[] = ["read_only", "ask", "auto"];

/**
 * What the options say and, where they ask for it, what the files say. The user's file may name the mode where the options name only a default. The
 * workspace's file narrows: its deny and ask rules hold, its mode holds where it is narrower than the one that was chosen, and its allow rules
 * hold once its content is trusted. Kinds: `invalid_config` for a file that is there and cannot be used, and those of the state folder.
 */
export async function rulesInForce(options: RuntimeOptions, host: Host, workspace: string): Promise<RulesInForce> {
  const { permissions, rulesFrom = "api", modeIsDefault = false, rulesFiles = false } = options;
  const chosen = { mode: permissions.mode, modeSource: { from: modeIsDefault ? "builtin" : rulesFrom } } as const;
  if (!rulesFiles) return { ...chosen, rules: host.rules, untrusted: [], files: [] };
  const user = host.configDir === null ? null : await readFile(join(host.configDir, NAME), "user");
  // a sandbox of the host's own has files of its own
  const own = options.sandbox ? null : await readFile(join(realPath(workspace), IN_WORKSPACE), "workspace");
  const ownRules = own?.said?.rules ?? [];
  const trusted = ownRules.some(({ effect }) => effect !== "deny") && (await trusts(own?.sha256 ?? null, host, workspace));
  const untrusted = trusted ? [] : ownRules.filter(({ effect }) => effect === "allow");
  const named =
    modeIsDefault && user?.said?.mode ? { mode: user.said.mode, modeSource: { from: "file", file: user.path } as const } : chosen;
  const narrower = own?.said?.mode;
  const isNarrower = narrower && WIDTH.indexOf(narrower) < WIDTH.indexOf(named.mode);
  return {
    ...(isNarrower ? { mode: narrower, modeSource: { from: "file", file: own.path } as const } : named),
    rules: [...host.rules, ...(user?.said?.rules ?? []), ...(trusted ? ownRules : narrowed(ownRules))],
    untrusted,
    files: [user, own].flatMap((file) => (file ? [stateOf(file, file === own && untrusted.length > 0)] : [])),
  };
}

/** Deny and ask rules; without trust these name no guarded path, which would open it to a question. */
function narrowed(rules: readonly Rule[]): readonly Rule[] {
  return rules.filter(({ effect }) => effect !== "allow").map((rule) => ({ ...rule, narrows: true as const }));
}

interface ReadFile {
  readonly path: string;
  readonly owner: RulesFileState["owner"];
  readonly sha256: string | null;
  readonly said: RulesFile | null;
}

async function readFile(path: string, owner: RulesFileState["owner"]): Promise<ReadFile> {
  const file = readConfigFile(path, owner);
  return { path, owner, sha256: file?.sha256 ?? null, said: file && (await readRulesFile(file.text, { path })) };
}

async function trusts(sha256: string | null, { stateDir }: Host, workspace: string): Promise<boolean> {
  if (stateDir === null || sha256 === null) return false;
  return isTrusted(await readTrust({ stateDir, workspace: realPath(workspace) }), IN_WORKSPACE, sha256);
}

function stateOf({ path, owner, sha256 }: ReadFile, isNarrowing: boolean): RulesFileState {
  return { path, owner, sha256, state: sha256 === null ? "absent" : isNarrowing ? "narrowing" : "in_force" };
}
