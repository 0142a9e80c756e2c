/** The table of programs, by the names that they are called by. */
import { AWK } from "./awk.ts";
import { CHANGE } from "./change.ts";
import { COMPARE } from "./compare.ts";
import { COMPRESS } from "./compress.ts";
import { DUMP } from "./dump.ts";
import { EDITORS } from "./editors.ts";
import { GIT } from "./git.ts";
import { LANGUAGES } from "./languages.ts";
import { LISTING } from "./listing.ts";
import { NETWORK } from "./network.ts";
import { OUTPUTS } from "./outputs.ts";
import { RUNNERS } from "./runners.ts";
import { SEARCH } from "./search.ts";
import { SED } from "./sed.ts";
import { SHELLS } from "./shells.ts";
import { SYSTEM } from "./system.ts";
import type { Family } from "./table.ts";
import { TEXT } from "./text.ts";

export { GIT_QUIET } from "./git-quiet.ts";

export const TABLE: Family = {
  ...TEXT,
  ...DUMP,
  ...EDITORS,
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
  ...OUTPUTS,
  ...LANGUAGES,
};
