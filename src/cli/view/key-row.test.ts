import { expect, test } from "vitest";
import { keyRow } from "./key-row.ts";

const ROW = "[y] allow once   [a] always   [n] deny   [c] change   [?] help";

test.each<[string, string, number | null, readonly string[]]>([
  ["wide enough", ROW, 80, [ROW]],
  ["no screen", ROW, null, [ROW]],
  ["40 columns", ROW, 40, ["[y] allow once   [a] always   [n] deny", "[c] change   [?] help"]],
  ["20 columns", ROW, 20, ["[y] allow once", "[a] always", "[n] deny", "[c] change", "[?] help"]],
  ["one that is too wide", "[space] more: line 1000 of 2000   [n] no", 21, ["[space] more: line", "1000 of 2000", "[n] no"]],
])("a row of keys is broken between them: %s", (_, row, columns, lines) => {
  expect(keyRow(row, columns)).toEqual(lines);
});
