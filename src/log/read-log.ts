import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { type Failure, fail } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import type { Kind } from "../base/kinds.ts";
import { chainStart, hexOf, nextLink } from "./chain.ts";
import { checkEvent } from "./event-check.ts";
import type { AnyEvent } from "./events.ts";
import { type RawLine, readLines } from "./line-file.ts";
import { LOG_NAME } from "./session-log.ts";

/** The end of a log that was cut off in the middle of a line. */
export interface TornTail {
  readonly dropped_bytes: number;
  /** `seq` of the last line that stands; -1 when there is none. */
  readonly after_seq: number;
}

export interface ReadLogOptions {
  /**
   * Called with each line that is no event (`corrupt_log_line`, `ephemeral_not_loggable`; details: line, reason, and pointer where there is
   * one), and reading goes on after it. Default: it is thrown.
   */
  readonly onCorrupt?: (failure: Failure) => void;
  /** Called when the last line is torn. It is never given out as an event. */
  readonly onTorn?: (tail: TornTail) => void;
  /** Compare the chain at each `turn_ended` and `log_closed`; a difference goes to `onCorrupt` with `reason: "chain_broken"`. Default: `trust`. */
  readonly chain?: "verify" | "trust";
}

/** What a whole reading found; the value that the generator returns. */
export interface LogEnd {
  /** Whole lines, void and corrupt ones too. */
  readonly lines: number;
  /** Size of the whole lines: where the file would end without a torn one. */
  readonly size_bytes: number;
  readonly last_seq: number;
  readonly epoch: number;
  /** The chain's hash up to the last whole line. */
  readonly head: string;
  readonly void_lines: number;
  readonly torn: TornTail | null;
}

/**
 * The events of the session in `dir`, streamed, in order. A torn last line is left out and told; lines of a lower epoch after one of a
 * higher are void and left out; types that are not known here are given out as they are.
 * Kinds: not_found (no log), log_read_failed, and without `onCorrupt` those of corrupt lines.
 */
export async function* readSessionLog(dir: string, options: ReadLogOptions = {}): AsyncGenerator<AnyEvent, LogEnd> {
  const path = join(dir, LOG_NAME);
  const reading = new Reading(path, options);
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      const event = reading.take(line);
      if (event) yield event;
    }
  }
  return reading.end();
}

/** What is known of a log while its lines go by. */
class Reading {
  readonly #path: string;
  readonly #options: ReadLogOptions;
  #lines = 0;
  #sizeBytes = 0;
  #lastSeq = -1;
  /** True after a line that was given up: how many events it stood for cannot be told. */
  #isGapExplained = false;
  #epoch = 0;
  #session: string | null = null;
  #chain = chainStart();
  #voidLines = 0;
  #torn: TornTail | null = null;

  constructor(path: string, options: ReadLogOptions) {
    this.#path = path;
    this.#options = options;
  }

  take(line: RawLine): AnyEvent | undefined {
    if (!line.isWhole) {
      this.#torn = { dropped_bytes: line.sizeBytes, after_seq: this.#lastSeq };
      this.#options.onTorn?.(this.#torn);
      return undefined;
    }
    this.#lines++;
    this.#sizeBytes += line.sizeBytes + 1;
    const event = this.#parse(line);
    if (event && event.epoch < this.#epoch) {
      this.#voidLines++;
      return undefined;
    }
    const headBefore = this.#chain;
    // a line that is too long is not held, so its chain cannot be told and the next comparison fails, as it should
    if (line.bytes) this.#chain = nextLink(this.#chain, line.bytes);
    if (!event || !this.#inOrder(event, line)) return undefined;
    const hasHead = event.type === "turn_ended" || event.type === "log_closed";
    if (this.#options.chain === "verify" && hasHead && event.data.head !== hexOf(headBefore)) {
      this.#corrupt(line, { reason: "chain_broken", pointer: "/data/head", found: event.data.head, want: hexOf(headBefore) });
    }
    return event;
  }

  end(): LogEnd {
    return {
      lines: this.#lines,
      size_bytes: this.#sizeBytes,
      last_seq: this.#lastSeq,
      epoch: this.#epoch,
      head: hexOf(this.#chain),
      void_lines: this.#voidLines,
      torn: this.#torn,
    };
  }

  #parse(line: RawLine): AnyEvent | undefined {
    if (!line.bytes) return this.#giveUp(line, { reason: "line_too_long", size_bytes: line.sizeBytes });
    if (!isUtf8(line.bytes)) return this.#giveUp(line, { reason: "not_utf8" });
    let value: unknown;
    try {
      value = JSON.parse(line.bytes.toString("utf8"));
    } catch {
      return this.#giveUp(line, { reason: "not_json" });
    }
    const problem = checkEvent(value);
    if (problem) return this.#giveUp(line, { reason: "unfit", pointer: problem.pointer, want: problem.want }, problem.kind);
    // what passed the check is an event
    return value as AnyEvent;
  }

  /** Numbers follow each other, one session a log. A gap is told and reading goes on; a line that was there before is left out. */
  #inOrder(event: AnyEvent, line: RawLine): boolean {
    this.#session ??= event.session_id;
    if (event.session_id !== this.#session) {
      this.#giveUp(line, { reason: "other_session", pointer: "/session_id", found: event.session_id });
      return false;
    }
    // an event of a log has a number: it was checked
    const seq = Number(event.seq);
    if (seq <= this.#lastSeq) {
      this.#giveUp(line, { reason: "seq_repeated", pointer: "/seq", found: seq });
      return false;
    }
    const isGap = seq !== this.#lastSeq + 1 && !this.#isGapExplained;
    if (isGap) this.#corrupt(line, { reason: "seq_gap", pointer: "/seq", found: seq, want: this.#lastSeq + 1 });
    this.#lastSeq = seq;
    this.#epoch = event.epoch;
    this.#isGapExplained = false;
    return true;
  }

  /** Tells of a line that stands for an event and is none. */
  #giveUp(line: RawLine, details: JsonObject, kind?: Kind): undefined {
    this.#isGapExplained = true;
    this.#corrupt(line, details, kind);
  }

  #corrupt(line: RawLine, details: JsonObject, kind: Kind = "corrupt_log_line"): void {
    const where = { line: line.number, path: this.#path, ...details };
    const failure = fail(kind, `line ${line.number} of the log is no event that can be used (${String(details.reason)})`, where);
    if (!this.#options.onCorrupt) throw failure;
    this.#options.onCorrupt(failure);
  }
}
