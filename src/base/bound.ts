import { countNewlines } from "./count-newlines.ts";
import { byteLength, type HeadTailLimits, joinHeadTail } from "./head-tail.ts";

/**
 * Cuts `text` to `limit` bytes of UTF-8, as the published contract's `truncate`: whole grapheme clusters from the beginning, then a marker
 * on top of the limit. A text that fits stays as it is. A surrogate without its half becomes U+FFFD.
 * @param limit bytes, 0 or more; default 16,000.
 */
export function bound(text: string, limit = 16_000): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.min(limit, text.length * 3)));
  if (read === text.length) return wellFormed(text);
  const kept = wellFormed(text.slice(0, clusterEnd(text, read)));
  return `${kept}\n…[truncated, showing up to ${limit} of ${byteLength(text)} bytes]`;
}

/**
 * Cuts `text` to its first and last bytes of UTF-8, with a line between them that says what is missing in lines and bytes; a text that
 * fits stays as it is. A surrogate without its half becomes U+FFFD.
 * @param options `spillPath`: where the whole text stands, named in that line.
 */
export function boundHeadTail(text: string, options: HeadTailLimits & { readonly spillPath?: string | null }): string {
  const { headBytes, tailBytes, spillPath = null } = options;
  if (text.length * 3 <= headBytes + tailBytes) return wellFormed(text);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= headBytes + tailBytes) return wellFormed(text);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return joinHeadTail({
    head: bytes.subarray(0, headBytes),
    tail: bytes.subarray(bytes.length - tailBytes - 1),
    bytes: bytes.length,
    newlines: countNewlines(bytes),
    render: (part) => decoder.decode(part),
    spillPath,
  }).text;
}

/** The last boundary between two grapheme clusters up to `end`. It depends on what is before it and on the one character behind it. */
function clusterEnd(text: string, end: number): number {
  const [before, behind] = [text.charCodeAt(end - 1), text.charCodeAt(end)];
  // between two ASCII characters there always is one, but for `\r\n`; the segmenter takes milliseconds to load
  if (before < 0x80 && behind < 0x80 && !(before === 0x0d && behind === 0x0a)) return end;
  const segments = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text.slice(0, end + 2));
  return segments.containing(end)?.index ?? end;
}

function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
