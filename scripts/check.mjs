/** `npm run check`: types, lint and format, and the quick tests, side by side; the output of each comes whole, and all are run. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const steps = {
  tests: ["node_modules/vitest/vitest.mjs", "run", "--project", "unit"],
  types: ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"],
  "lint and format": ["node_modules/@biomejs/biome/bin/biome", "check", "."],
};

const ends = Object.entries(steps).map(
  ([name, argv]) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, argv, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
      let output = "";
      child.stdout.on("data", (chunk) => (output += chunk));
      child.stderr.on("data", (chunk) => (output += chunk));
      child.on("close", (code) => {
        process.stdout.write(`== ${name}\n${output.trimEnd()}\n`);
        resolve({ name, code: code ?? 1 });
      });
    }),
);
const failed = (await Promise.all(ends)).filter((end) => end.code !== 0);
// named last, so that whoever reads only the end of a long output sees what to look for
if (failed.length > 0) console.log(`== failed: ${failed.map((end) => end.name).join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
