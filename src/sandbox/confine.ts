import { spawn } from "node:child_process";
import { quoteWord } from "../base/words.ts";
import { openSockets } from "./open-sockets.ts";
import type { ConfinedBy } from "./port.ts";

/** How a command is started so that it can write nothing and reach nobody. */
export interface Confinement {
  readonly by: Exclude<ConfinedBy, null>;
  /** The words that start it; the first is the absolute path of what confines. */
  wrap(command: ConfinedCommand): readonly [string, ...string[]];
}

export interface ConfinedCommand {
  /** The first is the name that the program is called by. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute path of the program. */
  readonly file: string;
  readonly cwd: string;
}

export interface ConfinementOptions {
  /** Where a program of the system lies, in the PATH for commands; `null`: there is none. */
  readonly find: (program: string) => string | null;
  /** Real path of a folder that must come out as one that cannot be written to. */
  readonly workspace: string;
  readonly isRoot: boolean;
  /** What is tried, in this order; default: all. */
  readonly ways?: readonly Confinement["by"][];
}

/** The one folder that a confined command can write to: its own, in memory, gone with it. */
export const CONFINED_TMPDIR = "/dev/shm";

/** A start takes some 10 to 200 ms; longer than this it hangs. */
const PROBE_MS = 10_000;

/**
 * The best way to confine that works here, found by trying: bubblewrap, then namespaces made by `unshare`. `null`: none does.
 *
 * Either way every mount is read-only and without devices, and so are `/proc` and `/sys`; `/dev` has the harmless devices and an own
 * `/dev/shm`; there is no network; no other process is to be seen or signalled; all rights of root are dropped for good. Sockets of services
 * that are there now are covered, where they use to lie; behind one that is elsewhere, or is made later, somebody else may write.
 */
export async function findConfinement(options: ConfinementOptions): Promise<Confinement | null> {
  const { find, workspace, ways = ["bwrap", "unshare"] } = options;
  const bash = find("bash");
  if (bash === null) return null;
  const sockets = openSockets();
  const make = { bwrap: byBwrap, unshare: byUnshare };
  for (const name of ways) {
    const way = make[name](bash, sockets, options);
    if (way !== null && (await works(way, { bash, workspace }))) return way;
  }
  return null;
}

/** Neither can say what a program is called by. */
const AS_CALLED = ["--noprofile", "--norc", "-p", "-c", 'exec -a "$0" "$@"'] as const;

type Sockets = readonly string[];

function byBwrap(bash: string, sockets: Sockets, { find }: ConfinementOptions): Confinement | null {
  const bwrap = find("bwrap");
  if (bwrap === null) return null;
  // not --die-with-parent: what is left running has to be told and ended like that of any other command
  const namespaces = ["user-try", "ipc", "pid", "net", "uts", "cgroup-try"].map((name) => `--unshare-${name}`);
  const mounts = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/sys",
    "--remount-ro",
    "/sys",
    "--remount-ro",
    "/proc",
  ];
  const covers = sockets.flatMap((socket) => ["--ro-bind", "/dev/null", socket]);
  return {
    by: "bwrap",
    wrap: ({ argv: [name, ...args], file, cwd }) => [
      // as root it would keep root's rights
      ...([bwrap, ...namespaces, "--cap-drop", "ALL", ...mounts, ...covers, "--chdir", cwd, "--"] as const),
      ...[bash, ...AS_CALLED, name, file, ...args],
    ],
  };
}

function byUnshare(bash: string, sockets: Sockets, { find, isRoot }: ConfinementOptions): Confinement | null {
  const [unshare, mount, setpriv] = [find("unshare"), find("mount"), find("setpriv")];
  if (unshare === null || mount === null || setpriv === null) return null;
  const own = isRoot ? [] : ["--user", "--map-root-user"];
  const plain: readonly string[] = ["--noprofile", "--norc", "-p", "-c"];
  const init = initScript({ bash: quoteWord(bash), mount: `${quoteWord(mount)} -n`, setpriv: quoteWord(setpriv) });
  const setUp = setUpScript({
    mount: `${quoteWord(mount)} -n`,
    sockets: sockets.map(quoteWord).join(" "),
    next: [unshare, "--pid", "--", bash, ...plain, init].map(quoteWord).join(" "),
  });
  return {
    by: "unshare",
    wrap: ({ argv: [name, ...args], file }) => [
      unshare,
      ...own,
      "--mount",
      "--net",
      "--ipc",
      "--uts",
      "--",
      bash,
      ...plain,
      setUp,
      name,
      file,
      ...args,
    ],
  };
}

