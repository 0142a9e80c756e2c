import type { Effect } from "../base/effect.ts";
import { beyondItself, scriptFileOf } from "./beyond-itself.ts";
import { type Folder, folderAfter, folderBefore, moves } from "./folder.ts";
import { redirectionEffects } from "./redirection-effects.ts";
import { NotUnderstood, type SimpleCommand, simpleCommands } from "./script.ts";

/** Longer scripts are not taken apart. */
export const MAX_SCRIPT_LENGTH = 64 * 1024;

/**
 * What a bash script will do, without running it. One `command` effect (`open`, words decoded) for each simple command, in order, each
 * followed by the file effects of its redirections (`open`). Paths are absolute, from `cwd`, and still hold `..` and links: the caller has
 * the sandbox resolve them. A script that does nothing gives `[]`. A script that is not understood as a whole gives one `unknown` effect
 * whose reason says what was not understood. A command that runs others, or changes what the ones after it mean, adds an `unknown` beside.
 * After a `cd`, `cwd` of an effect is where the command starts if the `cd` succeeds. Never throws for any text.
 *
 * Loads the grammar at its first call (17 ms bundled, measured), hence the promise. Holds for `bash --noprofile --norc -c` in a UTF-8
 * locale without CDPATH, POSIXLY_CORRECT, BASH_ENV, BASHOPTS and SHELLOPTS in its environment.
 */
export async function scriptEffects(command: string, { cwd }: { readonly cwd: string }): Promise<readonly Effect[]> {
  try {
    if (command.length > MAX_SCRIPT_LENGTH) throw new NotUnderstood(`it is longer than ${MAX_SCRIPT_LENGTH} characters`);
    if (/[\0-\x08\x0b-\x1f\x7f\p{Cs}]/u.test(command)) throw new NotUnderstood("it holds a control character or broken text");
    const { parse } = await import("unbash");
    return commandEffects(simpleCommands(command, parse(command)), cwd);
  } catch (error) {
    // a fault of the grammar is one more reason not to understand
    const why = error instanceof NotUnderstood ? error.message : "the grammar failed on it";
    return [{ kind: "unknown", sure: "open", reason: `the script is not understood: ${why}` }];
  }
}

function commandEffects(commands: readonly SimpleCommand[], cwd: string): readonly Effect[] {
  const effects: Effect[] = [];
  let folder: Folder | null = { path: cwd, sure: true };
  let hasMoved = false;
  for (const command of commands) {
    folder = folderBefore(command, folder, hasMoved);
    if (folder === null) throw new NotUnderstood("a `cd` before it leads to an unknown folder; name the folder, or use the `cwd` argument");
    const { argv, redirections } = command;
    const [program] = argv;
    if (program !== undefined) {
      const file = scriptFileOf(argv);
      // a script that a shell is given is a program of its own
      for (const started of file === null ? [argv] : [argv, file]) {
        const [name = ""] = started;
        if (!folder.sure && name.includes("/") && !name.startsWith("/")) {
          throw new NotUnderstood(`a \`cd\` before it may fail, and then ${name} is another program; join them with \`&&\``);
        }
        effects.push({ kind: "command", sure: "open", argv: started, cwd: folder.path });
      }
    }
    const base = folder.sure ? folder.path : null;
    effects.push(...redirections.flatMap((redirection) => redirectionEffects(redirection, base)));
    const beyond = program === undefined ? null : beyondItself(argv);
    if (beyond !== null) effects.push({ kind: "unknown", sure: "open", reason: beyond });
    folder = folderAfter(command, folder);
    hasMoved ||= moves(command);
  }
  return effects;
}
