import { fail } from "../base/fail.ts";
import { isSecretRef, type SecretRef } from "../base/secret.ts";
import { type GrantPattern, grantPatterns } from "./command-patterns.ts";

/** A program that a model may run, and how. */
export interface CommandOptions {
  /**
   * One program: a name in the PATH for commands, or a path (absolute, from the workspace, or with `~/`). What lies in the workspace is taken
   * only by its path.
   */
  readonly command: string;
  /** Default: the last name of the path with what no tool's name may hold as `_`, such as `git`, `foo_sh` for `foo.sh`, `cmd_7z` for `7z`. */
  readonly name?: string;
  /** Default: one that says what the grant is. */
  readonly description?: string;
  /**
   * Variables on top of those that every command gets; a value or `secret("NAME")`. The model sees their names and no secret's value. What they
   * change about the program is the host's own choice: no rule looks at them.
   */
  readonly env?: Readonly<Record<string, string | SecretRef>>;
  /**
   * Patterns of the arguments, in the grammar of `command(…)` rules without the program: `status`, `diff *`, `log $`; `$` alone: no arguments.
   * With it only what one of them matches runs, in every mode, whatever rule allows more. Default: all.
   */
  readonly allow?: readonly string[];
  /** What is never run, whatever `allow` or a rule says; also behind options, as in `git -C dir push` for `push`. */
  readonly deny?: readonly string[];
  /** Folder that it runs in, and that a call's `cwd` is taken from; inside the workspace. Default: the workspace. */
  readonly cwd?: string;
  /** Seconds a call gets that asks for no other time, 0.1 to 600. Default 120. */
  readonly timeout?: number;
}

/** Checked options. */
export interface Grant {
  readonly command: string;
  readonly name: string;
  readonly description: string | null;
  readonly values: Readonly<Record<string, string>>;
  /** By the name of the variable. */
  readonly secrets: Readonly<Record<string, SecretRef>>;
  /** `null`: all arguments. */
  readonly allow: readonly GrantPattern[] | null;
  readonly deny: readonly GrantPattern[];
  readonly cwd: string | null;
  readonly timeout: number | null;
}

const KEYS = [
  "command",
  "name",
  "description",
  "env",
  "allow",
  "deny",
  "cwd",
  "timeout",
] as const satisfies readonly (keyof CommandOptions)[];
const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** By it the processes of a call are found, and ended. */
const OWN_VARIABLE = "COLLET_CALL";
/** Control characters. */
const CONTROL = /\p{Cc}/u;

/** Kind: invalid_args (`option`, and `reason` of a pattern that cannot be used). */
export function grantOf(options: CommandOptions): Grant {
  if (typeof options !== "object" || options === null) throw wrong("command", "command() takes its options as one object");
  const unknown = Object.keys(options).find((key) => !KEYS.some((known) => known === key));
  if (unknown !== undefined) throw wrong(unknown, `there is no option "${unknown}"; options are ${KEYS.join(", ")}`);
  const { command, description = null, env = {}, allow, deny = [], cwd = null, timeout = null } = options;
  if (typeof command !== "string" || command.trim() === "" || CONTROL.test(command))
    throw wrong("command", "command is the name or path of one program");
  if (description !== null && typeof description !== "string") throw wrong("description", "description is text");
  if (cwd !== null && (typeof cwd !== "string" || cwd === "")) throw wrong("cwd", "cwd is the path of a folder in the workspace");
  if (timeout !== null && !(timeout >= 0.1 && timeout <= 600)) throw wrong("timeout", "timeout is a number of seconds, 0.1 to 600");
  const name = options.name ?? toolName(command);
  if (!NAME.test(name)) throw wrong("name", `${JSON.stringify(name)} cannot be a tool's name; it must fit ${NAME.source}`);
  return {
    command,
    name,
    description,
    ...environmentOf(env),
    allow: allow === undefined ? null : grantPatterns(allow, "allow"),
    deny: grantPatterns(deny, "deny"),
    cwd,
    timeout,
  };
}

/** The name of the tool for a program: what no name of a tool can hold becomes `_`, and what cannot begin one stands behind `cmd_`. */
function toolName(command: string): string {
  const base = command.replace(/\/+$/, "").replace(/^.*\//s, "");
  const plain = base.replace(/[^a-zA-Z0-9_-]/g, "_");
  if (!/[a-zA-Z0-9]/.test(plain)) throw wrong("name", `no tool's name can be made of ${JSON.stringify(command)}; give a name`);
  return (/^[a-zA-Z]/.test(plain) ? plain : `cmd_${plain}`).slice(0, 64);
}

function environmentOf(env: NonNullable<CommandOptions["env"]>): Pick<Grant, "values" | "secrets"> {
  if (typeof env !== "object" || env === null) throw wrong("env", "env holds variables by name");
  const values: Record<string, string> = {};
  const secrets: Record<string, SecretRef> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!VARIABLE.test(name) || name === OWN_VARIABLE) throw wrong("env", `${JSON.stringify(name)} cannot be set as a variable`);
    if (isSecretRef(value)) secrets[name] = value;
    else if (typeof value === "string" && !value.includes("\0")) values[name] = value;
    else throw wrong("env", `the value of ${name} is neither text nor made by secret()`);
  }
  return { values, secrets };
}

function wrong(option: string, message: string): Error {
  return fail("invalid_args", `command(): ${message}`, { option });
}
