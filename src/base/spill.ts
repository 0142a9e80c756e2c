import { characterEnd } from "./utf8-edge.ts";

/** Where output goes that is too long to be held. The bytes are lent: a sink takes what it needs before it returns. Must not throw. */
export interface SpillSink {
  /** The output from its first byte on. What goes beyond the first 32 MiB counts as `tail`, whoever calls. */
  head(bytes: Uint8Array): void;
  /** What follows, in order; the sink keeps the last 32 MiB of it. */
  tail(bytes: Uint8Array): void;
}

/** A spill holds the first and the last part of the output, each of this size at most; what is between is lost, and said to be. */
export const SPILL_PART_BYTES = 32 * 1024 * 1024;

/** Path of the second file of a spill: `c1.txt` has `c1.tail.txt`. It exists when the output is longer than the first part. */
export function spillTailPath(path: string): string {
  return path.replace(/(\.txt)?$/, ".tail.txt");
}

/** Parts a stream: the first 32 MiB to `head`, what follows to `tail`. A UTF-8 character on the edge goes to one of them, whole. */
export function splitSpill(sink: SpillSink): (bytes: Uint8Array) => void {
  let left = SPILL_PART_BYTES;
  return (bytes) => {
    if (left === 0) {
      sink.tail(bytes);
    } else if (bytes.length < left) {
      left -= bytes.length;
      sink.head(bytes);
    } else {
      const edge = characterEnd(bytes, left);
      left = 0;
      if (edge > 0) sink.head(bytes.subarray(0, edge));
      if (edge < bytes.length) sink.tail(bytes.subarray(edge));
    }
  };
}
