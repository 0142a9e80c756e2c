/**
 * The environment of commands, from one table: what is not in it is not passed on. Whoever needs more grants it to a tool by name.
 *
 * Left out on purpose: what changes what runs (`BASH_ENV`, `ENV`, `LD_*`, `NODE_OPTIONS`, `PYTHONPATH`, `PERL5LIB`, `RUBYOPT`, `GIT_*`,
 * `JAVA_TOOL_OPTIONS`, `RUSTC_WRAPPER`, `GOFLAGS` …), what opens a door to somebody else's service (`SSH_AUTH_SOCK`, `DOCKER_HOST`,
 * `DBUS_*`, `DISPLAY`, cloud profiles), and what is only right for the host's own terminal (`PWD`, `SHLVL`, `COLUMNS`, `COLORTERM`).
 */

interface Row {
  readonly why: string;
  readonly names: readonly string[];
  /** `urls`: the value is one URL or more, and the user and password in them are cut out. */
  readonly form?: "urls";
}

/** Passed on from the host's environment, when it has them. */
export const PASSED_ON: readonly Row[] = [
  { why: "who runs it, where its files are", names: ["HOME", "USER", "LOGNAME", "SHELL", "HOSTNAME", "TMPDIR", "TZ"] },
  { why: "where programs keep files", names: ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] },
  { why: "Go", names: ["GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE", "GOTOOLCHAIN", "GOPRIVATE", "GONOSUMDB", "GOSUMDB"] },
  { why: "where Go modules come from", names: ["GOPROXY"], form: "urls" },
  { why: "Rust", names: ["CARGO_HOME", "CARGO_TARGET_DIR", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"] },
  { why: "Java", names: ["JAVA_HOME", "JDK_HOME", "GRADLE_HOME", "GRADLE_USER_HOME", "MAVEN_HOME", "M2_HOME", "SDKMAN_DIR"] },
  {
    why: "JavaScript",
    names: ["NVM_DIR", "NVM_BIN", "NVM_INC", "FNM_DIR", "FNM_MULTISHELL_PATH", "VOLTA_HOME", "N_PREFIX"].concat([
      "PNPM_HOME",
      "COREPACK_HOME",
      "BUN_INSTALL",
      "DENO_DIR",
      "DENO_INSTALL_ROOT",
      "npm_config_cache",
    ]),
  },
  {
    why: "Python",
    names: ["VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "PYENV_ROOT", "PYENV_VERSION", "PIPX_HOME", "PIPX_BIN_DIR"].concat([
      "PIP_CACHE_DIR",
      "POETRY_HOME",
      "POETRY_CACHE_DIR",
      "UV_CACHE_DIR",
      "UV_PYTHON_INSTALL_DIR",
    ]),
  },
  { why: "Ruby", names: ["RBENV_ROOT", "RBENV_VERSION", "GEM_HOME", "GEM_PATH", "BUNDLE_PATH"] },
  { why: ".NET", names: ["DOTNET_ROOT", "DOTNET_CLI_HOME", "NUGET_PACKAGES"] },
  { why: "Android", names: ["ANDROID_HOME", "ANDROID_SDK_ROOT", "ANDROID_NDK_HOME"] },
  {
    why: "other languages",
    names: ["COMPOSER_HOME", "MIX_HOME", "HEX_HOME", "GHCUP_INSTALL_BASE_PREFIX", "CABAL_DIR", "STACK_ROOT", "OPAMROOT"].concat([
      "OPAMSWITCH",
      "JULIA_DEPOT_PATH",
      "PUB_CACHE",
      "CCACHE_DIR",
    ]),
  },
  { why: "version managers", names: ["ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "MISE_CACHE_DIR"] },
  { why: "package managers", names: ["HOMEBREW_PREFIX", "HOMEBREW_CELLAR", "HOMEBREW_REPOSITORY", "NIX_PROFILES", "LOCALE_ARCHIVE"] },
  { why: "browsers that tests drive", names: ["PLAYWRIGHT_BROWSERS_PATH", "PUPPETEER_CACHE_DIR"] },
  {
    why: "the way out to the network; without the password, so that a proxy that wants one refuses",
    names: ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY"],
    form: "urls",
  },
  { why: "what needs no proxy", names: ["no_proxy", "NO_PROXY"] },
  {
    why: "certificates that the host trusts",
    names: ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"].concat([
      "AWS_CA_BUNDLE",
      "PIP_CERT",
      "CARGO_HTTP_CAINFO",
      "DENO_CERT",
      "NIX_SSL_CERT_FILE",
      "npm_config_cafile",
    ]),
  },
];

