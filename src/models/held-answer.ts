import { createTextPieces, type TextPieces } from "../base/text-pieces.ts";
import type { ModelPart } from "./port.ts";

export type FinishReason = Extract<ModelPart, { readonly type: "finish" }>["reason"];

/** A call as it comes in: pieces first, then, if all goes well, the whole. */
interface IncomingCall {
  readonly type: "call";
  readonly id: string;
  name: string;
  readonly pieces: TextPieces;
  whole: string | undefined;
}

interface HeldText {
  readonly type: "held";
  readonly as: "text_delta" | "reasoning_delta";
  readonly pieces: TextPieces;
}

/** An answer from its first call on, held back until it is whole. Calls keep their place among the other parts. */
export interface HeldAnswer {
  hasCalls(): boolean;
  hold(part: ModelPart): void;
  beginCall(id: string, name: string): void;
  /** A piece of the arguments of the call of this id that was begun last. */
  addArgs(id: string, piece: string): void;
  /** The arguments of the call of this id that was begun first and is not whole yet; of a new one, if there is none. */
  endCall(id: string, call: { readonly name: string; readonly argsText: string }): void;
  /** How many calls, and how much is in their arguments. */
  sizes(): { readonly count: number; readonly argsChars: number };
  /** Calls that were begun and not ended: where two have one id, it cannot be told which of them. */
  unended(): "none" | "some" | "of_one_id";
  /** All of it. Ids that came twice are made different, so that each call gets a result of its own. */
  parts(reason: FinishReason): ModelPart[];
}

export function createHeldAnswer(): HeldAnswer {
  const held: (ModelPart | HeldText | IncomingCall)[] = [];
  const calls: IncomingCall[] = [];
  const openById = new Map<string, IncomingCall[]>();

  const begin = (id: string, name: string): IncomingCall => {
    const call: IncomingCall = { type: "call", id, name, pieces: createTextPieces(), whole: undefined };
    calls.push(call);
    held.push(call);
    const open = openById.get(id);
    if (open) open.push(call);
    else openById.set(id, [call]);
    return call;
  };

  return {
    hasCalls: () => calls.length > 0,
    hold(part) {
      if (part.type !== "text_delta" && part.type !== "reasoning_delta") return void held.push(part);
      let last = held.at(-1);
      if (last?.type !== "held" || last.as !== part.type) {
        last = { type: "held", as: part.type, pieces: createTextPieces() };
        held.push(last);
      }
      last.pieces.add(part.text);
    },
    beginCall: begin,
    addArgs(id, piece) {
      (openById.get(id)?.at(-1) ?? begin(id, "")).pieces.add(piece);
    },
    endCall(id, { name, argsText }) {
      const call = openById.get(id)?.[0] ?? begin(id, name);
      openById.get(id)?.shift();
      call.name = name;
      call.whole = argsText;
    },
    sizes: () => ({
      count: calls.length,
      argsChars: calls.reduce((sum, { whole, pieces }) => sum + (whole?.length ?? pieces.length), 0),
    }),
    unended() {
      const open = calls.filter((call) => call.whole === undefined);
      if (open.length === 0) return "none";
      return new Set(calls.map((call) => call.id)).size < calls.length ? "of_one_id" : "some";
    },
    parts(reason) {
      const used = new Set<string>();
      return held.map((item): ModelPart => {
        if (item.type === "held") return { type: item.as, text: item.pieces.text() };
        return item.type === "call" ? wholeCall(item, { id: unused(item.id, used), reason }) : item;
      });
    },
  };
}

function wholeCall(
  { name, pieces, whole }: IncomingCall,
  { id, reason }: { readonly id: string; readonly reason: FinishReason },
): ModelPart {
  const written = whole ?? pieces.text();
  // a call without arguments is "" on some wires; a call that was cut before its arguments began is not that
  const cutBeforeArgs = reason === "length" && pieces.length === 0 && (written === "" || written === "{}");
  const args_text = cutBeforeArgs ? "" : written.trim() === "" ? "{}" : written;
  return { type: "tool_call", provider_call_id: id, name, args_text };
}

function unused(id: string, used: Set<string>): string {
  let own = id;
  for (let n = 2; used.has(own); n++) own = `${id}_${n}`;
  used.add(own);
  return own;
}
