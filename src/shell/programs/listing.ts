/** Programs that show names, kinds, sizes and times of files, or take paths apart. */
import { declared, open, type Program } from "../doing.ts";
import { plainProgram } from "../program.ts";
import { knownWord, type Word } from "../word.ts";
import { namesFromStdin } from "./lines.ts";
import type { Family } from "./table.ts";
import { testCommand } from "./test-command.ts";
import { namedProgram } from "./told.ts";

// a width, pattern or format that another version takes for a name is looked at as one
const ls = plainProgram({
  flags:
    "-a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -O -p -P -q -Q -r -R -s -S -t -u -U -v -W -x -X -y -Z -1 -@ -% --all " +
    "--almost-all --author --escape --ignore-backups --directory --dired --classify --file-type --no-group --human-readable --si " +
    "--dereference-command-line --dereference-command-line-symlink-to-dir --inode --kibibytes --dereference --numeric-uid-gid --literal " +
    "--quote-name --reverse --recursive --size --context --zero --group-directories-first --full-time --hide-control-chars " +
    "--show-control-chars --help --version",
  values: {
    "-D -I -T -w": "stat",
    "--block-size --format --hide --indicator-style --ignore --quoting-style --sort --time --time-style --tabsize --width": "text",
  },
  optional: { "--color --classify --hyperlink": "text" },
  operands: "stat",
  withoutOperands: ".",
  recursive: "-R --recursive",
  follows: "-L --dereference",
  unless: (options, operands) => {
    // the names alone, of links too: what stands in their folder
    const isAlone = options.some(({ name }) => name === "-d" || name === "--directory");
    const others = options.some(({ name, value }) => value !== null || /^(?:-[LHR]|--dereference.*|--recursive)$/.test(name));
    const folders = operands.map(folderOfName);
    if (!isAlone || others || operands.length === 0 || folders.includes(null)) return null;
    return declared({ files: folders.flatMap((path) => (path === null ? [] : [{ access: "stat", path: knownWord(path) }])) });
  },
});

/** The folder in which a name stands; `null` where the path leads on behind the name. */
function folderOfName(word: Word): string | null {
  const [, folder = "", name = ""] = (word.known && /^(.*\/)?([^/]+)$/.exec(word.value)) || [];
  if (name === "" || name === "." || name === "..") return null;
  return folder === "" ? "." : folder;
}

const du = namesFromStdin(
  plainProgram({
    flags:
      "-0 -a -A -b -c -D -g -h -H -k -l -L -m -n -P -r -s -S -x --null --all --apparent-size --bytes --total --dereference-args " +
      "--human-readable --inodes --count-links --dereference --no-dereference --separate-dirs --si --summarize --one-file-system --help --version",
    values: { "-B -d -t --block-size --max-depth --threshold --exclude --time-style": "text", "-X --exclude-from": "read" },
    optional: { "--time": "text" },
    operands: "names",
    withoutOperands: ".",
    follows: "-L --dereference",
  }),
);

const df = plainProgram({
  flags:
    "-a -b -c -g -h -H -i -k -l -m -n -P -T -v -Y --all --human-readable --si --inodes --local --no-sync --portability --print-type --total " +
    "--help --version",
  values: { "-B -t -x --block-size --type --exclude-type": "text" },
  optional: { "--output": "text" },
  operands: "stat",
});

const stat = plainProgram({
  flags: "-f -F -l -L -n -q -r -s -t -x -Z --dereference --file-system --terse --help --version",
  values: { "-c --format --printf --cached": "text" },
  operands: "stat",
});

const treeByNames = plainProgram({
  flags:
    "-a -A -C -d -D -f -F -g -h -i -J -l -n -N -p -q -Q -r -s -S -t -u -U -v -x -X --device --dirsfirst --filesfirst --du --fflinks " +
    "--gitignore --help --ignore-case --info --inodes --matchdirs --metafirst --nolinks --noreport --prune --si --version",
  values: { "-H -I -L -P -T --filelimit --timefmt --charset": "text", "--gitfile --infofile --hintro --houtro": "read", "-o": "write" },
  optional: { "--sort --filelimit --timefmt --charset": "text" },
  special: /^-L\d+$/,
  abbreviated: false,
  permutes: true,
  operands: "names",
  withoutOperands: ".",
  follows: "-l",
});

/** `tree` takes a value from the next word even from within a cluster, and `-R` has it write a page into each folder. */
const tree: Program = (invocation) => {
  const isClusterWithValue = invocation.args.some((word) => /^-[a-zA-Z]*[HILPTo]./.test(textOf(word)) && !/^-L\d+$/.test(textOf(word)));
  return isClusterWithValue ? open() : treeByNames(invocation);
};

