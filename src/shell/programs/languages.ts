/**
 * Languages and their tools. They run what a repository holds, and so all is `open` but what only prints a version, before any file of the
 * folder is read. Left out on purpose, since a file of the repository chooses what runs even for `--version`: `go` (go.mod names another
 * toolchain, which is fetched), `cargo`, `rustc` and `rustup` (rust-toolchain.toml, whose `path` can lead into the repository), `yarn` (yarnPath),
 * `pnpm` (packageManager), `mvn` (.mvn/jvm.config), `gradle`, `dotnet` (global.json), `bundle` (Gemfile.lock), `terraform` (.terraform-version),
 * `pip` and `pytest` (start-up files of an editable install), `jest`, `webpack` and `rollup` (they hand over to what is installed in the
 * folder); and `npm ls`, `npm view` and all that may ask the registry that .npmrc names.
 *
 * What is declared holds for the programs themselves, not for the stand-ins of version managers: those look for a file such as .tool-versions,
 * which can lead into the repository. See `isStandIn`.
 */
import { type Doing, declared, type Invocation, open, type Program } from "../doing.ts";
import { plainProgram } from "../program.ts";
import type { Family } from "./table.ts";

/** `open` but for one single word of these. */
function prints(words: string): Program {
  const forms = words.split(" ");
  return ({ args }) => (isOne(args, forms) ? declared() : open());
}

function isOne([word, more]: Invocation["args"], forms: readonly string[]): boolean {
  return more === undefined && word?.known === true && forms.includes(word.value);
}

const VERSION = "--version";
const nodeCheck = plainProgram({ flags: "-c --check", operands: "read", abbreviated: false });

/** `node --check FILE` reads a program and does not run it. */
function node(invocation: Invocation): Doing {
  if (isOne(invocation.args, ["--version", "-v", "--help", "-h"])) return declared();
  const [first, file, more] = invocation.args;
  const isCheck = first?.known === true && /^(?:-c|--check)$/.test(first.value) && file !== undefined && more === undefined;
  // without a file it reads its standard input
  return isCheck && (file.known ? !file.value.startsWith("-") : file.single) ? nodeCheck(invocation) : open();
}

const python = prints("--version -V -VV --help -h");

export const LANGUAGES: Family = {
  node,
  nodejs: node,
  bun: prints("--version -v --revision"),
  npm: prints("--version -v"),
  tsc: prints("--version -v"),
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
  javac: prints("-version --version"),
  gcc: prints(VERSION),
  "g++": prints(VERSION),
  cc: prints(VERSION),
  "c++": prints(VERSION),
  clang: prints(VERSION),
  "clang++": prints(VERSION),
  make: prints(VERSION),
  gmake: prints(VERSION),
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
