import { fail } from "../base/fail.ts";
import type { FileStat } from "../sandbox/port.ts";
import { withCheck } from "./attached-check.ts";
import { defineTool } from "./define-tool.ts";
import { LINE_BYTES, looksBinary, type ReadWindow, readWindow, SCANNED_BYTES, WINDOW_BYTES, WINDOW_LINES } from "./read-window.ts";
import { result } from "./result.ts";
import { validators } from "./validators.generated.js";

/** Of a file up to this size all lines are counted; of a larger one only what is needed is read. */
const COUNTED_BYTES = 16 * 1024 * 1024;

/**
 * `read`: lines of a text file, in pages.
 *
 * `plan` looks at what is there and opens nothing; `execute` streams, so that the first page of a file of any size is quick. The lines come
 * without numbers, so that what `edit` shall match can be copied from them; every notice stands in brackets behind them.
 */
export const read = defineTool({
  name: "read",
  description:
    `Read a text file, in pages of up to ${WINDOW_LINES} lines or ${WINDOW_BYTES / 1024} KiB. ` +
    "Lines come as they are, without numbers; a last line in brackets says what is not shown and the call that shows it.",
  parameters: withCheck(
    {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "File to read, relative to the working folder or absolute." },
        offset: { type: "integer", minimum: 0, description: "Line to start at, counted from 1. Default 1." },
        limit: { type: "integer", minimum: 1, description: `Lines to show at most. Default and maximum ${WINDOW_LINES}.` },
      },
      required: ["path"],
    },
    validators.read,
  ),
  kinds: ["not_found", "read_failed"],
  effectKinds: ["file.read"],
  examples: [{ path: "src/a.ts" }, { path: "src/a.ts", offset: 2, limit: 1 }],

  async plan({ path, offset = 1, limit = WINDOW_LINES }, { sandbox }) {
    const stat = await sandbox.stat(path);
    if (stat === null) throw fail("not_found", `there is no file ${path}`, { path });
    refuseUnreadable(stat, path);
    const asked = { path, ...(limit === WINDOW_LINES ? {} : { limit }) };
    const also = stat.also ? { also: stat.also } : {};
    return {
      effects: [{ kind: "file.read", sure: "exact", path: stat.path, ...also }],
      asked,
      real: stat.path,
      offset: Math.max(1, offset),
      limit: Math.min(limit, WINDOW_LINES),
    };
  },

  async execute({ asked, real, offset, limit }, { sandbox, signal }) {
    const stream = await sandbox.stream(real);
    try {
      const countAll = stream.size_bytes <= COUNTED_BYTES;
      const chunks = textOnly(stream.chunks, { path: asked.path, sizeBytes: stream.size_bytes });
      const window = await readWindow(chunks, { offset, limit, countAll, signal });
      return result({
        output: withNotices(window, { asked, offset, sizeBytes: stream.size_bytes }),
        path: real,
        lines_total: window.totalLines,
        lines_returned: window.lines,
        offset_effective: offset,
        next_offset: window.nextLine,
      });
    } finally {
      await stream.close();
    }
  },
});

function refuseUnreadable({ type }: FileStat, path: string): void {
  if (type === "directory") throw fail("read_failed", `${path} is a folder, no file`, { path, reason: "is_directory" });
  if (type !== "file") throw fail("read_failed", `${path} is no regular file`, { path, reason: "not_regular" });
}

/** Passes pieces on; throws at the first when the file is no text. */
async function* textOnly(chunks: AsyncIterable<Uint8Array>, { path, sizeBytes }: { path: string; sizeBytes: number }) {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && looksBinary(chunk)) {
      throw fail(
        "read_failed",
        `${path} is binary (${sizeBytes} bytes), no UTF-8 text; a command such as \`file\` or \`xxd\` can look at it`,
        {
          path,
          reason: "binary",
          size_bytes: sizeBytes,
        },
      );
    }
    isFirst = false;
    yield chunk;
  }
}

interface Asked {
  readonly asked: { readonly path: string; readonly limit?: number };
  readonly offset: number;
  readonly sizeBytes: number;
}

function withNotices(window: ReadWindow, asked: Asked): string {
  const notices = noticesOf(window, asked).map((notice) => `[${notice}]`);
  if (notices.length === 0) return window.text;
  const gap = window.text === "" || window.text.endsWith("\n") ? "" : "\n";
  return `${window.text}${gap}${notices.join("\n")}`;
}

function noticesOf(window: ReadWindow, { asked, offset, sizeBytes }: Asked): string[] {
  const { lines, nextLine, totalLines } = window;
  const notices: string[] = [];
  if (window.hasByteOrderMark && offset === 1) notices.push("the byte-order mark at the start is not shown");
  if (window.cutLines.length > 0) notices.push(`${lineList(window.cutLines)}: only the first ${LINE_BYTES} bytes are shown`);
  if (window.brokenLines.length > 0) notices.push(`${lineList(window.brokenLines)}: bytes that are no UTF-8 are shown as U+FFFD`);
  if (window.nulLines.length > 0) notices.push(`${lineList(window.nulLines)}: NUL bytes are shown as U+2400`);
  if (sizeBytes === 0 && totalLines === 0) notices.push("the file is empty");
  else if (window.isOverLong) notices.push(overLong(lines, { offset, sizeBytes }));
  else if (lines === 0) notices.push(`there is no line ${offset}; the file has ${totalLines}`);
  else if (nextLine !== null) {
    const of = totalLines === null ? `a file of ${sizeBytes} bytes` : `${totalLines}`;
    notices.push(`${span(offset, lines)} of ${of}; next: read ${JSON.stringify({ ...asked, offset: nextLine })}`);
  } else if (offset > 1) notices.push(`${span(offset, lines)}; end of the file`);
  return notices;
}

function overLong(lines: number, { offset, sizeBytes }: Pick<Asked, "offset" | "sizeBytes">): string {
  const found = lines === 0 ? `line ${offset} does not begin` : `${span(offset, lines)}, as far as they stand`;
  const what = `the first ${SCANNED_BYTES / 1024 ** 3} GiB of the file's ${sizeBytes} bytes`;
  return `${found} in ${what}, and no more is looked at; a command such as \`tail -c\` or \`sed -n\` can`;
}

function span(first: number, lines: number): string {
  return lines === 1 ? `line ${first}` : `lines ${first}-${first + lines - 1}`;
}

function lineList(numbers: readonly number[]): string {
  const listed = numbers.slice(0, 5).join(", ");
  if (numbers.length === 1) return `line ${listed}`;
  return `lines ${listed}${numbers.length > 5 ? ` and ${numbers.length - 5} more` : ""}`;
}
