import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { fileUses } from "../program.ts";
import { isSurelyNoOption, knownWord, type Word } from "../word.ts";

/**
 * `zip ARCHIVE FILE…`. Its letters make words of two letters as well, which can run a test (`-TT`), move files in or write lists; so only
 * harmless letters that make none are known. `-x` and `-i` take patterns up to the end.
 */
export const zip: Program = ({ args }): Doing => {
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
  const name = /\.[^/]*$/.test(archive.value) ? archive.value : `${archive.value}.zip`;
  const path = knownWord(name);
  return declared({ files: [...reads, { access: "read", path }, { access: "write", path }] });
};

/** `unzip ARCHIVE FILE… -d FOLDER`: unpacks below the folder, unless it only lists, tests or prints. It takes patterns for the archive itself. */
export const unzip: Program = ({ args }): Doing => {
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
