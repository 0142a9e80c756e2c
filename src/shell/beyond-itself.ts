/**
 * Commands that do more than a rule for their name can cover: they run other commands, run their arguments as code, or change what the
 * commands after them mean. Until each is worked out, an `unknown` effect stands beside them, which no rule allows.
 */

/** Builtins that run code from their arguments, or change names, variables or options of the shell that goes on. */
const SHELL_CHANGING = new Set(
  (
    ". alias bind builtin compgen complete compopt declare enable eval exec export fc getopts let local mapfile read readarray " +
    "readonly shopt source trap typeset unalias unset"
  ).split(" "),
);

/** Programs whose arguments are a command to run. */
const RUNNERS = new Set(
  (
    "busybox chroot chrt doas env flock i386 ionice linux32 linux64 nice nohup nsenter parallel runuser script setarch setpriv setsid stdbuf strace su sudo " +
    "taskset time timeout toybox unshare watch xargs"
  ).split(" "),
);

const SHELLS = new Set("ash bash csh dash fish ksh mksh rbash sh tcsh zsh".split(" "));

/** Why the command does more than its name says, or `null`. `argv` holds at least the program. */
export function beyondItself(argv: readonly string[]): string | null {
  const [program = "", ...args] = argv;
  const name = program.slice(program.lastIndexOf("/") + 1);
  const has = (pattern: RegExp): boolean => args.some((arg) => pattern.test(arg));
  if (SHELL_CHANGING.has(program)) return `\`${program}\` runs its arguments or changes what later commands mean`;
  if (program === "command")
    return args.length === 0 || /^-[vV]+$/.test(args[0] ?? "") ? null : "`command` runs the command that it is given";
  if (program === "set") return isHarmlessSet(args) ? null : "`set` changes what later commands mean";
  if (program === "hash" && has(/^-/)) return "`hash` can change which program a name stands for";
  if (program === "jobs" && has(/^-[a-z]*x/)) return "`jobs -x` runs the command that it is given";
  // a subscript in a variable's name is computed, and so can run commands
  if ((name === "test" || name === "[") && has(/^-[vR]$/)) return `\`${name} -v\` computes what stands in its argument`;
  if ((program === "printf" && has(/^-v/)) || (program === "wait" && has(/^-p/))) return `\`${program}\` sets a variable`;
  if (RUNNERS.has(name) && args.length > 0) return `\`${name}\` runs the command that it is given`;
  if (SHELLS.has(name) && scriptFileOf(argv) === null) return `\`${name}\` runs text as commands`;
  if (name === "find" && has(/^-(?:exec|execdir|ok|okdir)$/)) return "`find` runs the command that it is given";
  if (name === "split" && has(/^--f/)) return "`split` runs the command that it is given";
  if (name === "git" && gitIsGivenSettings(args)) return "`git` is given settings that can run commands";
  return null;
}

/** Options of the shell that stop it, print, or forbid: they let no other command run. */
function isHarmlessSet(args: readonly string[]): boolean {
  const names = /^(?:errexit|nounset|xtrace|verbose|noglob|noclobber|pipefail)$/;
  return (
    args.length > 0 &&
    args.every((arg, index) => /^[-+][eufxvC]*o?$/.test(arg) || (/^[-+].*o$/.test(args[index - 1] ?? "") && names.test(arg)))
  );
}

/**
 * The command that `sh file …` runs, the file written as a path; `null` for anything else. With any option but those that stop or print, the
 * text may come from elsewhere, as it does from standard input without a file.
 */
export function scriptFileOf([program = "", ...args]: readonly string[]): readonly string[] | null {
  if (!SHELLS.has(program.slice(program.lastIndexOf("/") + 1))) return null;
  const at = args.findIndex((arg) => !/^-[euxnv]+$/.test(arg));
  const file = args[at] ?? "";
  if (!/^[^-+]/.test(file) || /^\/(?:dev|proc)\//.test(file)) return null;
  return [file.includes("/") ? file : `./${file}`, ...args.slice(at + 1)];
}

/** Options before the subcommand other than those that only choose the folder or leave the pager out: they can set or find configuration. */
function gitIsGivenSettings(args: readonly string[]): boolean {
  for (let at = 0; args[at]?.startsWith("-"); at += args[at] === "-C" ? 2 : 1) {
    if (!/^(?:-C|-P|--no-pager|--no-optional-locks|--version|--help|-v|-h)$/.test(args[at] ?? "")) return true;
  }
  return false;
}
