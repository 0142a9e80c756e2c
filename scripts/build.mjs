/** Builds dist/: the doors as ES modules with their dependencies outside, the command line with its own inside, and the types. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
rmSync("dist", { recursive: true, force: true });

const common = {
  format: "esm",
  platform: "node",
  target: "node20",
  outDir: "dist",
  clean: false,
  dts: false,
  logLevel: "warn",
  hash: true,
  fixedExtension: false,
};
await build({
  ...common,
  entry: { index: "src/index.ts", node: "src/node.ts", tools: "src/tools-door.ts", testing: "src/testing-door.ts" },
});
// one file set of its own: a bundle starts several times faster than the packages that it is made of; as CommonJS it spares the loader of
// ES modules, a tenth of a bare start of Node
await build({
  ...common,
  entry: { cli: "src/cli/main.ts" },
  format: "cjs",
  outDir: "dist/cli",
  deps: { alwaysBundle: [/./] },
  minify: "dce-only",
});

const types = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });
process.exitCode = types.status ?? 1;
