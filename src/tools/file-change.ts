import type { Effect, FileVersion } from "../base/effect.ts";
import { fail } from "../base/fail.ts";
import { sha256 } from "../base/hash.ts";
import { MAX_WHOLE_FILE_BYTES } from "../sandbox/port.ts";

/** One file that gets new content: what `write` and `edit` plan, and then carry out. */
export interface FileChange {
  /** Real path. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly before: FileVersion | null;
  readonly after: FileVersion;
  readonly diff: string;
}

interface Change {
  /** As asked for, for messages. */
  readonly asked: string;
  readonly path: string;
  readonly also: readonly string[] | undefined;
  readonly before: FileVersion | null;
  /** Permission bits of a new file. */
  readonly newFileMode: number;
  readonly text: string;
  readonly diff: string;
}

/** The planned change and its effect. The mode of a file that is there is kept. Kinds: write_failed (`too_large`). */
export function changeOf(change: Change): { readonly change: FileChange; readonly effect: Effect } {
  const { path, before, diff } = change;
  const bytes = new TextEncoder().encode(change.text);
  refuseTooLarge(bytes.length, change.asked);
  const after = { sha256: sha256(bytes), size_bytes: bytes.length, mode: before?.mode ?? change.newFileMode };
  const also = change.also ? { also: change.also } : {};
  return {
    change: { path, bytes, before, after, diff },
    effect: { kind: "file.write", sure: "exact", path, ...also, before, after, diff },
  };
}

/** What both tools tell about a change that was made. */
export function changeDetails({ path, before, after, diff }: FileChange, replacements: number) {
  return { path, sha256_before: before?.sha256 ?? null, sha256_after: after.sha256, diff, replacements };
}

export function refuseTooLarge(sizeBytes: number, path: string): void {
  if (sizeBytes <= MAX_WHOLE_FILE_BYTES) return;
  throw fail("write_failed", `${path} would be larger than 64 MiB`, { path, reason: "too_large", size_bytes: sizeBytes });
}

/** What UTF-8 cannot say would become another character. `pointer`: the argument. Kinds: invalid_args (`lone_surrogate`). */
export function refuseBrokenText(text: string, pointer: string): void {
  if (!/\p{Surrogate}/u.test(text)) return;
  throw fail("invalid_args", `${pointer} holds half a character (a lone surrogate), which UTF-8 cannot say`, {
    reason: "lone_surrogate",
    pointer,
  });
}

const MARK = /\[secret:[^\]\r\n]{1,200}\]/g;

/**
 * Refuses text with a redaction mark that the file does not hold already: the model has only seen the mark, and writing it would put it in
 * the place of the secret. Kinds: invalid_args (`secret_mark`).
 */
export function refuseNewMarks(text: string, already: string, pointer: string): void {
  const mark = text.match(MARK)?.find((found) => !already.includes(found));
  if (mark === undefined) return;
  throw fail(
    "invalid_args",
    `${pointer} holds the mark ${mark}, which stands for a secret that is not shown; the mark itself is not written`,
    {
      reason: "secret_mark",
      pointer,
      mark,
    },
  );
}

export function hasMark(text: string): boolean {
  return text.search(MARK) !== -1;
}
