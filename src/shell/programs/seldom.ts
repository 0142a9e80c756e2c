/** Programs that run others, reach the network, edit, build, or are used now and then. */
import { EDITORS } from "./editors.ts";
import { LANGUAGES } from "./languages.ts";
import { NETWORK } from "./network.ts";
import { OUTPUTS } from "./outputs.ts";
import { RUNNERS } from "./runners.ts";
import type { Family } from "./table.ts";

export const SELDOM: Family = { ...EDITORS, ...RUNNERS, ...NETWORK, ...OUTPUTS, ...LANGUAGES };
