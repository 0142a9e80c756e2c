import { closeSync } from "node:fs";
import { isatty } from "node:tty";

const STANDARD = [0, 1, 2];

/**
 * What ends the process at once with a status, also when its terminal has gone: Node sets terminals at its end as it found them, and
 * aborts when it cannot. To be made at the start.
 */
export function createEnd(process: NodeJS.Process): (status: number) => never {
  const terminals = STANDARD.filter((descriptor) => isatty(descriptor));
  return (status) => {
    for (const descriptor of terminals) if (!isatty(descriptor)) close(descriptor);
    process.exit(status);
  };
}

/** What is closed is left alone. */
function close(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // closed already
  }
}
