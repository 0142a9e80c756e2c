import { countNewlines } from "./count-newlines.ts";
import { type HeadTailLimits, joinHeadTail } from "./head-tail.ts";
import { plainOutput } from "./plain-output.ts";
import { type SpillSink, splitSpill } from "./spill.ts";

export interface CollectorOptions extends HeadTailLimits {
  /** Gets the whole output from its first byte on, once there is more than head and tail; nothing of a shorter one. */
  readonly spill: SpillSink | null;
}

/** The output of a process, cut to head and tail. */
export interface Collected {
  /**
   * For a model: see `plainOutput`. Uncut, bytes that are no text make it longer than they were; cut, it has at most head and tail bytes
   * and one line between them that says what is missing, in lines and bytes, and the call of `read` that shows it.
   */
  readonly text: string;
  /** Everything that was pushed. */
  readonly bytes: number;
  /** Lines of everything that was pushed; the last one need not have a line break. */
  readonly lines: number;
  readonly cut: boolean;
  /** Bytes and lines that are missing in `text`; a line that is missing in part counts. 0 when nothing was cut. */
  readonly cutBytes: number;
  readonly cutLines: number;
}

export interface Collector {
  /** The bytes are lent: they are used before it returns, and not kept. */
  push(bytes: Uint8Array): void;
  /** @param options `spillPath`: where the spill stands, for the notice; absent or `null`: nowhere. */
  end(options?: { readonly spillPath?: string | null }): Collected;
}

/** Collects output of any length in memory of a fixed size, head plus tail. */
export function createCollector({ headBytes, tailBytes, spill }: CollectorOptions): Collector {
  const head = new Uint8Array(headBytes);
  const tail = createRing(tailBytes + 1);
  const spillTo = spill && splitSpill(spill);
  let bytes = 0;
  let newlines = 0;
  let endsInLine = false;

  return {
    push(chunk) {
      if (chunk.length === 0) return;
      const hadRoom = bytes <= headBytes + tailBytes;
      const isCut = bytes + chunk.length > headBytes + tailBytes;
      if (spillTo && isCut) {
        if (hadRoom) for (const part of [head.subarray(0, Math.min(bytes, headBytes)), ...tail.parts()]) if (part.length > 0) spillTo(part);
        spillTo(chunk);
      }
      const toHead = Math.max(0, Math.min(headBytes - bytes, chunk.length));
      if (toHead > 0) head.set(chunk.subarray(0, toHead), bytes);
      tail.push(chunk.subarray(toHead));
      bytes += chunk.length;
      newlines += countNewlines(chunk);
      endsInLine = chunk[chunk.length - 1] !== 0x0a;
    },

    end({ spillPath = null } = {}) {
      const size = { bytes, lines: newlines + (endsInLine ? 1 : 0) };
      const pieces = { head: head.subarray(0, Math.min(bytes, headBytes)), tail: joined(tail.parts()) };
      if (bytes <= headBytes + tailBytes) {
        return { ...size, text: plainOutput(joined([pieces.head, pieces.tail])), cut: false, cutBytes: 0, cutLines: 0 };
      }
      return { ...size, ...joinHeadTail({ ...pieces, bytes, newlines, render: plainOutput, spillPath }), cut: true };
    },
  };
}

/** The last `size` bytes of what was pushed. */
function createRing(size: number) {
  const ring = new Uint8Array(size);
  let at = 0;
  let isFull = false;
  return {
    push(chunk: Uint8Array) {
      const bytes = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
      const first = bytes.subarray(0, size - at);
      ring.set(first, at);
      ring.set(bytes.subarray(first.length), 0);
      isFull ||= at + bytes.length >= size;
      at = (at + bytes.length) % size;
    },
    /** In order, oldest first. */
    parts: (): Uint8Array[] => (isFull ? [ring.subarray(at), ring.subarray(0, at)] : [ring.subarray(0, at)]),
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
