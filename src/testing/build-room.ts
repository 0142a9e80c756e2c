import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/**
 * For tests of what only a process of its own can show: builds a room's `index.ts` into `folder`, as a module that a bare Node can load.
 * Returns the name of its file there.
 */
export async function buildRoom(room: "log" | "sandbox", folder: string): Promise<string> {
  const name = `${room}.mjs`;
  await build({
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: fileURLToPath(new URL(join("..", room, "index.ts"), import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: name } },
    },
  });
  return name;
}
