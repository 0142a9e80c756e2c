import { secretMark } from "../base/secret.ts";
import { type ByteRedactor, redactBytes } from "./byte-redactor.ts";
import { redactJson } from "./redact-json.ts";
import { Scanner } from "./scanner.ts";
import { formsOf, literal } from "./spellings.ts";

/**
 * Puts `[secret:NAME]` in the place of every value it was told, in all forms of `formsOf`, wherever they turn up. It knows values, not
 * what looks like one; what a program does to a value beyond these forms (reversing it, splitting it by quotes or spaces, compressing or
 * encrypting it) it does not undo. Text that was redacted stays as it is when it is redacted again.
 */
export interface Redactor {
  /** False: the value is shorter than 8 bytes and is not redacted; the host should say so. */
  add(name: string, value: string): boolean;
  text(text: string): string;
  /** All text in a JSON value, keys and long numbers too. The very value when nothing is to be redacted. Kind: log_encode_failed (nested too deep). */
  json<T>(value: T): T;
  /** For bytes that come in pieces, such as the output of a process. */
  bytes(): ByteRedactor;
  /** For text that comes in pieces, such as the answer of a model. */
  deltas(): TextRedactor;
}

/** Redacts text that comes in pieces; as `ByteRedactor`. */
export interface TextRedactor {
  push(text: string): string;
  end(): string;
}

export function createRedactor(): Redactor {
  const values = new Set<string>();
  let scanner: Scanner | null = null;

  function text(input: string): string {
    if (!scanner || input.length < 3) return input;
    if (!scanner.find(Buffer.from(input, "utf8"), 0, { isEnd: true })) return input;
    // a surrogate without its other half is no Unicode: it is kept as it is, and no value holds one
    const parts = input.split(/(\p{Surrogate})/u);
    return parts.length === 1 ? unicode(input) : parts.map((part, index) => (index % 2 === 0 ? unicode(part) : part)).join("");
  }

  function unicode(input: string): string {
    const bytes = Buffer.from(input, "utf8");
    const stream = redactBytes(() => scanner);
    return Buffer.concat([stream.push(bytes), stream.end()]).toString("utf8");
  }

  return {
    add(name, value) {
      if (values.has(value)) return true;
      const forms = formsOf(value);
      if (forms.length === 0) return false;
      values.add(value);
      const mark = secretMark(name);
      // a mark stands for itself, so that nothing is looked for within one
      scanner ??= new Scanner();
      for (const form of [literal(mark), ...forms]) scanner.add(form, mark);
      return true;
    },
    text,
    json: (value) => (scanner ? redactJson(value, text) : value),
    bytes: () => redactBytes(() => scanner),
    deltas: () => redactDeltas(redactBytes(() => scanner)),
  };
}

function redactDeltas(stream: ByteRedactor): TextRedactor {
  // pieces may be cut within a character: of the text between its surrogates, of the bytes anywhere
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let half = "";
  return {
    push(text) {
      const joined = half + text;
      half = /[\uD800-\uDBFF]$/.exec(joined)?.[0] ?? "";
      return decoder.decode(stream.push(Buffer.from(joined.slice(0, joined.length - half.length))), { stream: true });
    },
    end() {
      const rest = decoder.decode(stream.push(Buffer.from(half)), { stream: true });
      return rest + decoder.decode(stream.end());
    },
  };
}
