import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import type { OptionNames } from "../options.ts";
import { fileUses, seenFiles } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { isSurelyNoOption, knownWord, type Word } from "../word.ts";
import { given, valuesOf } from "./given.ts";
import { namedProgram } from "./told.ts";

/**
 * `zip ARCHIVE FILE…`. Its letters make words of two letters as well, which can run a test (`-TT`), move files in or write lists; so only
 * harmless letters that make none are known. `-x` and `-i` take patterns up to the end.
 */
export const zip: Program = (invocation): Doing => {
  const doing = zipped(invocation);
  if (doing.sure === "declared") return doing;
  const { options, operands } = seenOptions(invocation.args, ZIP);
  const [archive, ...files] = operands;
  const folder = valuesOf(options, "-O --output-file --out").at(-1);
  const written = [...(archive ? [archive] : []), ...(folder ? [folder] : [])].map((word) =>
    word.known ? knownWord(named(word.value)) : word,
  );
  return open({
    files: seenFiles([
      ...files.flatMap((path) => fileUses("folder", path)),
      ...written.flatMap((path) => fileUses("write", path)),
      ...(given(options, "-m --move") ? files.flatMap((path) => fileUses("delete_tree", path)) : []),
    ]),
    runs: valuesOf(options, "-TT --unzip-command").map((text) => namedProgram(text)),
  });
};

const ZIP: OptionNames = {
  flags: "-r -q -v -j -D -y -X -m -T -u -f -d -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --move --test --recurse-paths",
  values:
    "-TT --unzip-command -O --output-file --out -b --temp-path -P --password -n --suffixes -t -tt -i -x -R --include --exclude -lf -s",
};

function named(archive: string): string {
  return /\.[^/]*$/.test(archive) ? archive : `${archive}.zip`;
}

const zipped: Program = ({ args }): Doing => {
  const operands: Word[] = [];
  let hasLinks = false;
  for (const [index, word] of args.entries()) {
    const text = word.known ? word.value : word.prefix;
    if (word.known && /^-(?:x|i)$/.test(text) && operands.length > 0) {
      if (args.slice(index + 1).some((pattern) => !pattern.known || /^[-@]/.test(pattern.value))) return open();
      break;
    }
    if (word.known && /^-(?!.*jj)[rqvjDyX0-9]+$/.test(text)) hasLinks ||= text.includes("y");
    else if (text === "-" && word.known) operands.push(word);
    else if (isSurelyPath(word)) operands.push(word);
    else return open();
  }
  const [archive, ...files] = operands;
  if (!archive?.known || files.length === 0) return open();
  const reads = files.flatMap((path) => fileUses("folder", path)).map((use): FileUse => (hasLinks ? use : { ...use, follows: true }));
  if (archive.value === "-") return declared({ files: reads });
  const path = knownWord(named(archive.value));
  return declared({ files: [...reads, { access: "read", path }, { access: "write", path }] });
};

/** `unzip ARCHIVE FILE… -d FOLDER`: unpacks below the folder, unless it only lists, tests or prints. It takes patterns for the archive itself. */
export const unzip: Program = (invocation): Doing => {
  const doing = unzipped(invocation);
  const { options, operands } = seenOptions(invocation.args, {
    values: "-d -x -P -O -I",
    flags: "-o -n -q -j -a -C -L -u -v -l -t -p -c -z -Z",
  });
  if (doing.sure === "declared" || operands.length === 0 || given(options, "-l -t -p -c -z -Z -v")) return doing;
  const folder = valuesOf(options, "-d").at(-1) ?? knownWord(".");
  return open({ files: seenFiles([...operands.slice(0, 1).flatMap((path) => fileUses("read", path)), ...fileUses("new_tree", folder)]) });
};

const unzipped: Program = ({ args }): Doing => {
  const operands: Word[] = [];
  let folder: Word = knownWord(".");
  let isReading = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (!word) break;
    const text = word.known ? word.value : word.prefix;
    if (word.known && text === "-x") {
      if (args.slice(at + 1).some((pattern) => !pattern.known || pattern.value.startsWith("-"))) return open();
      break;
    }
    const value = args[at + 1];
    if (word.known && text === "-d") {
      if (!value || (!value.known && !value.single)) return open();
      folder = value;
      at += 1;
      continue;
    }
    if (word.known && /^-(?:[aCjLnoquvltpcz]+|Z1?)$/.test(text)) isReading ||= /[lvtpczZ]/.test(text);
    else if (isSurelyPath(word)) operands.push(word);
    else return open();
  }
  const [archive] = operands;
  if (!archive) return args.length === 0 ? declared() : open();
  if (!archive.known || /[*?[\]\\]/.test(archive.value)) return open();
  const names = /\.zip$/i.test(archive.value) ? [archive.value] : [archive.value, `${archive.value}.zip`, `${archive.value}.ZIP`];
  const reads = names.map((name): FileUse => ({ access: "read", path: knownWord(name) }));
  return declared({ files: isReading ? reads : [...reads, { access: "write", path: folder, tree: true }] });
};

/** Neither an option nor a list of names, whatever it becomes. */
function isSurelyPath(word: Word): boolean {
  return (
    isSurelyNoOption(word) &&
    !/^@/.test(word.known ? word.value : word.prefix) &&
    !(!word.known && word.below?.some((path) => /^@/.test(path)))
  );
}

/** `zipinfo ARCHIVE FILE…`: what `unzip -Z` tells. */
export const zipinfo: Program = ({ args, ...rest }): Doing => {
  const names = args.filter((word) => !(word.known && /^-(?:[12hlmstvCT]+)$/.test(word.value)));
  return names.length > 0 ? unzip({ ...rest, args: [knownWord("-Z"), ...names] }) : open();
};
