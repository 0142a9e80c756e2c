/** `npm run example 01`: compiles one example against the built package and runs it in a folder of its own. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "tsdown";

const root = fileURLToPath(new URL("..", import.meta.url));
const examples = readdirSync(join(root, "examples")).filter((name) => name.endsWith(".ts"));
const wanted = process.argv[2];
const name = examples.find((example) => wanted && example.startsWith(wanted));
if (!name) {
  console.error(`usage: npm run example NUMBER\n${examples.map((example) => `  ${example}`).join("\n")}`);
  process.exit(2);
}
// below the checkout, so that the example finds the package by its name
const out = mkdtempSync(join(root, "node_modules", ".example-"));
const workspace = mkdtempSync(join(tmpdir(), "collet-example-"));
writeFileSync(join(workspace, "users.csv"), "ada,Ada Lovelace\n");
writeFileSync(join(workspace, "orders.csv"), "17,one collet\n");
try {
  await build({
    entry: { example: join(root, "examples", name) },
    outDir: out,
    format: "esm",
    platform: "node",
    dts: false,
    logLevel: "error",
    fixedExtension: true,
  });
  const { main } = await import(pathToFileURL(join(out, "example.mjs")).href);
  for (const line of await main(workspace)) console.log(line);
} finally {
  rmSync(out, { recursive: true, force: true });
  rmSync(workspace, { recursive: true, force: true });
}
