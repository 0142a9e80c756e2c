import type { FileVersion } from "./effect.ts";
import type { JsonValue } from "./json.ts";
import {
  all,
  type Check,
  count,
  fields,
  list,
  type Misfit,
  noneBut,
  type OptionalCheck,
  object,
  oneOf,
  optional,
  orNull,
  sha256Hex,
  tagged,
  text,
  that,
} from "./shape.ts";

/** All effects of a plan together, in UTF-16 units of their JSON: as UTF-8 they fit into one line of a log, whatever is in them. */
const MAX_EFFECTS_LENGTH = 4 * 1024 * 1024;

type Members = Readonly<Record<string, Check | OptionalCheck>>;
/** Makes the check of one form of an effect out of its members. */
type Form = (members: Members) => Check;

/**
 * The shape of an effect, for its author and for the log alike: what is planned can be logged.
 * @param ofExactWrite members that an exact write may have beside its own.
 * @param form default: others may stand beside the members.
 */
export function effectShape(ofExactWrite: Members = {}, form: Form = object): Check {
  const version = fields<FileVersion>({ sha256: sha256Hex, size_bytes: count, mode: count });
  const sure = oneOf("exact", "declared", "open");
  const notExact = oneOf("declared", "open");
  const also = optional(list(text));
  const tree = optional(oneOf(true));
  const argv = all(
    list(text),
    that("one word at least", (words) => Array.isArray(words) && words.length > 0),
  );
  const port = that("a port from 0 to 65535", (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535);
  const rough = form({ kind: text, sure: notExact, path: text, tree, also });
  /** Writes and deletions say what they change when they are exact, and only then. */
  const bySure = (exact: Check) => tagged("sure", { exact, declared: rough, open: rough });
  return tagged("kind", {
    "file.read": form({ kind: text, sure, path: text, tree, also }),
    "file.write": bySure(
      form({ kind: text, sure: text, path: text, before: orNull(version), after: version, diff: text, also, ...ofExactWrite }),
    ),
    "file.delete": bySure(form({ kind: text, sure: text, path: text, before: version, also })),
    command: form({
      kind: text,
      sure: notExact,
      argv,
      cwd: text,
      dynamic: optional(list(count)),
      program: optional(orNull(list(text))),
      alone: optional(oneOf(true)),
    }),
    network: form({ kind: text, sure: notExact, host: text, port }),
    agent: form({ kind: text, sure: notExact, name: text }),
    unknown: form({ kind: text, sure: oneOf("open"), reason: text, commands: optional(oneOf(true)) }),
  });
}

// what an author says beyond what is understood could be what matters
const closed: Form = (members) => all(object(members), noneBut(Object.keys(members)));

const plannedEffects = all(
  list(effectShape({}, closed)),
  that("less to be said of them", (effects) => JSON.stringify(effects).length <= MAX_EFFECTS_LENGTH),
);

/** Where the effects of a plan, as a tool's author made them, do not have their shape, and what is wanted there; `undefined` when they do. */
export function effectsMisfit(effects: JsonValue): Misfit | undefined {
  return plannedEffects(effects);
}
