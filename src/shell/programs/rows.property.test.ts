import fc from "fast-check";
import { expect, test } from "vitest";
import { AWK } from "./awk.ts";
import { CHANGE } from "./change.ts";
import { callForTest } from "./doing-for-test.ts";
import { EDITORS } from "./editors.ts";
import { LANGUAGES } from "./languages.ts";
import { LISTING } from "./listing.ts";
import { OUTPUTS } from "./outputs.ts";
import { SEARCH } from "./search.ts";
import { SED } from "./sed.ts";
import { SYSTEM } from "./system.ts";
import { TEXT } from "./text.ts";
import { WRAPPERS } from "./wrappers.ts";

const FAMILIES = [LISTING, TEXT, SEARCH, SED, AWK, CHANGE, SYSTEM, EDITORS, OUTPUTS, LANGUAGES, WRAPPERS];

const word = fc.oneof(
  fc.constantFrom(
    "-",
    "--",
    "-r",
    "-o",
    "-t",
    "-i",
    "-C",
    "-exec",
    ";",
    "+",
    "{}",
    "a",
    "./$x",
    "$x",
    "$*",
    "a/**",
    "",
    "czf",
    "of=a",
    "]",
    "!",
    "(",
  ),
  fc.string({ maxLength: 6 }),
  fc.string({ maxLength: 3 }).map((text) => `-${text}`),
);

test("no row throws, whatever its words are, and each row says whether it is all", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      for (const family of FAMILIES) {
        for (const name of Object.keys(family)) expect(["declared", "open"]).toContain(callForTest(family, [name, ...words]).sure);
      }
    }),
  );
});

test("no name stands in two families", () => {
  const names = FAMILIES.flatMap((family) => Object.keys(family));
  expect(names.length).toBe(new Set(names).size);
});
