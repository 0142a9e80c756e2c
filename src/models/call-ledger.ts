import { asFrame, type Frame } from "./frame.ts";

/** Counts on the wire what a provider package makes calls of, so that none of it vanishes in between. */
export interface CallLedger {
  /** To be called with every frame. */
  count(frame: unknown): void;
  /** Whether the calls that came out are fewer, or have less in their arguments, than what was counted. */
  isShort(calls: { readonly count: number; readonly argsChars: number }): boolean;
}

/**
 * A call begins with each `tool_use` block (Messages), each `function_call` item (Responses), and each index and each further id at
 * one that comes with a name (Chat Completions, where some servers say name or id again with every piece, and some a new id). The pieces of arguments are counted but for Responses, which repeats them
 * whole at the end.
 */
export function createCallLedger(): CallLedger {
  const idsByIndex = new Map<unknown, Set<string>>();
  let begun = 0;
  let argsChars = 0;
  const beginAt = (index: unknown, id: string | null) => {
    const ids = idsByIndex.get(index);
    if (!ids) {
      begun++;
      idsByIndex.set(index, new Set(id === null ? [] : [id]));
    } else if (id !== null && !ids.has(id)) {
      if (ids.size > 0) begun++;
      ids.add(id);
    }
  };
  return {
    count(raw) {
      const frame = asFrame(raw);
      switch (frame?.type) {
        case "content_block_start":
          if (asFrame(frame.content_block)?.type === "tool_use") begun++;
          return;
        case "content_block_delta":
          argsChars += lengthOf(asFrame(frame.delta)?.partial_json);
          return;
        case "response.output_item.added":
          if (asFrame(frame.item)?.type === "function_call") begun++;
          return;
      }
      for (const call of chatPieces(frame)) {
        const words = asFrame(call.function);
        argsChars += lengthOf(words?.arguments);
        if (isWord(words?.name)) beginAt(call.index ?? null, isWord(call.id) ? call.id : null);
      }
    },
    isShort: (calls) => calls.count < begun || calls.argsChars < argsChars,
  };
}

function chatPieces(frame: Frame | null): Frame[] {
  const choice = Array.isArray(frame?.choices) ? asFrame(frame.choices[0]) : null;
  const calls = asFrame(choice?.delta)?.tool_calls;
  return Array.isArray(calls) ? calls.map(asFrame).filter((call) => call !== null) : [];
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
