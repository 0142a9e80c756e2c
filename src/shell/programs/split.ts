import { type Doing, declared, type FileUse, type Invocation, open, type Program } from "../doing.ts";
import { type OptionNames, parseOptions } from "../options.ts";
import { fileUses, seenFiles } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { knownWord, type Word } from "../word.ts";
import { valuesOf } from "./given.ts";
import { shellText } from "./told.ts";

const SPLIT: OptionNames = {
  flags: "-d -e -u -x --elide-empty-files --unbuffered --verbose --help --version",
  values: "-a -b -C -l -n -t --suffix-length --bytes --line-bytes --lines --number --separator",
  optional: "--numeric-suffixes --hex-suffixes",
};

const CSPLIT: OptionNames = {
  flags: "-k -q -s -z --keep-files --quiet --silent --elide-empty-files --suppress-matched --help --version",
  values: "-f -n --prefix --digits",
};

/** `split [FILE [PREFIX]]`: writes files whose names begin with PREFIX. */
export const split: Program = (invocation) => {
  const parsed = parseOptions(invocation.args, SPLIT);
  const seen = parsed.ok ? parsed : seenOptions(invocation.args, { ...SPLIT, values: `${SPLIT.values} --filter --additional-suffix` });
  const [input, prefix = knownWord("x")] = seen.operands;
  // each part is given to a text that a shell runs
  const runs = valuesOf(seen.options, "--filter").map(shellText);
  if (runs.length > 0) return open({ files: seenFiles(input ? fileUses("read", input) : []), runs });
  const doing = parts(input, prefix, "aa");
  const isPlain = parsed.ok && parsed.operands.length <= 2 && !parsed.operands.some(isSeveral);
  return isPlain ? doing : open({ files: seenFiles(doing.files) });
};

/** `csplit FILE PATTERN…`: the same, with PREFIX by an option. */
export const csplit: Program = ({ args }: Invocation): Doing => {
  const parsed = parseOptions(args, CSPLIT);
  if (!parsed.ok || parsed.operands.some(isSeveral)) {
    const seen = seenOptions(args, CSPLIT);
    const prefix = valuesOf(seen.options, "-f --prefix").at(-1) ?? knownWord("xx");
    return open({ files: seenFiles(parts(seen.operands[0], prefix, "00").files) });
  }
  const prefix = parsed.options.findLast(({ name }) => name === "-f" || name === "--prefix")?.value ?? knownWord("xx");
  return parts(parsed.operands[0], prefix, "00");
};

/** A prefix names no folder as a whole, so only for one in a folder of its own can all that is written be said. */
function parts(input: Word | undefined, prefix: Word, first: string): Doing {
  const read = input ? fileUses("read", input) : [];
  if (!prefix.known) return open({ files: read });
  const slash = prefix.value.lastIndexOf("/");
  const folder = prefix.value.slice(0, slash + 1).replace(/(?<=.)\/+$/, "");
  if (slash < 0 || /^\.?\/?$/.test(folder)) {
    const write: FileUse = { access: "write", path: knownWord(`${prefix.value}${first}`) };
    return open({ files: [...read, write] });
  }
  return declared({ files: [...read, { access: "write", path: knownWord(folder), tree: true }] });
}

function isSeveral(word: Word): boolean {
  return !word.known && !word.single;
}
