import { type AnyEvent, type CallView, createFold, type EphemeralEvent, type LoggedEvent, type TurnView } from "../../log/index.ts";
import { liveBlobs } from "../live-blobs.ts";
import type { Output } from "../output.ts";
import type { Place } from "../place.ts";
import { shortLine } from "./args-text.ts";
import { callParts } from "./call-text.ts";
import type { Look } from "./look.ts";
import { answerText, endText, headText, promptText } from "./session-text.ts";
import { createStatusLine } from "./status-line.ts";
import { wrapText } from "./wrap-text.ts";

/** A session on the screen while it happens, part by part as each comes to be known, in the words of `sessions show`. */
export interface LiveView {
  /** Settles when more may be shown. */
  event(event: LoggedEvent | EphemeralEvent): Promise<void>;
  /** Keeps everything off the screen, such as while a question stands there, until the returned function is called. */
  hold(): () => void;
  /** A line of the command itself, shown at once; whatever stands begun on the line, such as a typed `^C`, goes. */
  note(text: string): void;
  /** Nothing follows. */
  end(): Promise<void>;
}

/** A streamed answer changes the status line no more often. */
const STATUS_EVERY_MS = 200;

export interface LiveViewOptions {
  readonly output: Output;
  readonly place: Place;
  /** What is said elsewhere: the prompt was just typed, the answer goes to standard output, an introduction stands above. */
  readonly omit: readonly ("head" | "prompt" | "answer")[];
  /** True when a person has interrupted the turn: an answer that breaks off then is no fault. */
  readonly interrupted?: () => boolean;
}

export function createLiveView({ output, place, omit, interrupted = () => false }: LiveViewOptions): LiveView {
  const look: Look = {
    colors: output.colors,
    workspace: place.workspace,
    home: place.home,
    get columns() {
      return output.columns();
    },
  };
  const fold = createFold({ resolve: liveBlobs(place, () => fold.view().session_id) });
  const hasAnswers = !omit.includes("answer");
  /** The call whose lines stand last on the screen. */
  let open: string | null = null;
  const planShown = new Map<string, string | null>();
  const status = createStatusLine(output);
  let statusAt = 0;
  let holds = 0;
  let kept = "";

  const headed = (call: CallView, text: string): string => {
    const heading = open === call.call_id ? "" : callParts.heading(call, look);
    open = call.call_id;
    return heading + text;
  };
  const plan = (call: CallView): string => {
    if (planShown.get(call.call_id) === call.plan_sha256) return "";
    planShown.set(call.call_id, call.plan_sha256);
    return callParts.plan(call, look);
  };
  const other = (text: string): string => {
    if (text !== "") open = null;
    return text;
  };

  const broken = () => (interrupted() ? "by_person" : "by_fault");

  const textOf = (event: LoggedEvent | EphemeralEvent): string => {
    const turn = fold.view().turns.at(-1);
    const call = "call_id" in event.data ? callOf(turn, event.data.call_id) : undefined;
    const step = turn?.steps.at(-1);
    switch (event.type) {
      case "session_started":
        return omit.includes("head") ? "" : other(headText(fold.view(), look));
      case "user_message":
        return omit.includes("prompt") ? "" : other(promptText(event.data.text, look));
      case "assistant_message":
        return step && (hasAnswers || event.data.call_ids.length > 0 || step.partial) ? other(answerText(step, broken(), look)) : "";
      case "permission_decision":
        // a question follows an `ask`, and then the decision of a person; where it was put, the plan stands above already
        if (!call || event.data.decision.outcome === "ask") return "";
        if (event.data.decision.source.from === "person") planShown.set(call.call_id, call.plan_sha256);
        return headed(call, plan(call) + callParts.decision(call, look));
      case "tool_started":
        // reads that the mode allows run beside each other: each is shown whole when it is done
        return call?.decision ? headed(call, plan(call)) : "";
      case "tool_result":
        if (!call) return "";
        return headed(call, plan(call) + (call.decision === "mode" ? callParts.decision(call, look) : "") + callParts.result(call, look));
      case "turn_ended":
        if (!turn) return "";
        if (hasAnswers) return other(endText(turn, look));
        // an answer that does not go to standard output, because the turn did not end well, is shown here
        return turn.status === "done" || !step || step.partial || step.calls.length > 0 ? "" : other(answerText(step, broken(), look));
      default:
        return "";
    }
  };

  /** What is waited for; `null` leaves it as it is. */
  const statusOf = (event: LoggedEvent | EphemeralEvent): string | null => {
    const step = fold.view().turns.at(-1)?.steps.at(-1);
    if (event.type === "model_request") return `… ${shortLine(event.data.model, 60)}`;
    if (event.type === "tool_started") return "… running";
    if (!step || (event.type !== "text_delta" && event.type !== "reasoning_delta")) return null;
    if (Date.parse(event.ts) - statusAt < STATUS_EVERY_MS) return null;
    statusAt = Date.parse(event.ts);
    const length = step.streamed_text.length;
    return `… ${shortLine(step.model ?? "", 60)}: ${length === 0 ? "thinking" : `${length} characters so far`}`;
  };

  return {
    async event(event) {
      fold.push(event as AnyEvent);
      const text = textOf(event);
      if (holds > 0) {
        kept += text;
        return;
      }
      if (text !== "") await output.write(status.erase() + wrapText(text, output.columns()));
      const waiting = statusOf(event);
      if (waiting !== null) await status.show(waiting);
    },
    note(text) {
      open = null;
      const clear = output.isScreen ? `${status.erase()}\r\u001b[K` : "\n";
      if (holds > 0) kept += `${text}\n`;
      else void output.write(`${clear}${wrapText(text, output.columns())}\n`);
    },
    async end() {
      await output.write(status.erase());
    },
    hold() {
      let isHeld = true;
      holds++;
      void output.write(status.erase());
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds--;
        if (holds > 0) return;
        void output.write(wrapText(kept, output.columns()));
        kept = "";
      };
    },
  };
}

function callOf(turn: TurnView | undefined, callId: string): CallView | undefined {
  for (const step of [...(turn?.steps ?? [])].reverse()) {
    const call = step.calls.find((candidate) => candidate.call_id === callId);
    if (call) return call;
  }
  return undefined;
}
