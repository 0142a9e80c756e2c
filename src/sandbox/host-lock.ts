import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { osCode } from "./os-error.ts";

/** A lock that is held longer belongs to somebody who does not let go of it: what it guards is then done without. */
const WAIT_MS = 1000;
/** Much shorter than a write, so that the next one gets its turn soon. */
const RETRY_MS = 2;

/**
 * Does the work while no other process of this machine does work of the same key, through a socket in Linux's abstract namespace: a name
 * that one process has at a time, and that is gone with it, however it ends. On other systems, and where no socket can be had, the work is
 * done without a lock. Processes of another network namespace (containers) are not met.
 */
export async function withHostLock<T>(key: string, work: () => Promise<T>): Promise<T> {
  const lock = process.platform === "linux" ? await take(`\0collet-${key}`) : null;
  try {
    return await work();
  } finally {
    lock?.close();
  }
}

async function take(name: string): Promise<Server | null> {
  for (const end = performance.now() + WAIT_MS; ; ) {
    const held = await listen(name);
    if (held !== "taken") return held;
    if (performance.now() > end) return null;
    await sleep(RETRY_MS);
  }
}

function listen(name: string): Promise<Server | "taken" | null> {
  return new Promise((resolve) => {
    const server = createServer((stranger) => stranger.destroy());
    server.once("error", (error) => resolve(osCode(error) === "EADDRINUSE" ? "taken" : null));
    server.listen({ path: name, exclusive: true }, () => resolve(server));
    server.unref();
  });
}
