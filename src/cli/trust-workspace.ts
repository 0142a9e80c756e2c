import { fail } from "../base/fail.ts";
import { showLine, showText } from "../base/show.ts";
import { type TrustFile, workspaceTrust } from "../node.ts";
import type { CommonFlags } from "./common-flags.ts";
import { confirm } from "./confirm.ts";
import { refuseInsideCall } from "./inside-call.ts";
import { listenForInterrupts, statusOf } from "./interrupts.ts";
import { hasKeyboard, LEAVE_PASTES, MARK_PASTES, openKeyboard } from "./keyboard.ts";
import { placeOf } from "./place.ts";
import type { Terminal } from "./terminal.ts";
import { counted } from "./view/bytes-text.ts";
import type { Look } from "./view/look.ts";
import { wrapText } from "./view/wrap-text.ts";

export interface TrustCommand {
  readonly terminal: Terminal;
  readonly flags: CommonFlags;
  /** Show only. */
  readonly show: boolean;
  readonly revoke: boolean;
}

/** `collet trust`: shows the files of the workspace that need trust, and asks. Returns the exit status: 1 where the answer was no. */
export async function trustWorkspace({ terminal, flags, show, revoke }: TrustCommand): Promise<number> {
  const { out, err } = terminal;
  const place = placeOf(terminal, flags);
  const say = async (text: string) => void (flags.quiet || (await err.write(err.colors.dim(`${text}\n`))));
  const trust = await workspaceTrust({ ...place, env: terminal.env });
  if (revoke) {
    const count = await trust.revoke();
    if (flags.json) await out.write(`${JSON.stringify({ ok: true, revoked: count })}\n`);
    else
      await say(
        count > 0
          ? `${counted(count, "content")} not trusted any more; sessions that run keep theirs to their end`
          : "nothing was trusted here",
      );
    return 0;
  }
  const asking = trust.files.filter(({ asks, trusted }) => asks.length > 0 && !trusted);
  if (show || flags.json) {
    if (flags.json) await out.write(`${JSON.stringify({ ok: true, workspace: place.workspace, files: trust.files })}\n`);
    else if (trust.files.length === 0) await say("there is no file here that needs trust");
    else await out.write(`${linesOf(trust.files, lookOf(out, place.workspace)).join("\n")}\n`);
    return 0;
  }
  if (asking.length === 0) {
    await say(
      trust.files.length === 0
        ? "there is no file here that needs trust"
        : "nothing here waits for trust; collet trust --show shows what is there",
    );
    return 0;
  }
  return ask({ terminal, flags, look: lookOf(err, place.workspace), files: asking, trust: trust.trust });
}

function lookOf(screen: Terminal["out"], workspace: string): Look {
  return { colors: screen.colors, workspace, columns: screen.columns() };
}

interface Asking extends Pick<TrustCommand, "terminal" | "flags"> {
  readonly look: Look;
  readonly files: readonly TrustFile[];
  readonly trust: () => Promise<void>;
}

const QUESTION = {
  way: { key: "n", label: "[n] no", help: "n for no" },
  prompt: "Trust this, until it changes? [y] yes   [n] no   [?] help",
  hint: "press y or n",
  help: [
    "y      what was shown is in force, until a byte of it changes",
    "n      only what narrows is in force",
    "Ctrl-C nothing is changed",
  ],
} as const;

/** At a terminal alone, whatever the flags: what a person has not seen is not trusted. */
async function ask({ terminal, look, files, trust }: Asking): Promise<number> {
  const { err } = terminal;
  refuseInsideCall(terminal, "trust the files of a workspace");
  const keyboard = err.isTerminal && hasKeyboard() ? openKeyboard() : null;
  if (!keyboard)
    throw fail("permission_denied", "only a person at a terminal can trust the files of a workspace", {
      reason: "nobody_to_ask",
      files: files.map(({ file }) => file),
      next_actions: ["collet trust --show", "collet trust, at a terminal"],
    });
  const interrupts = listenForInterrupts(terminal);
  const marks = (text: string) => (err.isScreen ? err.write(text) : Promise.resolve());
  try {
    await marks(MARK_PASTES);
    const answer = await confirm({ ...QUESTION, screen: err, keyboard, signal: interrupts.signal, lines: linesOf(files, look) });
    if (answer === "interrupt" || answer === "gone") return interrupts.status() ?? statusOf("SIGINT");
    const isYes = answer === "yes";
    if (isYes) await trust();
    await err.write(isYes ? `${err.colors.green("trusted")}\n` : `${err.colors.red("not trusted")}: only what narrows is in force\n`);
    return isYes ? 0 : 1;
  } finally {
    await marks(LEAVE_PASTES);
    keyboard.close();
    interrupts.stop();
  }
}

/** Each file whole, with the number of each line, and last what of it waits for trust. */
function linesOf(files: readonly TrustFile[], { colors, columns }: Look): readonly string[] {
  const text = files.flatMap(({ file, what, text: content, asks, trusted, sha256 }) => {
    const lines = showText(content).replace(/\n$/, "").split("\n");
    const width = String(lines.length).length;
    return [
      `${colors.bold(showLine(file))}  ${colors.dim(`${what}, sha256 ${sha256.slice(0, 16)}…`)}`,
      ...lines.map((line, at) => `${colors.dim(`${String(at + 1).padStart(width)} │`)} ${line}`),
      ...(asks.length === 0 ? [colors.dim("All of it is in force: it only narrows.")] : []),
      ...(asks.length > 0 ? [trusted ? colors.green("Trusted, and so in force:") : colors.yellow("In force once it is trusted:")] : []),
      ...asks.map((each) => `  ${showLine(each)}`),
      "",
    ];
  });
  return wrapText(text.slice(0, -1).join("\n"), columns ?? null).split("\n");
}
