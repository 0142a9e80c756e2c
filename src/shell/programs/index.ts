/** The table of programs, by the names that they are called by. */

import type { Program } from "../doing.ts";
import { AWK } from "./awk.ts";
import { CHANGE } from "./change.ts";
import { COMPARE } from "./compare.ts";
import { COMPRESS } from "./compress.ts";
import { DUMP } from "./dump.ts";
import { GIT } from "./git.ts";
import { LANGUAGES } from "./languages.ts";
import { LISTING } from "./listing.ts";
import { NETWORK } from "./network.ts";
import { RUNNERS } from "./runners.ts";
import { SEARCH } from "./search.ts";
import { SED } from "./sed.ts";
import { SHELLS } from "./shells.ts";
import { SYSTEM } from "./system.ts";
import type { Family } from "./table.ts";
import { TEXT } from "./text.ts";

export { GIT_QUIET } from "./git-quiet.ts";

const ROWS: Family = {
  ...TEXT,
  ...DUMP,
  ...COMPARE,
  ...SEARCH,
  ...LISTING,
  ...CHANGE,
  ...COMPRESS,
  ...SYSTEM,
  ...SED,
  ...AWK,
  ...GIT,
  ...RUNNERS,
  ...SHELLS,
  ...NETWORK,
  ...LANGUAGES,
};

/** A path whose name is known so far may be a folder, in which any name may stand: for all that is not the reading of one file, any name is told. */
const withoutNames =
  (program: Program): Program =>
  (invocation) => {
    const doing = program(invocation);
    if (!doing.files.some(({ path }) => !path.known && path.only && !path.regular)) return doing;
    const files = doing.files.map((use) => {
      const { path } = use;
      if (path.known || !path.only || path.regular || (use.access === "read" && !use.tree && use.into === undefined)) return use;
      const { only: _, ...any } = path;
      return { ...use, path: any };
    });
    return { ...doing, files };
  };

export const TABLE: Family = Object.fromEntries(Object.entries(ROWS).map(([name, program]) => [name, withoutNames(program)]));
