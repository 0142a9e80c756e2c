import { type Command, Option } from "commander";
import type { Mode } from "../base/decision.ts";
import { fail } from "../base/fail.ts";

/** What the flags that every command takes say, after they were checked against each other. */
export interface CommonFlags {
  readonly workspace?: string;
  /** `undefined`: the command's default. */
  readonly mode?: Mode;
  readonly allow: readonly string[];
  readonly askFor: readonly string[];
  readonly deny: readonly string[];
  /** What becomes of a question; `undefined`: it is put where somebody is there, and a denial where nobody is. */
  readonly onAsk?: "ask" | "deny";
  /** File with a bounded write policy, as the person named it. */
  readonly writePolicy?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly stateDir?: string;
}

const MODES: readonly Mode[] = ["auto", "ask", "read_only"];
const COMMON = "Common flags:";

export interface FlagsOptions {
  /** `null` for a command that has no use for a mode: it takes the permission flags, so that a line need not be changed for it, and does not speak of them. */
  readonly defaultMode: Mode | null;
  /** The command brings its workspace, and does not speak of `-C`. */
  readonly ownWorkspace?: boolean;
  /** False for a command that asks nobody. */
  readonly asks?: boolean;
}

/** Adds the flags that every command takes; they stand after the command's own in its help. */
export function withCommonFlags(command: Command, { defaultMode, ownWorkspace = false, asks = true }: FlagsOptions): Command {
  const flag = (flags: string, description: string) => new Option(flags, description).helpGroup(COMMON);
  const permission = (flags: string, description: string) => flag(flags, description).hideHelp(defaultMode === null);
  return command
    .addOption(
      flag("-C, --workspace <dir>", "folder to work in (default: the git root above, else the current folder)").hideHelp(ownWorkspace),
    )
    .addOption(permission("--permission <mode>", `auto, ask or read_only (default: ${defaultMode})`).argParser(gather))
    .addOption(permission("--auto", "short for --permission auto: allow what no rule denies"))
    .addOption(permission("--ask", "short for --permission ask: ask before a change or a command"))
    .addOption(permission("--read-only", "short for --permission read_only: change nothing"))
    .addOption(
      permission("--allow <rule>", "allow what the rule covers, as 'command(npm test)' or 'write(src/**)'; repeatable").argParser(gather),
    )
    .addOption(
      permission("--ask-for <rule>", "ask about what the rule covers, in every mode; stronger than --allow; repeatable").argParser(gather),
    )
    .addOption(
      permission(
        "--deny <rule>",
        "deny what the rule covers, as far as it is known before; stronger than any --allow; repeatable",
      ).argParser(gather),
    )
    .addOption(
      flag("--on-ask <what>", "what becomes of a question: ask, or deny it unasked (default: ask at a terminal, else deny)")
        .argParser(gather)
        .hideHelp(defaultMode === null || !asks),
    )
    .addOption(permission("--write-policy <file>", "let nothing be written but what this policy allows, whatever rules and mode say"))
    .addOption(flag("--json", "output for programs"))
    .addOption(flag("--quiet", "tell nothing but errors"))
    .addOption(
      flag(
        "--state-dir <dir>",
        "where sessions are kept (default: $COLLET_STATE_DIR, else $XDG_STATE_HOME/collet, else ~/.local/state/collet)",
      ),
    )
    .addHelpOption(flag("-h, --help", "show this help"));
}

interface RawFlags {
  readonly workspace?: string;
  readonly permission?: readonly string[];
  readonly auto?: boolean;
  readonly ask?: boolean;
  readonly readOnly?: boolean;
  readonly allow?: readonly string[];
  readonly askFor?: readonly string[];
  readonly deny?: readonly string[];
  readonly onAsk?: readonly string[];
  readonly writePolicy?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly stateDir?: string;
}

/** Reads what `withCommonFlags` gathered, also from before the name of a command's own sub-command. Kind: `invalid_args`, for an unknown mode or two modes at once. */
export function commonFlags(command: Command): CommonFlags {
  const raw: RawFlags = { ...command.parent?.opts<RawFlags>(), ...command.opts<RawFlags>() };
  return {
    workspace: raw.workspace,
    mode: modeOf(raw),
    allow: raw.allow ?? [],
    askFor: raw.askFor ?? [],
    deny: raw.deny ?? [],
    onAsk: onAskOf(raw),
    writePolicy: raw.writePolicy,
    json: raw.json ?? false,
    quiet: raw.quiet ?? false,
    stateDir: raw.stateDir,
  };
}

function modeOf(raw: RawFlags): Mode | undefined {
  const named = (raw.permission ?? []).map((name) => {
    const mode = MODES.find((known) => known === name);
    if (!mode)
      throw fail("invalid_args", `--permission takes auto, ask or read_only, not "${name}"`, {
        flag: "--permission",
        value: name,
        next_actions: MODES.map((known) => `--permission ${known}`),
      });
    return mode;
  });
  const short = { auto: raw.auto, ask: raw.ask, read_only: raw.readOnly };
  const wanted = new Set([...named, ...MODES.filter((mode) => short[mode])]);
  if (wanted.size > 1) {
    const modes = [...wanted];
    throw fail("invalid_args", `the flags ask for several modes at once: ${modes.join(" and ")}; give one`, {
      modes,
      next_actions: modes.map((mode) => `--permission ${mode}, and no other mode`),
    });
  }
  return [...wanted][0];
}

function onAskOf({ onAsk = [] }: RawFlags): CommonFlags["onAsk"] {
  const [first, ...rest] = [...new Set(onAsk)];
  if (first === undefined) return undefined;
  if (rest.length === 0 && (first === "ask" || first === "deny")) return first;
  const why =
    first === "suspend"
      ? "a turn cannot wait for an answer beyond its process yet: --on-ask suspend is to come; use ask or deny"
      : `--on-ask takes ask or deny, not "${[first, ...rest].join(" and ")}"`;
  const reason = first === "suspend" ? { reason: "not_supported_yet" } : {};
  throw fail("invalid_args", why, { flag: "--on-ask", value: first, ...reason, next_actions: ["--on-ask ask", "--on-ask deny"] });
}

function gather(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
