import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { withHostLock } from "./host-lock.ts";

const aKey = () => randomBytes(8).toString("hex");

/** Another process that has the name of a lock, and keeps it. */
async function holder(key: string) {
  const script = `require("node:net").createServer().listen({ path: "\\0collet-" + process.argv[1] }, () => console.log("held"))`;
  const child = spawn(process.execPath, ["-e", script, key], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

test("work of one key is done one after the other, of two keys beside each other", async () => {
  const key = aKey();
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all(Array.from({ length: 10 }, () => withHostLock(key, work)));
  expect(most).toBe(1);
  expect(await withHostLock(aKey(), () => withHostLock(aKey(), async () => "both"))).toBe("both");
});

test("a lock goes with the process that held it, however it ended, and work that fails lets it go", async () => {
  const key = aKey();
  const other = await holder(key);
  const mine = withHostLock(key, async () => "done");
  other.kill("SIGKILL");
  expect(await mine).toBe("done");
  await expect(withHostLock(key, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await withHostLock(key, async () => "again")).toBe("again");
});

test("a lock that nobody lets go of holds up the work and does not prevent it", async () => {
  const key = aKey();
  await holder(key);
  expect(await withHostLock(key, async () => "done")).toBe("done");
});
