/**
 * Paths of the repositories inside a repository, from the bytes of its index. `null`: they cannot be told. git goes into each of them for
 * `status` and `diff`, and runs what *their* settings name, so that they are looked at as well. `hashBytes`: 20, or 32 in a repository with
 * `extensions.objectFormat = sha256`. Source: gitformat-index(5), versions 2 to 4. Linear; never throws.
 */
export function gitlinksOf(index: Uint8Array, hashBytes: 20 | 32): readonly string[] | null {
  const links: string[] = [];
  const isRead = eachEntry(index, hashBytes, ({ mode, name }) => {
    if (mode === GITLINK) links.push(decoder.decode(name));
  });
  return isRead ? links : null;
}

/** A file that a repository tracks, as its index has it. */
export interface IndexedFile {
  /** From the top of the work tree. */
  readonly path: string;
  /** Bytes of the file when git looked at it last, modulo 2^32; this and the times are 0 when it has not. */
  readonly size: number;
  /** Nanoseconds since 1970, of which the seconds are modulo 2^32. */
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** False while a merge is not resolved, or before content was added. */
  readonly settled: boolean;
}

/** The files in the bytes of an index, as `gitlinksOf`; `null` as well when whole folders stand for their files. A name may occur more than once. */
export function filesOfIndex(index: Uint8Array, hashBytes: 20 | 32): readonly IndexedFile[] | null {
  const files: IndexedFile[] = [];
  let isWhole = true;
  const isRead = eachEntry(index, hashBytes, ({ mode, name, flags, moreFlags, stat }) => {
    if (mode === FOLDER) isWhole = false;
    if (mode === GITLINK || mode === FOLDER) return;
    const time = (at: number): bigint => BigInt(stat.getUint32(at)) * 1_000_000_000n + BigInt(stat.getUint32(at + 4));
    const settled = (flags & STAGE) === 0 && (moreFlags & INTENT_TO_ADD) === 0;
    files.push({ path: decoder.decode(name), size: stat.getUint32(SIZE_AT), ctimeNs: time(0), mtimeNs: time(8), settled });
  });
  return isRead && isWhole ? files : null;
}

/**
 * Ids of the contents that the index has of some paths, in lower-case hex; of one that is not settled or not there none. `null`: the index is
 * not understood.
 */
export function idsOfIndex(index: Uint8Array, hashBytes: 20 | 32, paths: ReadonlySet<string>): ReadonlyMap<string, string> | null {
  const ids = new Map<string, string>();
  const isRead = eachEntry(index, hashBytes, ({ mode, name, flags, moreFlags, id }) => {
    const path = decoder.decode(name);
    const isFile = mode !== GITLINK && mode !== FOLDER && (flags & STAGE) === 0 && (moreFlags & INTENT_TO_ADD) === 0;
    if (isFile && paths.has(path)) ids.set(path, Array.from(id, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  });
  return isRead ? ids : null;
}

interface Entry {
  readonly mode: number;
  readonly name: Uint8Array;
  readonly flags: number;
  readonly moreFlags: number;
  /** What `stat` said of the file. */
  readonly stat: DataView;
  /** Of its content. */
  readonly id: Uint8Array;
}

/** False when the index is not understood, from the entry on at which that is seen. */
function eachEntry(index: Uint8Array, hashBytes: 20 | 32, visit: (entry: Entry) => void): boolean {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  if (index.length < 12 || view.getUint32(0) !== 0x44495243) return false;
  const version = view.getUint32(4);
  const count = view.getUint32(8);
  if (version < 2 || version > 4) return false;
  let at = 12;
  let before: Uint8Array = new Uint8Array();
  for (let entry = 0; entry < count; entry += 1) {
    const start = at;
    at += STAT_BYTES + hashBytes;
    if (at + 4 > index.length) return false;
    const mode = view.getUint32(start + MODE_AT);
    const flags = view.getUint16(at);
    const isExtended = (flags & EXTENDED) !== 0 && version >= 3;
    const moreFlags = isExtended ? view.getUint16(at + 2) : 0;
    at += isExtended ? 4 : 2;
    let kept = before.subarray(0, 0);
    if (version === 4) {
      const cut = offsetAt(index, at);
      if (cut === null || cut.value > before.length) return false;
      kept = before.subarray(0, before.length - cut.value);
      at = cut.next;
    }
    const end = index.indexOf(0, at);
    if (end === -1) return false;
    const name = new Uint8Array(kept.length + end - at);
    name.set(kept);
    name.set(index.subarray(at, end), kept.length);
    before = name;
    const id = index.subarray(start + STAT_BYTES, start + STAT_BYTES + hashBytes);
    visit({ mode, name, flags, moreFlags, id, stat: new DataView(index.buffer, index.byteOffset + start, STAT_BYTES) });
    // names of the older versions are filled up with zeros, one at least, to a multiple of eight
    at = version === 4 ? end + 1 : start + Math.floor((end - start + 8) / 8) * 8;
  }
  return !hasOtherHalf(index, at, hashBytes);
}

const decoder = new TextDecoder();
const STAT_BYTES = 40;
const MODE_AT = 24;
const SIZE_AT = 36;
const GITLINK = 0o160000;
/** In a sparse index. */
const FOLDER = 0o040000;
const STAGE = 0x3000;
const INTENT_TO_ADD = 0x2000;
const EXTENDED = 0x4000;

/** An extension named `link`: most entries are in another file. */
function hasOtherHalf(index: Uint8Array, from: number, hashBytes: number): boolean {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  for (let at = from; at + 8 <= index.length - hashBytes; at += 8 + view.getUint32(at + 4)) {
    if (view.getUint32(at) === 0x6c696e6b) return true;
  }
  return false;
}

/** The number that version 4 writes before a name: how many bytes of the name before it are cut off. */
function offsetAt(bytes: Uint8Array, from: number): { readonly value: number; readonly next: number } | null {
  let value = 0;
  for (let at = from; at < from + 5; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return null;
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) return { value, next: at + 1 };
    value += 1;
  }
  return null;
}
