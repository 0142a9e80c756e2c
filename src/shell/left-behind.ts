import type { Doing, Input } from "./doing.ts";
import type { Word } from "./word.ts";

/** Programs that read all of their standard input or nothing of it. */
const ALL_OR_NOTHING = new Set(
  "basename cat cksum cut diff dirname du echo file git ls md5sum nl printf readlink realpath sha1sum sha256sum sort stat tac test tr true uniq wc [".split(
    " ",
  ),
);

/** What of a shared standard input is left behind a program: what begins in the middle of a line is not known. */
export function leftBehind(input: Input, [first, ...args]: readonly Word[], doing: Doing): Input {
  if (input.kind === "empty" || input.kind === "unknown") return input;
  const name = first?.known ? first.value.slice(first.value.lastIndexOf("/") + 1) : "";
  return doing.sure === "declared" && (ALL_OR_NOTHING.has(name) || readsFilesAlone(doing, args)) ? input : { kind: "unknown" };
}

function readsFilesAlone({ files, runs }: Doing, args: readonly Word[]): boolean {
  return runs.length === 0 && files.some(({ access }) => access === "read") && !args.some((word) => word.known && word.value === "-");
}

export function sameInput(a: Input, b: Input): boolean {
  if (a === b) return true;
  if (a.kind === "text" && b.kind === "text") return a.text === b.text && a.part === b.part;
  return a.kind === b.kind && JSON.stringify(a) === JSON.stringify(b);
}

/** What of a standard input that two share is left, from what each has left of it. */
export function shared(mine: Input, ...others: readonly Input[]): Input {
  return others.every((other) => sameInput(other, mine)) || mine.kind === "empty" ? mine : { kind: "unknown" };
}