/** Set for every command. Not set: `CI` and `NO_COLOR`, which change what builds and tests do. */
export const SET: Readonly<Record<string, { readonly value: string; readonly why: string }>> = {
  TERM: { value: "dumb", why: "there is no screen: no cursor movement, no full-screen programs" },
  PAGER: { value: "cat", why: "nobody turns the pages" },
  GIT_PAGER: { value: "cat", why: "the same for git, whatever its configuration says" },
  GIT_TERMINAL_PROMPT: { value: "0", why: "nobody answers: git says what it lacks" },
  DEBIAN_FRONTEND: { value: "noninteractive", why: "nobody answers the questions of packages" },
  PYTHONUNBUFFERED: { value: "1", why: "what Python printed is there when a time limit ends it, and in order with its errors" },
  COLLET: { value: "1", why: "tells scripts that an agent runs them" },
};

/** Marks the processes of one call, so that those that left its process group are found in the process table. */
const MARK_NAME = "COLLET_CALL";

const LOCALE_NAMES = ["LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME"].concat(
  ["LC_ADDRESS", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_NAME", "LC_PAPER", "LC_TELEPHONE"],
);

export type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandEnvOptions {
  readonly hostEnv: Environment;
  /** The PATH for commands. */
  readonly path: string;
  /** Unique for the call. */
  readonly mark: string;
  /** On top of the table, and stronger than all of it but the mark. */
  readonly granted: Readonly<Record<string, string>>;
}

/** The whole environment of a command. Its locale is UTF-8 whatever the host has. */
export function commandEnv({ hostEnv, path, mark, granted }: CommandEnvOptions): Record<string, string> {
  const env: Record<string, string> = { PATH: path, ...locale(hostEnv) };
  for (const { names, form } of PASSED_ON) {
    for (const name of names) {
      const value = hostEnv[name];
      if (value !== undefined) env[name] = form === "urls" ? withoutCredentials(value) : value;
    }
  }
  for (const [name, { value }] of Object.entries(SET)) env[name] = value;
  return { ...env, ...granted, [MARK_NAME]: joinedMark(hostEnv[MARK_NAME], mark) };
}

/**
 * True for a name that by its words may hold a secret: `GITHUB_TOKEN`, `DB_PASSWORD`, `SSH_AUTH_SOCK`. The table has no such name; this
 * is for checking it, and for what may be shown.
 */
export function looksSecret(name: string): boolean {
  return /KEY(?!BOARD)|TOKEN|SECRET|PASS(?:$|_|\d|WO?R?D|PHRASE)|_PWD(?:$|_)|CREDENTIAL|AUTH(?!OR)|COOKIE|SESSION|BEARER/i.test(name);
}

/** Within a command of an outer Collet the outer mark stays, so that the outer one still finds everything; at most 16 levels of it. */
function joinedMark(outer: string | undefined, mark: string): string {
  if (outer === undefined || !/^[\w,]{1,1000}$/.test(outer)) return mark;
  return [...outer.split(",").slice(0, 16), mark].join(",");
}

/** The host's locale when that is UTF-8, else the one that every system has. */
function locale(hostEnv: Environment): Record<string, string> {
  const set = LOCALE_NAMES.flatMap((name) => (/^[\w.@:-]+$/.test(hostEnv[name] ?? "") ? [[name, hostEnv[name] ?? ""] as const] : []));
  const host = Object.fromEntries(set);
  const effective = host.LC_ALL ?? host.LC_CTYPE ?? host.LANG ?? "";
  return /utf-?8/i.test(effective) ? host : { LANG: "C.UTF-8" };
}

/** A password may hold any character, also `/` and `@`: everything up to the last `@` of each URL goes. */
function withoutCredentials(urls: string): string {
  return urls
    .split(/([,|])/)
    .map((url) => url.replace(/^(\s*[a-z][a-z0-9+.-]*:\/\/)?.*@/is, "$1"))
    .join("");
}
