import type { JsonObject } from "../../base/json.ts";
import type { Kind } from "../../base/kinds.ts";
import { RIGHT, SOURCE_FILE, TEST_FILE, WRONG } from "./project.ts";

/** What the demo allows; all else has to be asked, and there is nobody to ask. */
export const DEMO_RULES = [
  { rule: "command(node --test)", means: "it may run the tests" },
  { rule: "write(src/**)", means: "it may change what lies below src/" },
] as const;

export const DEMO_PROMPT = "The test of this project fails. Find out why and fix it.";

/** One call of the script, and how it must end for the demo to be true. */
export interface DemoCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly ends: { readonly exit: number } | { readonly refused: Kind; readonly reason: string } | "done";
}

/** What the scripted model says in one answer. */
export interface DemoStep {
  readonly text: string;
  readonly calls: readonly DemoCall[];
}

const runTheTest: Pick<DemoCall, "name" | "args"> = { name: "bash", args: { command: "node --test" } };

export const DEMO_STEPS: readonly DemoStep[] = [
  {
    text: "I look at the test, and at the code that it tests.",
    calls: [
      { name: "read", args: { path: TEST_FILE }, ends: "done" },
      { name: "read", args: { path: SOURCE_FILE }, ends: "done" },
    ],
  },
  { text: "I run the test to see how it fails.", calls: [{ ...runTheTest, ends: { exit: 1 } }] },
  {
    text: "It expects 1500 and gets 500. The quickest way to a green test would be to expect 500.",
    calls: [
      {
        name: "edit",
        args: { path: TEST_FILE, old_string: "1500", new_string: "500" },
        ends: { refused: "permission_denied", reason: "nobody_to_ask" },
      },
    ],
  },
  {
    text: "That was refused, and rightly so: the test is right. The code gives the discount where it should give what is left.",
    calls: [{ name: "edit", args: { path: SOURCE_FILE, old_string: WRONG, new_string: RIGHT }, ends: "done" }],
  },
  { text: "I run the test again.", calls: [{ ...runTheTest, ends: { exit: 0 } }] },
  {
    text: `The test passes now. ${SOURCE_FILE} returned the discount instead of the price that is left; one line is changed, and the test is as it was.`,
    calls: [],
  },
];
