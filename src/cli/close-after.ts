import type { createRuntime } from "../node.ts";

/**
 * Does the work with a runtime and closes it then. What closing it fails with counts only when all went well until then: a log that broke
 * has been told already. Returns the exit status of the work.
 */
export async function closeAfter(
  runtime: Pick<Awaited<ReturnType<typeof createRuntime>>, "close">,
  work: () => Promise<number>,
): Promise<number> {
  let status: number;
  try {
    status = await work();
  } catch (error) {
    await runtime.close().catch(() => {});
    throw error;
  }
  try {
    await runtime.close();
  } catch (error) {
    if (status === 0) throw error;
  }
  return status;
}