// without it `file` unpacks with the help of other programs (-z), or writes a compiled list (-C)
const file = plainProgram({
  flags:
    "-0 -b -d -E -h -i -I -k -l -L -n -N -r -s -S -v --brief --debug --apple --extension --mime --mime-type --mime-encoding --keep-going " +
    "--list --dereference --no-dereference --no-buffer --no-pad --print0 --raw --special-files --help --version",
  values: { "-e -F -P --exclude --exclude-quiet --separator --parameter": "text" },
  opening: { "-f -m --files-from --magic-file": "read" },
  operands: "read",
});

const readlink = plainProgram({
  flags:
    "-e -f -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero " +
    "--help --version",
  operands: "stat",
});

const realpath = plainProgram({
  flags:
    "-e -E -L -m -P -q -s -z --canonicalize-existing --canonicalize-missing --canonicalize --logical --physical --quiet --strip --no-symlinks " +
    "--zero --help --version",
  values: { "--relative-to --relative-base": "stat" },
  operands: "stat",
});

const getfacl = plainProgram({
  flags:
    "-a -c -d -e -E -h -L -n -p -P -R -s -t --access --default --omit-header --all-effective --no-effective --skip-base --recursive --logical " +
    "--physical --tabular --numeric --absolute-names --help --version",
  operands: "stat",
  recursive: "-R --recursive",
  follows: "-L --logical",
});

const which = plainProgram({
  flags: "-a -s --all --skip-dot --skip-tilde --show-dot --show-tilde --tty-only --version --help",
});

const whereis = plainProgram({ flags: "-a -b -m -s -u -g -l -q -x" });

// without -n it asks name servers about the other ends of connections
const lsof = plainProgram({
  flags: "-a -b -l -n -N -P -R -t -U -v -V -w",
  values: { "-c -p -u": "text" },
  optional: { "-i -s": "text" },
  operands: "stat",
  unless: (options) => (options.some(({ name }) => name === "-n") ? null : open()),
});

const eza = plainProgram({
  flags:
    "-1 -@ -a -A -b -B -d -D -f -F -g -G -h -H -i -l -m -M -n -o -r -R -S -T -u -U -x -Z --accessed --all --almost-all --binary --blocksize " +
    "--bytes --changed --created --extended --git --git-ignore --git-repos --git-repos-no-status --grid --group --group-directories-first " +
    "--group-directories-last --header --inode --links --list-dirs --long --modified --mounts --no-filesize --no-git --no-icons " +
    "--no-permissions --no-quotes --no-time --no-user --numeric --octal-permissions --oneline --only-dirs --only-files --recurse --reverse " +
    "--smart-group --total-size --tree --across --context --show-symlinks --no-symlinks",
  values: { "-I -L -s -t -w": "stat", "--color --colour --color-scale --ignore-glob --level --sort --time --time-style --width": "text" },
  optional: { "--icons --classify --hyperlink --absolute": "text" },
  abbreviated: false,
  permutes: true,
  operands: "names",
  withoutOperands: ".",
});

// it shows pages by a pager only on a terminal, which a command of ours never has; `bat cache` is a command of its own, which writes
const bat = plainProgram({
  flags:
    "-A -d -f -h -n -p -P -s -S -u -V --show-all --plain --diff --number --list-languages --list-themes --no-paging --squeeze-blank " +
    "--chop-long-lines --unbuffered --force-colorization --no-custom-assets --no-lessopen --version --help",
  values: {
    "-H -l -m -r --highlight-line --language --map-syntax --ignored-suffix --line-range --file-name --diff-context --tabs --wrap --theme":
      "text",
    "--terminal-width --color --italic-text --decorations --style --nonprintable-notation --binary --squeeze-limit": "text",
  },
  opening: { "--pager": (text) => namedProgram(text), "--paging --config-file": "text" },
  abbreviated: false,
  permutes: true,
  operands: "read",
  unless: (_, [first]) => (first && mayBe(first, "cache") ? open() : null),
});

/** Whatever the words are. */
const prints: Program = () => declared();

export const LISTING: Family = {
  ls,
  dir: ls,
  vdir: ls,
  stat,
  file,
  readlink,
  realpath,
  basename: prints,
  dirname: prints,
  pwd: prints,
  du,
  df,
  tree,
  test: testCommand,
  "[": testCommand,
  which,
  whereis,
  locate: () => open(),
  getfacl,
  lsattr: plainProgram({ flags: "-R -V -a -d -l -p -v", operands: "stat", withoutOperands: ".", recursive: "-R" }),
  lsof,
  exa: eza,
  eza,
  bat,
  batcat: bat,
};

function textOf(word: Word): string {
  return word.known ? word.value : word.prefix;
}

/** True when the word, or one of the words that it becomes, can be this text. */
function mayBe(word: Word, text: string): boolean {
  if (word.known) return word.value === text;
  return text.startsWith(word.prefix) && (!word.below || word.below.some((path) => path === "" || path === text));
}
