import type { SimpleCommand } from "./script.ts";

/** Where the next command of a script starts. `sure: false`: unless a `cd` before it failed. */
export interface Folder {
  readonly path: string;
  readonly sure: boolean;
}

/** The folder before a command, from the one after the command before it: only `&&` tells that a `cd` went well. */
export function folderBefore({ joinedBy }: SimpleCommand, folder: Folder | null, hasMoved: boolean): Folder | null {
  if (folder === null || !hasMoved || joinedBy === "and" || joinedBy === "pipe") return folder;
  return { ...folder, sure: false };
}

/** The folder after a command, `null` when it cannot be told. Bash changes folders by name: `..` takes away the last name, links or not. */
export function folderAfter({ argv, joinedBy, piped }: SimpleCommand, folder: Folder): Folder | null {
  const [program, ...args] = argv;
  if (program === "popd") return null;
  if ((program !== "cd" && program !== "pushd") || piped) return folder;
  const [target, more] = args[0] === "--" ? args.slice(1) : args;
  if (target === undefined || more !== undefined || target === "" || /^[-+]/.test(target)) return null;
  const names: string[] = [];
  const isAbsolute = target.startsWith("/");
  for (const name of (isAbsolute ? target : `${folder.path}/${target}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  // after `x || cd y &&` the `cd` may not have been run
  return { path: `/${names.join("/")}`, sure: (isAbsolute || folder.sure) && joinedBy !== "or" };
}

/** True for a command after which the folder may be another one. */
export function moves({ argv, piped }: SimpleCommand): boolean {
  return !piped && (argv[0] === "cd" || argv[0] === "pushd" || argv[0] === "popd");
}
