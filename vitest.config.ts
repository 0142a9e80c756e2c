import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "tests/architecture/**/*.test.ts", "tests/runtime/**/*.test.ts"],
          testTimeout: 10_000,
          hookTimeout: 10_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/architecture/**", "tests/runtime/**"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
