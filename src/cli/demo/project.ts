import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fail } from "../../base/fail.ts";

/** The demo's own folder. Nothing outside it is touched but the state folder. */
export interface DemoFolder {
  readonly path: string;
  /** The small project, which is the workspace. */
  readonly project: string;
  /** Used for the session when the state folder cannot be written. */
  readonly state: string;
}

export const TEST_FILE = "test/price.test.js";
export const SOURCE_FILE = "src/price.js";

/** The line with the mistake, and what is right. */
export const WRONG = "return Math.round((cents * percent) / 100);";
export const RIGHT = "return Math.round((cents * (100 - percent)) / 100);";

export const TEST_TEXT = `import assert from "node:assert/strict";
import { test } from "node:test";
import { discounted } from "../src/price.js";

test("a quarter off 20.00 leaves 15.00", () => {
  assert.equal(discounted(2000, 25), 1500);
});
`;

export function sourceText(line: string): string {
  return `/** What is left of a price in cents after a discount in percent. */
export function discounted(cents, percent) {
  ${line}
}
`;
}

const FILES: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({ name: "price-list", private: true, type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
  [SOURCE_FILE]: sourceText(WRONG),
  [TEST_FILE]: TEST_TEXT,
};

/** Makes the folder below the temporary one, with the project whose test fails. Kind: `write_failed`. */
export function makeDemoFolder(temporary: string): DemoFolder {
  try {
    const folder = realpathSync(mkdtempSync(path.join(temporary, "collet-demo-")));
    const project = path.join(folder, "project");
    for (const [name, text] of Object.entries(FILES)) {
      const file = path.join(project, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return { path: folder, project, state: path.join(folder, "state") };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const next_actions = ["TMPDIR=/a/folder/that/can/be/written collet demo"];
    throw fail(
      "write_failed",
      `the demo needs a folder below ${temporary}, and it cannot be made: ${why}`,
      { path: temporary, next_actions },
      { cause },
    );
  }
}
