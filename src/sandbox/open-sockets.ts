import { accessSync, constants, type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where services listen, and how far below. */
const PLACES: readonly (readonly [folder: string, depth: number])[] = [
  ["/run", 3],
  ["/var/run", 3],
  ["/tmp", 2],
];
const MAX_NAMES = 5_000;

/** Unix sockets that are there now, that this process could talk to, and that lie where services have theirs. */
export function openSockets(): readonly string[] {
  const found: string[] = [];
  let seen = 0;
  const walk = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      seen += 1;
      if (seen > MAX_NAMES) return;
      const path = join(folder, entry.name);
      if (entry.isSocket() && isOpen(path)) found.push(path);
      if (entry.isDirectory() && depth > 1) walk(path, depth - 1);
    }
  };
  // where /var/run is a link it is /run
  const isLink = entriesOf("/var").some((entry) => entry.name === "run" && entry.isSymbolicLink());
  for (const [folder, depth] of PLACES) if (folder !== "/var/run" || !isLink) walk(folder, depth);
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // not there, or not ours to see
    return [];
  }
}

function isOpen(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
