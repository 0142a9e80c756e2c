import { defineConfig } from "vitest/config";

/**
 * Beside their source, and slow by nature: disks, processes, floods, kills, races, other users, sockets that fail, what must be alone in its
 * process. `npm test` runs them, `npm run check` does not.
 */
const SLOW = [
  "src/**/*.{process,race,resources,rights,end,bash,property,generated}.test.ts",
  "src/sandbox/{local-*,sandbox.contract}.test.ts",
  "src/log/{spill-file,read-log,session-log*}.test.ts",
  "src/models/{faults,odd-streams,run-together,wire}.test.ts",
  "tests/runtime/**/*.test.ts",
];
const ARCHITECTURE = "tests/architecture/**/*.test.ts";

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          pool: "forks",
          isolate: false,
          include: ["src/**/*.test.ts", ARCHITECTURE],
          exclude: SLOW,
          testTimeout: 30_000,
          hookTimeout: 10_000,
        },
      },
      { test: { name: "slow", include: SLOW, testTimeout: 60_000, hookTimeout: 60_000 } },
      {
        test: { name: "e2e", include: ["tests/**/*.test.ts"], exclude: [ARCHITECTURE, ...SLOW], testTimeout: 60_000, hookTimeout: 60_000 },
      },
    ],
  },
});
