/**
 * Languages and their tools. They run what a repository holds, and so all is `open` but what only prints a version, before any file of the
 * folder is read. Left out on purpose, since a file of the repository chooses what runs even for `--version`: `go` (go.mod names another
 * toolchain, which is fetched), `cargo`, `rustc` and `rustup` (rust-toolchain.toml, whose `path` can lead into the repository), `yarn` (yarnPath),
 * `pnpm` (packageManager), `mvn` (.mvn/jvm.config), `gradle`, `dotnet` (global.json), `bundle` (Gemfile.lock), `terraform` (.terraform-version),
 * `pip` and `pytest` (start-up files of an editable install), `jest`, `webpack` and `rollup` (they hand over to what is installed in the
 * folder); and all of `npm` beyond its version, even `npm ls`: the .npmrc of the folder names the folders that it makes (`cache`, `logs-dir`), other
 * files that it reads as settings and tells about (`userconfig`), and the registry that it asks for news of itself, and a variable that keeps it
 * from one of these would spoil an `npm install` in the same script; and it reads parent folders, and workspaces and links that lead out.
 *
 * What is declared holds for the programs themselves, not for the stand-ins of version managers: those look for a file such as .tool-versions,
 * which can lead into the repository. See `isStandIn`.
 */
import { declared, type Invocation, open, type Program } from "../doing.ts";
import { knownWord, unknownWord } from "../word.ts";
import { COMPILERS } from "./outputs.ts";
import { npx, packageManager } from "./packages.ts";
import type { Family } from "./table.ts";
import { namedProgram } from "./told.ts";

/** `open` but for one single word of these. */
function prints(words: string): Program {
  const forms = words.split(" ");
  return ({ args }) => (isOne(args, forms) ? declared() : open());
}

/** The same, with what else its words say that it writes. */
function printsOr(words: string, others: Program): Program {
  const forms = words.split(" ");
  return (invocation) => (isOne(invocation.args, forms) ? declared() : others(invocation));
}

function isOne([word, more]: Invocation["args"], forms: readonly string[]): boolean {
  return more === undefined && word?.known === true && forms.includes(word.value);
}

const VERSION = "--version";

/** `make SHELL=PROGRAM` runs all of it by that one. */
const make: Program = ({ args }) => {
  const shells = args.flatMap((word) => {
    const [, text] = (word.known && /^(?:SHELL|MAKE)\s*:{0,3}=([\s\S]+)$/.exec(word.value)) || [];
    return text === undefined ? [] : [namedProgram(knownWord(text), [unknownWord("what make runs", { single: true })])];
  });
  return open({ runs: shells });
};

const unknown: Program = () => open();

/** Not `--check`, which shows a line of what it finds wrong: of a folder, whatever it is called, it takes the file that its package.json names. */
const node = prints("--version -v --help -h");
const python = prints("--version -V -VV --help -h");

export const LANGUAGES: Family = {
  node,
  nodejs: node,
  bun: packageManager("x", prints("--version -v --revision")),
  bunx: npx,
  npx,
  pnpx: npx,
  npm: packageManager("exec x", prints("--version -v")),
  pnpm: packageManager("exec dlx", unknown),
  yarn: packageManager("exec dlx", unknown),
  tsc: printsOr("--version -v", COMPILERS.tsc),
  python,
  python3: python,
  python2: python,
  perl: prints("--version -v"),
  ruby: prints("--version"),
  php: prints("--version -v"),
  lua: prints("-v"),
  luajit: prints("-v"),
  Rscript: prints(VERSION),
  java: prints("-version --version"),
  javac: printsOr("-version --version", COMPILERS.javac),
  gcc: printsOr(VERSION, COMPILERS.compiler),
  "g++": printsOr(VERSION, COMPILERS.compiler),
  cc: printsOr(VERSION, COMPILERS.compiler),
  "c++": printsOr(VERSION, COMPILERS.compiler),
  clang: printsOr(VERSION, COMPILERS.compiler),
  "clang++": printsOr(VERSION, COMPILERS.compiler),
  make: printsOr(VERSION, make),
  gmake: printsOr(VERSION, make),
  cmake: prints(VERSION),
  ninja: prints(VERSION),
  docker: prints("--version -v"),
};

/**
 * True for the path of a program that is the stand-in of a version manager, such as `~/.asdf/shims/node`: which program it starts is chosen by
 * files of the folder in which it runs, and nothing is declared of it. Ask it for each path on the way from the name to the file, links included.
 */
export function isStandIn(path: string): boolean {
  return /(?:^|\/)(?:shims\/[^/]+|\.?volta\/bin\/[^/]+|volta-shim(?:\.exe)?|\.cargo\/bin\/[^/]+|rustup(?:-init)?|corepack\/dist\/[^/]+\.js|mise|asdf|proto-shim)$/.test(
    path,
  );
}
