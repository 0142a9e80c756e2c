/** Variables that mean something to bash or to the programs that it starts. */
import type { Look } from "./look.ts";
import { ANYTHING, NUMBER, scalar, UNSET, type Value } from "./value.ts";
import { knownWord } from "./word.ts";

/**
 * Names that change which commands run, or what bash makes of the words after them, whether they are exported or not: search paths, start
 * files, loaders, the options and histories of interpreters, what bash itself splits, prompts and expands by.
 */
const DECIDING =
  /^(?:IFS|PATH|CDPATH|ENV|BASH.*|SHELLOPTS|POSIXLY_CORRECT|GLOBIGNORE|EXECIGNORE|FIGNORE|PS\d|PROMPT_.*|HIST.*|FUNCNEST|TMOUT|DIRSTACK|PWD|OLDPWD|HOSTFILE|INPUTRC|MAIL.*|LD_.*|DYLD_.*|GIT_.*|NODE_.*|PYTHON.*|PERL.*|RUBY.*|.*_PAGER|PAGER|EDITOR|VISUAL|SHELL)$/;
const NOT_DECIDING = new Set(["NODE_ENV"]);

/** Names that programs show or format by, and nothing else. */
const HARMLESS =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|CI|NODE_ENV|COLUMNS|LINES|TERM|DEBUG|RUST_BACKTRACE|PYTHONUNBUFFERED)$/;

/** Names that the environment of commands has, or may have: to set one changes what programs get. Kept beside the table of that environment by a test. */
const GIVEN =
  /^(?:TMPDIR|HOME|USER|LOGNAME|HOSTNAME|XDG_\w+|GO\w+|CARGO_\w+|RUSTUP_\w+|JAVA_HOME|JDK_HOME|GRADLE_\w+|M2_HOME|MAVEN_HOME|SDKMAN_DIR|NVM_\w+|FNM_\w+|VOLTA_HOME|N_PREFIX|PNPM_HOME|COREPACK_HOME|BUN_INSTALL|DENO_\w+|npm_\w+|VIRTUAL_ENV|CONDA_\w+|PYENV_\w+|PIPX?_\w+|POETRY_\w+|UV_\w+|RBENV_\w+|GEM_\w+|BUNDLE_PATH|DOTNET_\w+|NUGET_PACKAGES|ANDROID_\w+|COMPOSER_HOME|MIX_HOME|HEX_HOME|GHCUP_\w+|CABAL_DIR|STACK_ROOT|OPAM\w+|JULIA_\w+|PUB_CACHE|CCACHE_DIR|ASDF_\w+|MISE_\w+|HOMEBREW_\w+|NIX_\w+|LOCALE_ARCHIVE|PLAYWRIGHT_\w+|PUPPETEER_\w+|\w+_proxy|\w+_PROXY|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|AWS_\w+|DEBIAN_FRONTEND|COLLET\w*|\w*(?:KEY|TOKEN|SECRET|PASSWORD)\w*)$/;

/** Of those, names that choose no program and no settings of one. */
const GIVEN_AS_PLACE = /^(?:TMPDIR|USER|LOGNAME|HOSTNAME|DEBIAN_FRONTEND|COLLET\w*|\w*(?:KEY|TOKEN|SECRET|PASSWORD)\w*)$/;

/** Names by which builds and tools are told options, commands, start files and places of programs: what runs, for whoever reads them. */
const TELLING =
  /(?:^|_)(?:OPTS?|OPTIONS?|ARGS|ADDOPTS|SHELL|CMD|COMMAND|PAGER|EDITOR|BROWSER|WRAPPER|LAUNCHER|RUNNER|ASKPASS|RSH|PATH|HOME|PRELOAD|CONFIG|CONF|RC|RCFILE|PLUGINS?|INIT|LOADER|EXEC|HOOKS?|REGISTRY|COMPILER|LINKER|INTERPRETER|TOOLCHAIN|CC|CXX|CPP|LD|AR|AS|RUSTC|RUSTDOC|MAKE)$|FLAGS$|^(?:LESS\w+|CPATH|MAKE\w*|JAVA_\w+|_JAVA_\w+|BUNDLE_\w+|PYTEST_\w+|ELECTRON_\w+|DOCKER_\w+|KUBECONFIG|SSH_\w+|SUDO_\w+|RIPGREP_\w+|GREP_\w+|TERMINFO\w*|LOCPATH|GCONV_PATH|AWK\w+|GAWK_\w+)$/i;

/** Read-only or always computed by bash, whatever is assigned to them. */
const NUMBERS = new Set("UID EUID PPID RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS HISTCMD".split(" "));
const COMPUTED = /^(?:_|FUNCNAME|GROUPS|PIPESTATUS|EPOCHREALTIME|COMP_\w+|READLINE_\w+|MAPFILE|REPLY|COPROC\w*)$/;

/**
 * What setting a variable means. `deciding`: which commands run is not known any more. `open`: a program that gets it may do other things
 * than its row says. `plain`: nothing but its value.
 */
export type NameClass = "deciding" | "open" | "plain";

/** `exported`: programs get it. */
export function classOf(name: string, { exported, look }: { readonly exported: "yes" | "as_before"; readonly look: Look }): NameClass {
  if (HARMLESS.test(name)) return "plain";
  if (DECIDING.test(name) && !NOT_DECIDING.has(name)) return "deciding";
  const isGiven = exported === "yes" || GIVEN.test(name) || typeof look.variables[name] === "string";
  if (!isGiven) return "plain";
  return (GIVEN.test(name) && !GIVEN_AS_PLACE.test(name)) || TELLING.test(name) ? "deciding" : "open";
}

/** What bash computes by itself, whatever the script assigned; `null` for other names. Some lose that when they are unset, and other shells lack them. */
export function computedValue(name: string, { variables }: { readonly variables: ReadonlyMap<string, unknown> }): Value | null {
  if (NUMBERS.has(name)) return variables.has(name) ? ANYTHING : NUMBER;
  return COMPUTED.test(name) ? ANYTHING : null;
}

/** True for a name whose value bash may take from what the script says, without an assignment: the last word, a match, the name it runs by. */
export function isSetByBash(name: string): boolean {
  return !NUMBERS.has(name) && (COMPUTED.test(name) || DECIDING.test(name));
}

/** What a variable is before a script sets it that another script started: what that gave it in the place of the host is not kept. */
export function environmentWithin(environment: (name: string) => Value): (name: string) => Value {
  return (name) => (HARMLESS.test(name) ? ANYTHING : environment(name));
}

/** What a variable is before the script sets it. */
export function environmentOf(look: Look, home: string | null): (name: string) => Value {
  return (name) => {
    if (name === "HOME") return home === null ? ANYTHING : scalar([knownWord(home)]);
    if (DECIDING.test(name)) return ANYTHING;
    const value = look.variables[name];
    return value === undefined ? ANYTHING : value === null ? UNSET : scalar([knownWord(value)]);
  };
}
