import { fail } from "../base/fail.ts";

/**
 * Waits for no longer than until the signal aborts, whatever becomes of what is waited for. Kind: `cancelled`.
 * @param interrupted the failure's message: what was interrupted.
 */
export async function unlessAborted<T>(wait: Promise<T>, signal: AbortSignal, interrupted: string): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(fail("cancelled", interrupted));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  aborted.catch(() => {});
  try {
    return await Promise.race([wait, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
