import { describe, expect, test } from "vitest";
import { AWK } from "./awk.ts";
import { CHANGE } from "./change.ts";
import { GIT } from "./git.ts";
import { programRow } from "./index.ts";
import { LISTING } from "./listing.ts";
import { SEARCH } from "./search.ts";
import { SED } from "./sed.ts";
import { SELDOM } from "./seldom.ts";
import { SYSTEM } from "./system.ts";
import { TEXT } from "./text.ts";

const FAMILIES = { TEXT, SEARCH, LISTING, CHANGE, SYSTEM, SED, AWK, GIT, SELDOM };

describe("the table of programs", () => {
  test.each(Object.entries(FAMILIES))("finds all of %s", async (_, family) => {
    for (const [name, row] of Object.entries(family)) {
      // what is asked about in two families goes by the one that knows more
      const expected = name in CHANGE && name in SELDOM ? SELDOM[name] : row;
      expect([name, (await programRow(name)) === expected]).toEqual([name, true]);
    }
  });

  test.each(["", " ", "cat head", "constructor", "__proto__", "git-nothing", "nothing"])("finds nothing for %j", async (name) => {
    expect(await programRow(name)).toBeNull();
  });
});
