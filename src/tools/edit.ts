import type { Replacement } from "../base/diff.ts";
import { fail } from "../base/fail.ts";
import type { ReadSandbox } from "../sandbox/port.ts";
import { withCheck } from "./attached-check.ts";
import { defineTool } from "./define-tool.ts";
import { createMatcher, type EditRequest, MAX_MATCHES, MAX_SITES, type Matcher } from "./edit-match.ts";
import { changeDetails, changeOf, refuseBrokenText, refuseNewMarks, refuseTooLarge } from "./file-change.ts";
import { nearestText } from "./nearest-text.ts";
import { result } from "./result.ts";
import { diffOfEdit } from "./shown-change.ts";
import { validators } from "./validators.generated.js";

/** So many line numbers are named when a text is not unique. */
const MAX_NAMED_LINES = 50;

const OLD = {
  type: "string",
  minLength: 1,
  description: "Text to replace, exactly as it stands in the file, line breaks and blanks included.",
} as const;
const NEW = { type: "string", description: "Text to put in its place, written as it is; empty deletes." } as const;
const ALL = { type: "boolean", description: "Replace every occurrence; otherwise the text must occur once. Default false." } as const;

/**
 * `edit`: replace exact text in one file.
 *
 * `plan` reads the file and works out the new bytes; `execute` writes those bytes, and only over the version that `plan` read, so a dry run
 * shows the very write that a real run makes. Bytes outside the matches never change. Several edits are all matched against the file as it
 * is, not against each other's outcome, and all are made or none.
 */
export const edit = defineTool({
  name: "edit",
  description:
    "Replace exact text in one file: give `old_string` and `new_string`, or several replacements as `edits`. Each text must occur once, " +
    "unless `replace_all` is true. All `edits` are matched against the file as it is, may not overlap, and are all made or none.",
  parameters: withCheck(
    {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "File to change, relative to the working folder or absolute." },
        old_string: OLD,
        new_string: NEW,
        replace_all: ALL,
        edits: {
          type: "array",
          minItems: 1,
          description: "Several replacements, in place of `old_string` and `new_string`.",
          items: {
            type: "object",
            properties: { old_string: OLD, new_string: NEW, replace_all: ALL },
            required: ["old_string", "new_string"],
          },
        },
      },
      required: ["path"],
    },
    validators.edit,
  ),
  kinds: ["invalid_args", "not_found", "read_failed", "no_match", "not_unique", "no_change", "write_failed", "changed_since_plan"],
  effectKinds: ["file.write"],
  examples: [
    { path: "src/a.ts", old_string: "one", new_string: "two" },
    { path: "src/a.ts", edits: [{ old_string: "b = 2", new_string: "b = 3" }] },
  ],

  async plan({ path, ...args }, { sandbox }) {
    const requests = requestsOf(args);
    for (const { request, pointer } of requests) refuseUseless(request, pointer);
    const file = await sandbox.readText(path);
    const place: Place = { path, matches: createMatcher(file.text), redact: sandbox.redact };
    const replacements = requests.flatMap((asked) => replacementsOf(file.text, asked, place)).sort((a, b) => a.start - b.start);
    refuseOverlap(file.text, replacements, path);
    const text = splice(file.text, replacements, path);
    if (text === file.text) throw fail("no_change", `${path} would stay as it is`, { path });
    const { also, version: before } = file;
    const diff = await diffOfEdit({ before: file.text, after: text, replacements, name: path, redact: sandbox.redact });
    const planned = changeOf({ asked: path, path: file.path, also, before, newFileMode: sandbox.newFileMode, text, diff });
    return { effects: [planned.effect], change: planned.change, path, replacements: replacements.length };
  },

  async execute({ change, path, replacements }, { sandbox }) {
    await sandbox.write(change.path, change.bytes, { before: change.before?.sha256 ?? null, mode: change.after.mode });
    return result({ output: `Edited ${path} (replacements: ${replacements}).`, ...changeDetails(change, replacements) });
  },
});

interface Asked {
  readonly request: EditRequest;
  /** Where the request stands in the arguments. */
  readonly pointer: string;
}

interface EditArgs extends Partial<EditRequest> {
  readonly edits?: readonly EditRequest[] | undefined;
}

