/**
 * Paths of the repositories inside a repository, from the bytes of its index. `null`: they cannot be told. git goes into each of them for
 * `status` and `diff`, and runs what *their* settings name, so that they are looked at as well. `hashBytes`: 20, or 32 in a repository with
 * `extensions.objectFormat = sha256`. Source: gitformat-index(5), versions 2 to 4. Linear; never throws.
 */
export function gitlinksOf(index: Uint8Array, hashBytes: 20 | 32): readonly string[] | null {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  if (index.length < 12 || view.getUint32(0) !== 0x44495243) return null;
  const version = view.getUint32(4);
  const count = view.getUint32(8);
  if (version < 2 || version > 4) return null;
  const links: string[] = [];
  const decoder = new TextDecoder();
  let at = 12;
  let before: Uint8Array = new Uint8Array();
  for (let entry = 0; entry < count; entry += 1) {
    const start = at;
    at += STAT_BYTES + hashBytes;
    if (at + 4 > index.length) return null;
    const mode = view.getUint32(start + MODE_AT);
    const isExtended = (view.getUint16(at) & EXTENDED) !== 0;
    at += isExtended && version >= 3 ? 4 : 2;
    let kept = before.subarray(0, 0);
    if (version === 4) {
      const cut = offsetAt(index, at);
      if (cut === null || cut.value > before.length) return null;
      kept = before.subarray(0, before.length - cut.value);
      at = cut.next;
    }
    const end = index.indexOf(0, at);
    if (end === -1) return null;
    const name = new Uint8Array(kept.length + end - at);
    name.set(kept);
    name.set(index.subarray(at, end), kept.length);
    before = name;
    if (mode === GITLINK) links.push(decoder.decode(name));
    // names of the older versions are filled up with zeros, one at least, to a multiple of eight
    at = version === 4 ? end + 1 : start + Math.floor((end - start + 8) / 8) * 8;
  }
  return hasOtherHalf(index, at, hashBytes) ? null : links;
}

const STAT_BYTES = 40;
const MODE_AT = 24;
const GITLINK = 0o160000;
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
