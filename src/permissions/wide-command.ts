/**
 * Words of commands that are worth a rule of their own with any words behind them, such as `npm test`. Programs that run what they are told
 * are none: a rule for `bash`, `env` or `python` would let everything through.
 */

/** By their names without versions: shells, interpreters, what starts other programs, what works on other machines or in containers. */
const RUNNERS = new Set(
  `sh ash bash rbash dash zsh ksh mksh pdksh yash csh tcsh fish elvish nu xonsh pwsh powershell busybox toybox cmd
  python pypy ipython node nodejs deno bun tsx ts-node ruby irb jruby perl php lua luajit tclsh wish expect rscript r julia octave
  awk gawk mawk nawk sed ed ex vi vim nvim view emacs nano less more most man gdb lldb dlv scala groovy kotlin java jshell jrunscript
  clojure clj lein elixir iex erl escript ghci runghc stack cabal ocaml sbcl clisp guile racket swift osascript m4 bc dc jq yq
  env sudo sudoedit doas su runuser pkexec xargs parallel nohup nice renice ionice chrt timeout time stdbuf unbuffer setsid setpriv taskset
  chroot unshare nsenter bwrap firejail proot fakeroot faketime capsh prlimit sg tini gosu su-exec torsocks torify proxychains proxychains4 hyperfine
  rlwrap chpst softlimit eatmydata numactl cpulimit strace ltrace perf valgrind catchsegv script watch flock
  command builtin exec eval source . coproc trap alias find fd fdfind entr inotifywait at batch crontab systemd-run systemctl service
  ssh scp sftp rsync mosh rsh telnet nc ncat socat docker podman nerdctl buildah kubectl oc helm vagrant ansible ansible-playbook
  npx pnpx bunx pipx uvx uv poetry pipenv pdm hatch rye conda mamba micromamba tox nox nix nix-shell nix-env direnv dotenv op doppler
  mise asdf rtx corepack volta nvm fnm rbenv pyenv bundle bundler rake gem make gmake bmake ninja just task mage gradle gradlew mvn mvnw ant
  sbt bazel bazelisk buck cmake meson scons tmux screen zellij dbus-run-session xvfb-run psql mysql mariadb sqlite3 mongosh redis-cli
  tar zip unzip cpio openssl curl wget install dd tee git-shell`.split(/\s+/),
);

/** Words behind a program that make it run, set or open something else, whatever the program. */
const RUNNING_WORD =
  /^(?:x|exec|execute|dlx|run|run-all|start|shell|sh|bash|ssh|script|eval|repl|console|foreach|with|env|config|set|alias|bisect|rebase|submodule|filter-branch|difftool|mergetool|daemon|serve|create|init|generate|plugin|extension|hook|hooks)$/;

/** The script of a package, which `run` is followed by, says what is run: it narrows enough. */
const SCRIPT_RUNNERS = new Set(["npm", "pnpm", "yarn"]);

const PLAIN_WORD = /^[a-z][a-z0-9:_.-]*$/;

/** The first words of a command that a rule may leave the rest of open; `null`: none are. At least a program and one more word. */
export function wideWords(argv: readonly string[]): readonly string[] | null {
  const [program = "", second = "", third = ""] = argv;
  if (program.includes("/") || isRunner(program) || !PLAIN_WORD.test(second)) return null;
  if (SCRIPT_RUNNERS.has(program) && /^run(?:-script)?$/.test(second)) return PLAIN_WORD.test(third) ? [program, second, third] : null;
  return RUNNING_WORD.test(second) ? null : [program, second];
}

/** True for a program that runs what its words say; `python3.12` and `bash.exe` are what they are without version and ending. */
export function isRunner(program: string): boolean {
  const name = program.slice(program.lastIndexOf("/") + 1).toLowerCase();
  return RUNNERS.has(name) || RUNNERS.has(name.replace(/\.(?:exe|cmd|bat)$/, "").replace(/[-.\d]+$/, ""));
}
