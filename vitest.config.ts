import { defineConfig } from "vitest/config";

/** Beside their source, and slow by nature: floods, kills, races, other users, sockets that fail, what must be alone in its process. `npm test` runs them, `npm run check` does not. */
const SLOW = ["src/**/*.{process,race,resources,rights,end,bash,property,generated}.test.ts", "src/models/{faults,odd-streams}.test.ts"];
/** What crosses rooms and needs no build. */
const UNIT = ["tests/architecture/**/*.test.ts", "tests/runtime/**/*.test.ts"];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          pool: "forks",
          isolate: false,
          include: ["src/**/*.test.ts", ...UNIT],
          exclude: SLOW,
          testTimeout: 10_000,
          hookTimeout: 10_000,
        },
      },
      { test: { name: "slow", include: SLOW, testTimeout: 60_000, hookTimeout: 60_000 } },
      { test: { name: "e2e", include: ["tests/**/*.test.ts"], exclude: UNIT, testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
});
