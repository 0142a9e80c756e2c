/**
 * Writes src/tools/validators.generated.js: the schemas of the built-in tools as plain functions, so that a start of Collet loads no
 * validator. Run it after a change of a built-in tool's parameters; a test compares its output with what is committed.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const vite = await createServer({
  root,
  configFile: false,
  logLevel: "error",
  appType: "custom",
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false, watch: null },
});
try {
  const { generatedValidators } = await vite.ssrLoadModule("/src/tools/generated-validators.ts");
  writeFileSync(`${root}src/tools/validators.generated.js`, await generatedValidators());
} finally {
  await vite.close();
}
