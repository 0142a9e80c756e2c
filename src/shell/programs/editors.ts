/** Editors and pagers. Editors are `open`, since they run what settings and files say; what their words name is told. */
import { declared, type FileUse, type Input, type Invocation, open, type Program, type Run } from "../doing.ts";
import { type OptionNames, parseOptions } from "../options.ts";
import { fileUses, seenFiles } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { isSurelyNoOption, knownWord, type Word } from "../word.ts";
import { valuesOf } from "./given.ts";
import type { Family } from "./table.ts";
import { namedProgram, shellText } from "./told.ts";

interface Editor extends OptionNames {
  /** Options whose value is a command of the editor. */
  readonly commands: string;
  readonly reads: string;
  readonly writes: string;
}

/** Its operands may be written; `+COMMAND` is one more command. */
function editor(spec: Editor): Program {
  return ({ args, stdin }) => {
    const { options, operands } = seenOptions(args, {
      ...spec,
      values: `${spec.values ?? ""} ${spec.commands} ${spec.reads} ${spec.writes}`,
    });
    const isCommand = (word: Word): boolean => word.known && word.value.startsWith("+");
    const commands = [
      ...valuesOf(options, spec.commands),
      ...operands.filter(isCommand).map((word) => (word.known ? knownWord(word.value.slice(1)) : word)),
      ...linesOf(stdin),
    ];
    const files: readonly FileUse[] = [
      ...valuesOf(options, spec.reads).flatMap((path) => fileUses("read", path)),
      ...valuesOf(options, spec.writes).flatMap((path) => fileUses("write", path)),
      ...operands.filter((word) => !isCommand(word)).flatMap((path) => [...fileUses("read", path), ...fileUses("write", path)]),
    ];
    const done = commands.map(doneBy);
    return open({ files: seenFiles([...files, ...done.flatMap((each) => each.files)]), runs: done.flatMap((each) => each.runs) });
  };
}

/** Some read their commands. */
function linesOf(stdin: Input): readonly Word[] {
  return stdin.kind === "text" ? stdin.text.split("\n").slice(0, 1000).map(knownWord) : [];
}

/** A command line as `ex` has them: what it hands to a shell, and the files that it writes or reads. */
function doneBy(command: Word): { readonly files: readonly FileUse[]; readonly runs: readonly Run[] } {
  if (!command.known) return { files: [], runs: [] };
  const [, shell] = TO_SHELL.exec(command.value) ?? [];
  const [, verb = "", path = ""] =
    /^[\s:%\d,.$]*(w|wq|write|sav|saveas|r|read|e|edit|so|source)!?\s+([^\s!|>][^|]*)$/.exec(command.value) ?? [];
  const called = [...command.value.matchAll(/\bsystem(?:list)?\(\s*(?:"([^"\\]*)"|'([^']*)')/g)].map(
    ([, double, single]) => double ?? single ?? "",
  );
  const texts = [...(shell === undefined || path !== "" ? [] : [shell]), ...called];
  const access = /^(?:w|wq|write|sav|saveas)$/.test(verb) ? "write" : "read";
  return { files: path === "" ? [] : fileUses(access, knownWord(path.trim())), runs: texts.map((text) => shellText(knownWord(text))) };
}

/** `!rm x`, `%!sort`, `silent !x`, `r !x`, `w !x`, `exe "!x"`: what stands behind it. */
const TO_SHELL = /^[\s:%\d,.$;+-]*(?:(?:silent|sil|execute|exe|read|r|write|w|terminal|term)\b!?\s*["']?)*!+\s*([^\s!"'][^"']*)/;

const vi = editor({
  flags: "-b -d -D -e -E -g -f -l -L -m -M -n -N -R -s -v -V -x -X -y -Z -o -O -p -r",
  values: "-T -t -P -C --startuptime --listen --server --servername",
  commands: "-c --cmd",
  reads: "-S -u -U -i",
  writes: "-w -W --startuptime",
});

const ed = editor({ flags: "-s -E -G -l -r -v --quiet --restricted", values: "-p --prompt", commands: "", reads: "", writes: "" });

// with a lone program behind `-f` or `-l` it loads a file
const emacs = editor({
  flags: "-q -Q -nw --batch --no-init-file --script",
  commands: "",
  reads: "-l --load -f --script",
  writes: "",
});

/** Pagers pass on what they read where no terminal is, as in a command of an agent. */
const PAGING = {
  less: "-N -S -R -r -F -X -i -I -n -E -e -M -m -s -Q -q -G -g -J -w -W -C -c -u -U -L -V --version --help --LINE-NUMBERS --chop-long-lines --RAW-CONTROL-CHARS --quit-if-one-screen --no-init",
  more: "-d -l -f -p -c -s -u -e -V --version --help",
};

/** `less +!COMMAND`, and files that it keeps what it reads in. */
function pager(invocation: Invocation): ReturnType<Program> {
  const { args } = invocation;
  const plain = parseOptions(args, { flags: invocation.name === "more" ? PAGING.more : PAGING.less, abbreviated: false });
  if (plain.ok && plain.operands.every(isSurelyNoOption)) {
    return declared({ files: plain.operands.flatMap((path) => fileUses("read", path)) });
  }
  const { options, operands } = seenOptions(args, {
    values: "-o -O -k -t -T -p -P -b -h -j -x -y -z --log-file --LOG-FILE --lesskey-file --lesskey-src --tag-file",
  });
  const texts = args.flatMap((word) => {
    const [, text] = (word.known && /^\++!+([\s\S]+)$/.exec(word.value)) || [];
    return text === undefined ? [] : [knownWord(text)];
  });
  return open({
    files: seenFiles([
      ...valuesOf(options, "-o -O --log-file --LOG-FILE").flatMap((path) => fileUses("write", path)),
      ...operands.filter((word) => !(word.known && word.value.startsWith("+"))).flatMap((path) => fileUses("read", path)),
    ]),
    runs: texts.map(shellText),
  });
}

/** `man -P PAGER`, `man -H BROWSER`. */
function man({ args }: Invocation): ReturnType<Program> {
  const { options } = seenOptions(args, {
    values:
      "-P --pager -C --config-file -M --manpath -S -s --sections -L --locale -m --systems -r --prompt -E --encoding -p --preprocessor",
    optional: "-H --html -T --troff-device",
  });
  return open({ runs: valuesOf(options, "-P --pager -H --html").map((text) => namedProgram(text)) });
}

export const EDITORS: Family = {
  ...Object.fromEntries("vi vim nvim view ex rvim gvim vimdiff nvi elvis".split(" ").map((name) => [name, vi])),
  ed,
  red: ed,
  emacs,
  nano: editor({ flags: "", values: "-C -o -r -s -T -Y", commands: "", reads: "", writes: "" }),
  less: pager,
  more: pager,
  man,
};