function requestsOf({ old_string, new_string, replace_all, edits }: EditArgs): readonly Asked[] {
  const hasOne = old_string !== undefined || new_string !== undefined;
  const refuse = (message: string) => fail("invalid_args", message, { reason: "edit_form" });
  if (edits !== undefined) {
    if (hasOne || replace_all === true)
      throw refuse("give `edits`, or `old_string` and `new_string`, not both; `replace_all` stands in each of the `edits`");
    return edits.map((request, index) => ({ request, pointer: `/edits/${index}` }));
  }
  if (old_string === undefined || new_string === undefined) throw refuse("`old_string` and `new_string` are wanted, both, or `edits`");
  return [{ request: { old_string, new_string, replace_all }, pointer: "" }];
}

function refuseUseless({ old_string, new_string }: EditRequest, pointer: string): void {
  refuseBrokenText(old_string, `${pointer}/old_string`);
  refuseBrokenText(new_string, `${pointer}/new_string`);
  if (old_string !== new_string) return;
  throw fail("no_change", `${pointer || "the edit"}: old_string and new_string are the same`, { reason: "same_text", pointer });
}

interface Place {
  readonly path: string;
  readonly matches: Matcher;
  readonly redact: ReadSandbox["redact"];
}

function replacementsOf(text: string, { request, pointer }: Asked, { path, matches: matchesOf, redact }: Place): readonly Replacement[] {
  refuseNewMarks(request.new_string, text, `${pointer}/new_string`);
  const matches = matchesOf(request);
  const where = pointer === "" ? {} : { pointer };
  if (matches.length === 0) {
    // redacted first: what is shown of the place is cut, and a value that was cut is not known any more
    const nearest = nearestText(redact(text), request.old_string);
    throw fail("no_match", `${path} lacks ${pointer === "" ? "the text to replace" : `the text of ${pointer}`}${hint(nearest)}`, {
      path,
      ...where,
      nearest: nearest && { ...nearest },
    });
  }
  if (matches.length > MAX_MATCHES) {
    const message = `the text to replace occurs more than ${MAX_MATCHES} times; a command is the tool for that`;
    throw fail("invalid_args", message, { path, ...where, reason: "too_many" });
  }
  if (matches.length > 1 && request.replace_all !== true) {
    const lines = linesOf(text, matches.slice(0, MAX_NAMED_LINES));
    const more = matches.length > lines.length ? ", …" : "";
    const count = matches.length < MAX_SITES ? { count: matches.length } : { count: MAX_SITES, count_is_at_least: true };
    throw fail(
      "not_unique",
      `${path} has the text ${count.count} times, in lines ${lines.join(", ")}${more}; give more of the text around it, or \`replace_all\``,
      { path, ...where, ...count, lines },
    );
  }
  return matches;
}

function hint(nearest: ReturnType<typeof nearestText>): string {
  if (nearest === null) return "; nothing in it comes near";
  const difference = {
    white_space: ", and differs in white space only",
    punctuation: ", and differs in quotes or dashes only",
    escapes: ", where line breaks or tabs stand, not backslashes",
  };
  const how = nearest.differs_in === null ? "" : difference[nearest.differs_in];
  return `; the nearest is in line ${nearest.line}${how}`;
}

function refuseOverlap(text: string, replacements: readonly Replacement[], path: string): void {
  const at = replacements.findIndex(({ start }, index) => start < (replacements[index - 1]?.end ?? 0));
  if (at === -1) return;
  const lines = linesOf(text, replacements.slice(at - 1, at + 1));
  throw fail("invalid_args", `two of the edits overlap in ${path}, in lines ${lines.join(" and ")}; join them into one`, {
    path,
    reason: "overlap",
    lines,
  });
}

function splice(text: string, replacements: readonly Replacement[], path: string): string {
  // before it is built: a few megabytes of text put in a million times would be more than memory holds
  refuseTooLarge(
    replacements.reduce((sum, { start, end, text: after }) => sum + after.length - (end - start), text.length),
    path,
  );
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: after } of replacements) {
    pieces.push(text.slice(at, start), after);
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}

/** Line numbers, from 1, of places in order. */
function linesOf(text: string, places: readonly Replacement[]): number[] {
  let line = 1;
  let from = 0;
  return places.map(({ start }) => {
    for (let found = text.indexOf("\n", from); found !== -1 && found < start; found = text.indexOf("\n", from)) {
      line += 1;
      from = found + 1;
    }
    return line;
  });
}
