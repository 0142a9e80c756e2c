import { expect, test } from "vitest";
import { nearestNames } from "./nearest.ts";

const KEYS = ["path", "old_string", "new_string", "replace_all", "edits"];

test.each([
  ["file_path", ["path"]],
  ["oldString", ["old_string"]],
  ["old-string", ["old_string"]],
  ["new_strnig", ["new_string"]],
  ["REPLACE_ALL", ["replace_all"]],
  ["edit", ["edits"]],
  ["zzz", []],
  ["", []],
])("for %j the nearest are %j", (wanted, nearest) => {
  expect(nearestNames(wanted, KEYS).slice(0, 1)).toEqual(nearest);
});

test("names at most three, the best first", () => {
  expect(nearestNames("read", ["reed", "red", "x", "reads", "Read"])).toEqual(["Read", "reed", "red"]);
});

test("does not spend time on what is far too long", () => {
  const long = "x".repeat(1_000_000);
  expect(nearestNames(long, [long])).toEqual([]);
  expect(nearestNames("xx", [long])).toEqual([]);
});
