/**
 * Builds dist/: the doors as ES modules with their dependencies outside, the command line with its own inside, and the types.
 *
 * It is made in a folder of its own and put in place when it is whole: `npx` builds a checkout that it does not know yet, and what runs
 * meanwhile must find the build that it began with, or a whole one.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
const made = `dist-${process.pid}.new`;
const old = `dist-${process.pid}.old`;
process.on("exit", () => {
  for (const folder of [made, old]) rmSync(folder, { recursive: true, force: true });
});

const common = {
  format: "esm",
  platform: "node",
  target: "node20",
  outDir: made,
  clean: false,
  dts: false,
  logLevel: "warn",
  hash: true,
  fixedExtension: false,
};
await build({
  ...common,
  entry: { index: "src/index.ts", node: "src/node.ts", tools: "src/tools-door.ts", testing: "src/testing-door.ts" },
  // as one file it loads several times faster, at the first call of a shell
  deps: { alwaysBundle: ["unbash"] },
});
// one file set of its own: a bundle starts several times faster than the packages that it is made of; as CommonJS it spares the loader of
// ES modules, a tenth of a bare start of Node
await build({
  ...common,
  entry: { cli: "src/cli/main.ts" },
  format: "cjs",
  outDir: `${made}/cli`,
  deps: { alwaysBundle: [/./] },
  // what its package names for Node is a form that loads its parts by computed names, which no bundle can follow
  alias: { "jsonc-parser": fileURLToPath(new URL("../node_modules/jsonc-parser/lib/esm/main.js", import.meta.url)) },
  minify: "dce-only",
});

const tsc = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", `${made}/types`];
const types = spawnSync(process.execPath, tsc, { stdio: "inherit" });
if (types.status === 0) {
  if (existsSync("dist")) renameSync("dist", old);
  try {
    renameSync(made, "dist");
  } catch (error) {
    // another build put its own in place just now
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  }
} else {
  process.exitCode = types.status ?? 1;
}
removeLeftovers();

/** Folders of builds that were killed. */
function removeLeftovers() {
  const isOld = (name) => Date.now() - statSync(name, { throwIfNoEntry: false })?.mtimeMs > 3_600_000;
  for (const name of readdirSync("."))
    if (/^dist-\d+\.(new|old)$/.test(name) && isOld(name)) rmSync(name, { recursive: true, force: true });
}
