import { showLine } from "../../base/show.ts";
import { quoteWord } from "../../base/words.ts";
import type { Colors } from "../output.ts";
import { wrapWords } from "../view/wrap-words.ts";
import { type DemoFolder, RIGHT, SOURCE_FILE } from "./project.ts";
import { DEMO_RULES } from "./script.ts";

export function introText(folder: DemoFolder, colors: Colors): string {
  const flags = DEMO_RULES.map(({ rule }) => `--allow ${quoteWord(rule)}`);
  const width = Math.max(...flags.map((flag) => flag.length));
  const rules = DEMO_RULES.map(({ means }, index) => `${colors.bold((flags[index] ?? "").padEnd(width))}  ${means}`);
  return [
    `${colors.bold("Collet demo:")} a scripted model fixes a failing test.`,
    "",
    "The model is a script that comes with Collet: no intelligence, no key, no network.",
    "All else is real: the turn loop, the tools, the permissions, the processes, the log.",
    "",
    `${colors.dim("project")}  ${showLine(folder.project)}`,
    `${colors.dim("mode")}     ask: what no rule allows has to be asked, and here nobody is asked`,
    ...rules.map((rule, index) => `${colors.dim(index === 0 ? "rules" : "     ")}    ${rule}`),
    "",
  ].join("\n");
}

/** What a person who ended the demo half-way can still look at. */
export function interruptedText(folder: DemoFolder, log: string): string {
  return `\ninterrupted; the project: ${showLine(folder.project)}\n             the log: ${showLine(log)}\n`;
}

export interface Outro {
  readonly folder: DemoFolder;
  /** The session's log; `null` when it cannot be told. */
  readonly log: string;
  /** How the person starts Collet. */
  readonly command: string;
  /** Named in the commands when it is not the default one. */
  readonly stateDir: string | null;
}

/** Commands to try next; each runs as it is printed. */
export function nextCommands({
  folder,
  command,
  stateDir,
}: Omit<Outro, "log">): readonly { readonly line: string; readonly shows: string }[] {
  const at = `-C ${quoteWord(folder.project)}${stateDir === null ? "" : ` --state-dir ${quoteWord(stateDir)}`}`;
  const edit = JSON.stringify({ path: SOURCE_FILE, old_string: RIGHT, new_string: "return 0;" });
  return [
    { line: `${command} sessions show last ${at}`, shows: "what you just watched, from its log" },
    { line: `${command} call edit --dry-run ${at} --args ${quoteWord(edit)}`, shows: "plan an edit, and make none" },
    { line: `${command} call bash ${at} --args '{"command":"node --test"}'`, shows: "run a command through the same pipeline, by hand" },
    { line: `${command} tools edit`, shows: "what a tool takes and how it can fail" },
    { line: `${command} run --help`, shows: "put a real model to work" },
  ];
}

export function outroText(outro: Outro, { colors, columns }: { readonly colors: Colors; readonly columns: number }): string {
  const commands = nextCommands(outro).map(({ line, shows }) => `  ${colors.dim(`# ${shows}`)}\n  ${showLine(line)}\n`);
  return [
    "",
    wrapWords(`${colors.green("Every step came out as it should.")} The refused edit changed nothing; the log has all of it:`, columns),
    `  ${showLine(outro.log)}`,
    "",
    "Try next:",
    commands.join("\n"),
  ].join("\n");
}
