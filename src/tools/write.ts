import { diffOfNew, diffOfTexts } from "../base/diff.ts";
import { fail } from "../base/fail.ts";
import { MAX_WHOLE_FILE_BYTES, type ReadSandbox } from "../sandbox/port.ts";
import { withCheck } from "./attached-check.ts";
import { defineTool } from "./define-tool.ts";
import { changeDetails, changeOf, hasMark, refuseBrokenText, refuseNewMarks, refuseTooLarge } from "./file-change.ts";
import { result } from "./result.ts";
import { diffOfRedacted } from "./shown-change.ts";
import { validators } from "./validators.generated.js";

/** A file above this size is not compared with what takes its place. */
const COMPARED_BYTES = 1024 * 1024;

/**
 * `write`: make a file, or replace all of it.
 *
 * `plan` finds out what is there; `execute` writes only over that very version, in one step, and makes missing folders.
 */
export const write = defineTool({
  name: "write",
  description:
    "Write a whole file: make it, its folders included, or replace everything that is in it. To change a part of a file, `edit` is better.",
  parameters: withCheck(
    {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "File to write, relative to the working folder or absolute." },
        content: { type: "string", description: "The whole new content, as UTF-8, written as it is; empty makes an empty file." },
        overwrite: { type: "boolean", description: "False: fail when the file exists. Default true." },
      },
      required: ["path", "content"],
    },
    validators.write,
  ),
  kinds: ["invalid_args", "read_failed", "write_failed", "changed_since_plan"],
  effectKinds: ["file.write"],
  examples: [{ path: "src/new/b.ts", content: "export const b = 1;\n" }],

  async plan({ path, content, overwrite = true }, { sandbox }) {
    refuseBrokenText(content, "/content");
    refuseTooLarge(content.length, path);
    // a look first: to replace a file its hash is needed, and that of a huge one would take long for nothing
    const there = await sandbox.stat(path);
    if (there !== null && there.size_bytes > MAX_WHOLE_FILE_BYTES) {
      const message = `${path} is larger than 64 MiB; such files are not replaced`;
      throw fail("write_failed", message, { path, reason: "too_large", size_bytes: there.size_bytes });
    }
    const found = await sandbox.version(path);
    if (found.version !== null && !overwrite) {
      throw fail("write_failed", `${path} exists, and \`overwrite\` is false`, { path, reason: "exists" });
    }
    const old = found.version === null ? null : await oldText(sandbox, { path, content, sizeBytes: found.version.size_bytes });
    refuseNewMarks(content, old?.text ?? "", "/content");
    const before = old?.version ?? found.version;
    const planned = changeOf({
      asked: path,
      path: found.path,
      also: found.also,
      before,
      newFileMode: sandbox.newFileMode,
      text: content,
      diff: await diffOf({ isNew: before === null, old: old?.text ?? null, content, name: path, redact: sandbox.redact }),
    });
    return { effects: [planned.effect], change: planned.change, path };
  },

  async execute({ change, path }, { sandbox }) {
    const { before, after } = change;
    await sandbox.write(change.path, change.bytes, { before: before?.sha256 ?? null, mode: after.mode });
    const isSame = before?.sha256 === after.sha256;
    const said = before === null ? "Created" : isSame ? "Wrote, with the content that it had," : "Overwrote";
    return result({ output: `${said} ${path} (${after.size_bytes} bytes).`, ...changeDetails(change, 0) });
  },
});

/** What is in the file, when it must be known: for the diff, or to see whether a mark is in it. `text` is `null` when it is no UTF-8. */
async function oldText(sandbox: ReadSandbox, { path, content, sizeBytes }: { path: string; content: string; sizeBytes: number }) {
  if (sizeBytes > (hasMark(content) ? MAX_WHOLE_FILE_BYTES : COMPARED_BYTES)) return null;
  const { bytes, version } = await sandbox.read(path);
  try {
    return { version, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { version, text: null };
  }
}

interface Shown {
  readonly isNew: boolean;
  /** `null`: too large, or no text. */
  readonly old: string | null;
  readonly content: string;
  readonly name: string;
  readonly redact: ReadSandbox["redact"];
}

/** The diff of what is redacted whole: cut into lines and pieces, a value would not be known any more. */
async function diffOf({ isNew, old, content, name, redact }: Shown): Promise<string> {
  const after = redact(content);
  if (isNew) return diffOfNew(after, name);
  // what is new is shown, and nothing of what it replaces
  if (old === null) return diffOfNew(after, name).replace("--- /dev/null", "--- (content that is not shown)");
  const before = redact(old);
  return before === old && after === content ? diffOfTexts(old, content, name) : diffOfRedacted(before, after, name);
}