const FAILED = "collet: the command could not be confined, and was not started";

/** In its own namespace of mounts: makes them read-only. `mount -n`, since it would write to `/run` else. */
function setUpScript({ mount, sockets, next }: { readonly mount: string; readonly sockets: string; readonly next: string }): string {
  return `set -uf
die() { printf '${FAILED} (%s)\n' "$1" >&2; exit 125; }
${mount} -t tmpfs -o mode=755 none /sys && mkdir /sys/dev && ${mount} -t tmpfs -o nosuid,noexec,mode=755 none /sys/dev || die /sys
for name in null zero full random urandom tty; do
  : > /sys/dev/$name && ${mount} --bind /dev/$name /sys/dev/$name || die "/dev/$name"
done
cd_dev() { ln -s /proc/self/fd /sys/dev/fd && ln -s fd/0 /sys/dev/stdin && ln -s fd/1 /sys/dev/stdout && ln -s fd/2 /sys/dev/stderr; }
cd_dev && mkdir -m 1777 /sys/dev/shm || die /dev
for socket in ${sockets}; do
  ${mount} --bind /dev/null "$socket" || die "$socket"
done
# read as a whole: it changes with each mount
mapfile -t mounts < /proc/self/mountinfo
for line in "\${mounts[@]}"; do
  fields=($line)
  case \${fields[4]} in /proc | /proc/* | /dev | /dev/* | /sys | /sys/*) continue ;; esac
  printf -v point %b "\${fields[4]}"
  kept=
  # what the outer namespace has locked must stay
  for flag in \${fields[5]//,/ }; do case $flag in nosuid | noexec | noatime | nodiratime | relatime) kept+=,$flag ;; esac; done
  ${mount} -o "remount,bind,ro,nodev$kept" "$point" || die "$point"
done
${mount} --move /sys/dev /dev && ${mount} -o remount,bind,ro /sys || die /dev
exec ${next} "$0" "$@"`;
}

/**
 * Its first child is the first process of a new namespace of processes: it runs the command, tells its exit status, and stays until what the
 * command left running has ended, since its own end is theirs.
 */
function initScript({ bash, mount, setpriv }: { readonly bash: string; readonly mount: string; readonly setpriv: string }): string {
  const drop = `${setpriv} --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all`;
  return `exec 8>&1 9< <(
  ${mount} -t proc -o ro,nosuid,nodev,noexec proc /proc || { printf '${FAILED} (/proc)\n' >&2; exit; }
  exec 6>&2 7<> <(:) 2> /dev/null
  ${drop} -- ${bash} ${AS_CALLED.map(quoteWord).join(" ")} "$0" "$@" >&8 2>&6 6>&- 7>&- 8>&- 9<&-
  status=$?
  # as the first process it is told to end with the others, and has to outlive them
  trap '' TERM
  echo "$status"
  exec >&- 6>&- 8>&-
  while set -- /proc/[0-9]*; (($# > 1)); do read -rt 0.02 -u 7; done
)
exec >&- 8>&-
IFS= read -r -u 9 status
exit "\${status:-125}"`;
}

/** True where nothing is writable, no right of root is left, no way out to a network is known, and temporary files can be made. */
const PROBE = `[ ! -w "$1" ] && [ ! -w / ] && [ ! -w /tmp ] || exit 1
: > /dev/shm/probe && : > /dev/null || exit 2
while read -r key value; do
  case $key in CapEff: | CapPrm: | CapAmb: | CapInh:) [[ $value =~ ^0+$ ]] || exit 3 ;; NoNewPrivs:) [ "$value" = 1 ] || exit 4 ;; esac
done < /proc/self/status
mapfile -t routes < /proc/net/route
((\${#routes[@]} < 2)) || exit 5
set -- /proc/[0-9]*
(($# < 5))`;

function works(way: Confinement, { bash, workspace }: { readonly bash: string; readonly workspace: string }): Promise<boolean> {
  const argv = ["bash", "--noprofile", "--norc", "-p", "-c", PROBE, "probe", workspace] as const;
  const [program, ...words] = way.wrap({ argv, file: bash, cwd: "/" });
  // its own environment: the probe must not be told anything by that of the host
  const child = spawn(program, words, {
    cwd: "/",
    env: { LC_ALL: "C" },
    stdio: "ignore",
    detached: true,
    signal: AbortSignal.timeout(PROBE_MS),
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}
