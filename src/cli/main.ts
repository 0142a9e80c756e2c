/**
 * The command line. It translates: flags into options, envelopes and events into lines, signals into aborts, kinds into exit statuses.
 * What is decided is decided below. A file a command in `commands/`; what a command needs is loaded when it runs.
 */
import { type Command, CommanderError } from "commander";
import { asFailure, type Failure, fail, faultOfCollet } from "../base/fail.ts";
import { KINDS } from "../base/kinds.ts";
import { nearestNames } from "../base/nearest.ts";
import { NOBODY_READS, type Output } from "./output.ts";
import { ownCommand } from "./own-command.ts";
import { createProgram } from "./program.ts";
import { type FailureForm, type FailurePlace, reportFailure } from "./report-failure.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

const EXIT_USAGE = 2;

/** Runs the command that the process was started with, and ends the process with its exit status. */
export async function main(process: NodeJS.Process): Promise<void> {
  const terminal = createTerminal(process);
  process.once("uncaughtException", (error) => {
    void reportFailure(faultOfCollet(error), onError(terminal)).then(terminal.end);
  });
  const status = await run(terminal);
  const undelivered = await terminal.out.flush();
  const end = undelivered ? await reportFailure(undelivered, onError(terminal)) : status;
  await terminal.err.flush();
  terminal.end(end === 0 && terminal.out.gone.aborted ? NOBODY_READS : end);
}

async function run(terminal: Terminal): Promise<number> {
  let status = 0;
  const program = createProgram({ terminal, end: (code) => (status = code) });
  try {
    if (terminal.args.length === 0) program.outputHelp();
    else await program.parseAsync([...terminal.args], { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { output, form } = placeOfFailure(terminal);
    return reportFailure(failureOf(error, program, terminal.args), { output, form, command: ownCommand(terminal) });
  }
}

function onError(terminal: Terminal): FailurePlace {
  return { output: terminal.err, form: "text", command: ownCommand(terminal) };
}

/** `call` answers in JSON whatever the flags; where standard output is for events only, a failure before the first goes beside them. */
function placeOfFailure({ args, out, err }: Terminal): { readonly output: Output; readonly form: FailureForm } {
  const [command, action] = args.filter((arg) => !arg.startsWith("-"));
  if (command === "call") return { output: out, form: "envelope" };
  const end = args.indexOf("--");
  const wantsJson = args.slice(0, end < 0 ? args.length : end).includes("--json");
  if (!wantsJson) return { output: err, form: "text" };
  const isStream = command === "run" || command === "demo" || (command === "sessions" && action === "show");
  return { output: isStream ? err : out, form: "json" };
}

function failureOf(error: unknown, program: Command, args: readonly string[]): Failure {
  const { command, words } = asked(program, args);
  const help = [...pathOf(command), "--help"].join(" ");
  if (error instanceof CommanderError) return error.code === "commander.help" ? noHelp(command, words) : usageFailure(error, command);
  const failure = asFailure(error);
  if (KINDS[failure.kind].exit !== EXIT_USAGE || "next_actions" in failure.details) return failure;
  // what is wrong with the command line stands in the help, and what is wrong with a file does not
  const next_actions = [failure.kind === "invalid_config" ? mending(failure) : help];
  return fail(failure.kind, failure.message, { ...failure.details, next_actions }, { cause: failure });
}

function mending({ details: { path, line, reason } }: Failure): string {
  const file = typeof path === "string" ? path : "the file";
  if (reason === "unreadable") return `name a file that can be read: ${file} cannot`;
  return `mend ${typeof line === "number" ? `line ${line} of ` : ""}${file}`;
}

/** The command that the line names, as far as it names one, and the words that follow. */
function asked(program: Command, args: readonly string[]): { readonly command: Command; readonly words: readonly string[] } {
  const words = args.filter((arg) => !arg.startsWith("-"));
  let command = program;
  for (;;) {
    const next = command.commands.find((each) => each.name() === words[0]);
    if (!next) return { command, words };
    command = next;
    words.shift();
  }
}

function pathOf(command: Command): readonly string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [command.name()];
}

/** Of `collet help WORD`, where there is no such command. */
function noHelp(command: Command, [, wanted = ""]: readonly string[]): Failure {
  const path = pathOf(command).join(" ");
  const nearest = nearestNames(
    wanted,
    command.commands.map((each) => each.name()),
  );
  return fail("invalid_args", `unknown command '${wanted}'${meant(nearest)}`, {
    reason: "unknown_command",
    nearest,
    next_actions: [...nearest.map((name) => `${path} ${name} --help`), `${path} --help`],
  });
}

function meant(nearest: readonly string[]): string {
  return nearest.length > 0 ? `; did you mean ${nearest.join(" or ")}?` : "";
}

/** What the parser says, with the near names that it puts into its text as data. */
function usageFailure({ code, message }: CommanderError, command: Command): Failure {
  const path = pathOf(command).join(" ");
  const [first = "", ...rest] = message.replace(/^error: /, "").split("\n");
  const wanted = /'(.*?)'/.exec(first)?.[1] ?? "";
  const guessed = /Did you mean (?:one of )?(.*)\?/.exec(rest.join(" "))?.[1]?.split(", ") ?? [];
  // the parser finds more alike than a person does
  const nearest = nearestNames(wanted, guessed);
  return fail("invalid_args", first + meant(nearest), {
    reason: code.replace("commander.", "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    nearest,
    next_actions: [...nearest.filter((name) => !name.startsWith("-")).map((name) => `${path} ${name} --help`), `${path} --help`],
  });
}
