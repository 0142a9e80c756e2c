import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { readTrust, type TrustedContent, type WorkspacePlace, workspaceKey, writeTrust } from "../log/index.ts";
import { mayOpenGuarded, readRulesFile } from "../permissions/index.ts";
import { withHostLock } from "../sandbox/index.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";

/** A file of the workspace that may ask for more than a repository is given unasked. */
export interface TrustFile {
  /** Relative to the workspace. */
  readonly file: string;
  /** What it is, in words. */
  readonly what: string;
  /** Of the bytes that are shown, and would be trusted; lower-case hex. */
  readonly sha256: string;
  /** The file as it was read. */
  readonly text: string;
  /** What of it holds only once it is trusted, a line each; none: all of it holds in any case. */
  readonly asks: readonly string[];
  readonly trusted: boolean;
}

/** What in a workspace needs trust, as it was read at one moment. */
export interface WorkspaceTrust {
  /** Those that are there. */
  readonly files: readonly TrustFile[];
  /** Trusts the contents of `files`, and no other: a file that has changed since is not trusted. Kinds: those of the state folder. */
  trust(): Promise<void>;
  /** Trusts nothing in this workspace any more. Returns how many contents were trusted. */
  revoke(): Promise<number>;
}

/** Kinds of files that need trust. Each says what of its text holds only with it. */
export const TRUST_KINDS = [
  {
    file: ".collet/permissions.json",
    what: "rules of this workspace",
    async asks({ text: content, path }: ConfigFile): Promise<readonly string[]> {
      const { rules } = await readRulesFile(content, { path });
      // without trust an ask rule opens nothing that is guarded
      const widens = ({ effect, text }: (typeof rules)[number]) => effect === "allow" || (effect === "ask" && mayOpenGuarded(text));
      return rules.filter(widens).map((rule) => `${rule.effect} ${rule.text}`);
    },
  },
] as const;

/** Reads what needs trust, and what of it is trusted. Kinds: `invalid_config` for a file that is broken, and those of the state folder. */
export async function readWorkspaceTrust(place: WorkspacePlace, clock: Clock): Promise<WorkspaceTrust> {
  const { workspace } = place;
  const trusted = await readTrust(place);
  const files: TrustFile[] = [];
  for (const { file, what, asks } of TRUST_KINDS) {
    const read = readConfigFile(join(workspace, file), "workspace");
    if (!read) continue;
    const { sha256, text } = read;
    files.push({ file, what, sha256, text, asks: await asks(read), trusted: isTrusted(trusted, file, sha256) });
  }
  const change = (work: (kept: readonly TrustedContent[]) => readonly TrustedContent[]): Promise<readonly TrustedContent[]> =>
    withHostLock(`trust-${workspaceKey(workspace)}`, async () => {
      const kept = await readTrust(place);
      const next = work(kept);
      if (next !== kept) await writeTrust(place, next, randomUUID());
      return kept;
    });
  return {
    files,
    async trust() {
      const at = new Date(clock.now()).toISOString();
      const shown = files.filter(({ asks }) => asks.length > 0);
      await change((kept) => {
        const added = shown.filter(({ file, sha256 }) => !isTrusted(kept, file, sha256)).map(({ file, sha256 }) => ({ file, sha256, at }));
        return added.length > 0 ? [...kept, ...added] : kept;
      });
    },
    revoke: async () => (await change((kept) => (kept.length > 0 ? [] : kept))).length,
  };
}

/** Whether this very content of the file was trusted by a person. */
export function isTrusted(trusted: readonly TrustedContent[], file: string, sha256: string): boolean {
  return trusted.some((each) => each.file === file && each.sha256 === sha256);
}
