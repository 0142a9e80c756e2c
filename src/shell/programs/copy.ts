/** Programs that give files a new place or name: sources, then a target that is a file or a folder. */
import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { type GivenOption, type OptionNames, parseOptions } from "../options.ts";
import { seenFiles } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { knownWord, type Word } from "../word.ts";
import { folderOf, inFolder, lastName, plainUse } from "./path-words.ts";

interface Transfer {
  readonly sources: readonly Word[];
  readonly target: Word;
  /** Surely a folder, by `-t` or because there are several sources; a file, by `-T`; else whatever it is when it runs. */
  readonly targetIs: "folder" | "file" | "either";
  readonly options: readonly GivenOption[];
}

// -b and its like keep what stands at the target under another name
const CP: OptionNames = {
  flags:
    "-a -c -d -f -H -i -l -L -n -N -p -P -r -R -s -T -u -v -x -X -Z --archive --attributes-only --copy-contents --debug --force --interactive " +
    "--link --dereference --no-clobber --no-dereference --no-target-directory --one-file-system --parents --recursive --remove-destination " +
    "--strip-trailing-slashes --symbolic-link --verbose --help --version",
  values: "-t --target-directory --no-preserve --sparse",
  optional: "--preserve --reflink --update --context",
};

/** A link as a copy gives the source a new name, by which it can be written as well. */
const cp = transferring(CP, ({ sources, target, targetIs, options }) => {
  const isTree = has(options, "-a -r -R --archive --recursive");
  const follows = has(options, "-r -L --recursive --dereference");
  const isLink = has(options, "-l -s --link --symbolic-link");
  const reads = sources.map((path): FileUse => ({ ...plainUse("read", path), ...tree(isTree), ...(isTree && follows ? { follows } : {}) }));
  const links = isLink ? sources.map((path): FileUse => ({ ...plainUse("write", path), ...tree(isTree) })) : [];
  if (has(options, "--parents")) return [...reads, ...links, { access: "write", path: target, tree: true }];
  const targets = sources.map((source): FileUse => {
    const use = placed(source, { target, targetIs });
    return isTree ? { treeOf: plainUse("read", source).path, ...use, tree: true } : use;
  });
  return [...reads, ...links, ...targets];
});

// --exchange changes the target's place too
const mv = transferring(
  {
    flags:
      "-f -h -i -n -T -u -v -Z --context --debug --force --interactive --no-clobber --no-copy --no-target-directory --strip-trailing-slashes --verbose --help --version",
    values: "-t --target-directory",
    optional: "--update",
  },
  ({ sources, target, targetIs }) => [
    ...sources.map((path): FileUse => ({ ...plainUse("delete", path), tree: true })),
    ...sources.map((source): FileUse => ({ treeOf: plainUse("read", source).path, ...placed(source, { target, targetIs }), tree: true })),
  ],
);

/** A link gives what it leads to a new name, by which all of it can be read and written. */
const ln = transferring(
  {
    flags:
      "-f -h -i -L -n -P -r -s -T -v --force --interactive --logical --no-dereference --no-target-directory --physical --relative --symbolic --verbose --help --version",
    values: "-t --target-directory",
  },
  ({ sources, target, targetIs, options }) => {
    const isFromTarget = has(options, "-s --symbolic") && !has(options, "-r --relative");
    const folders = isFromTarget ? linkFolders(target, targetIs) : [knownWord(".")];
    const leads = sources.flatMap((source) => (isAbsolute(source) ? [source] : folders.map((folder) => inFolder(folder, source))));
    return [
      ...leads.flatMap((path): FileUse[] => [
        { ...plainUse("read", path), tree: true, follows: true },
        { ...plainUse("write", path), tree: true },
      ]),
      ...sources.map((source) => placed(source, { target, targetIs })),
    ];
  },
);

// -s runs `strip`
const INSTALL: OptionNames = {
  flags: "-c -C -d -D -p -T -v --compare --debug --directory --no-target-directory --preserve-timestamps --verbose --help --version",
  values: "-g -m -o -t --group --mode --owner --target-directory",
};

const installFiles = transferring(INSTALL, ({ sources, target, targetIs }) => [
  ...sources.map((path) => plainUse("read", path)),
  ...sources.map((source) => placed(source, { target, targetIs })),
]);

/** With `-d` it makes folders. */
const install: Program = (invocation) => {
  const parsed = parseOptions(invocation.args, INSTALL);
  if (!parsed.ok || !has(parsed.options, "-d --directory")) return installFiles(invocation);
  return declared({ files: parsed.operands.map((path) => plainUse("write", path)) });
};

export const COPY = { cp, mv, ln, link: ln, install, ginstall: install };

function transferring(names: OptionNames, effects: (transfer: Transfer) => readonly FileUse[]): Program {
  return ({ args, name }): Doing => {
    const parsed = parseOptions(args, names);
    const { options, operands } = parsed.ok ? parsed : seenOptions(args, names);
    if (parsed.ok && has(options, "--help --version")) return declared();
    const transfer = transferOf(options, { operands, isLink: /^(?:ln|link)$/.test(name) });
    const files = transfer ? effects(transfer) : [];
    // where options end at the first operand, such a value is the target
    const isLate = options.some(({ late, name: option }) => late && !/^(?:-t|--target-directory)$/.test(option));
    return !parsed.ok || !transfer || isLate ? open({ files: seenFiles(files) }) : declared({ files });
  };
}

interface Operands {
  readonly operands: readonly Word[];
  readonly isLink: boolean;
}

/** `null`: where to cannot be told. */
function transferOf(options: readonly GivenOption[], { operands, isLink }: Operands): Transfer | null {
  const folder = options.findLast((option) => option.name === "-t" || option.name === "--target-directory")?.value ?? null;
  if (folder) return { sources: operands, target: folder, targetIs: "folder", options };
  const target = operands.at(-1) ?? null;
  // a link without a name gets that of its target, here
  if (target && operands.length === 1 && isLink) return { sources: [target], target: knownWord("."), targetIs: "folder", options };
  if (!target || operands.length < 2 || (!target.known && !target.single)) return null;
  const sources = operands.slice(0, -1);
  const targetIs = sources.length > 1 ? "folder" : has(options, "-T --no-target-directory") ? "file" : "either";
  return { sources, target, targetIs, options };
}

/** Where a source lands: under its own name when the target is a folder. Where that name is not known, anything in the target. */
function placed(source: Word, { target, targetIs }: Pick<Transfer, "target" | "targetIs">): FileUse {
  const use = plainUse("write", target);
  if (targetIs === "file") return use;
  const name = lastName(source);
  return name === null ? { ...use, tree: true, treeOf: knownWord(".") } : { ...use, into: name };
}

/** The folders from which a symbolic link is taken: that of the link's name, or the target itself when it is a folder. */
function linkFolders(target: Word, targetIs: Transfer["targetIs"]): readonly Word[] {
  if (targetIs === "folder" || !target.known) return [target];
  const folder = knownWord(folderOf(target.value));
  return targetIs === "file" ? [folder] : [folder, target];
}

function isAbsolute(path: Word): boolean {
  return path.known ? path.value.startsWith("/") : !path.below && path.prefix.startsWith("/");
}

function tree(isTree: boolean): { readonly tree?: true } {
  return isTree ? { tree: true } : {};
}

function has(options: readonly GivenOption[], names: string): boolean {
  return options.some(({ name }) => names.split(" ").includes(name));
}
