import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import { quoteWord } from "../base/words.ts";
import type { Terminal } from "./terminal.ts";

/**
 * How the person who started this command can start the next one: `collet` when that name leads to this very file on their PATH,
 * `npx --no-install collet` when npx started it, else node and the file.
 */
export function ownCommand({ env, process }: Pick<Terminal, "env" | "process">): string {
  // npx puts folders on the PATH that its caller has not
  if (env.npm_command === "exec") return "npx --no-install collet";
  const file = process.argv[1] ?? "collet";
  const found = (env.PATH ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, "collet"))
    .find(isExecutable);
  return found && realPath(found) === realPath(file) ? "collet" : `node ${quoteWord(realPath(file))}`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return path.isAbsolute(file);
  } catch {
    return false;
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
