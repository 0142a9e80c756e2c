/**
 * The table of programs. A family is loaded when one of its names is asked for: together they take longer to load than a first call may wait. A
 * test holds the names to the families.
 */
import type { Program } from "../doing.ts";
import type { Family } from "./table.ts";

export { GIT_QUIET } from "./git-quiet.ts";

interface Part {
  readonly names: string;
  readonly load: () => Promise<Family>;
}

/** Those that people look around and change things with. */
const EVERYDAY: readonly Part[] = [
  {
    names:
      "cat tac head tail nl wc cut paste tr sort uniq join fold fmt expand unexpand column rev split csplit shuf iconv jq yq pr tsort look numfmt factor expr bc dc diff colordiff sdiff diff3 cmp comm cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum shasum sha1 sha256 sha512 md5 od hexdump hd xxd strings base64 base32 basenc",
    load: async () => (await import("./text.ts")).TEXT,
  },
  {
    names: "grep egrep fgrep rgrep rg fd fdfind find zgrep ag ack",
    load: async () => (await import("./search.ts")).SEARCH,
  },
  {
    names:
      "ls dir vdir stat file readlink realpath basename dirname pwd du df tree test [ which whereis locate getfacl lsattr lsof exa eza bat batcat",
    load: async () => (await import("./listing.ts")).LISTING,
  },
  {
    names:
      "cp mv ln link install ginstall rm unlink rmdir mkdir mktemp mkfifo mknod touch tee dd truncate shred chmod chown chgrp chattr tar gtar bsdtar zip unzip zipinfo gzip gunzip zcat gzcat bzip2 bunzip2 bzcat xz unxz xzcat lzcat zstd unzstd zstdcat cpio sync",
    load: async () => (await import("./change.ts")).CHANGE,
  },
  {
    names:
      "ip sysctl last mount ifconfig findmnt pidof pstree date hostname uname arch id whoami logname groups hostid users who w uptime printenv ps top free vmstat lscpu lsblk nproc getconf locale tty stty sleep true false echo printf yes seq clear tput cal ncal dmesg netstat ss kill pgrep getent",
    load: async () => (await import("./system.ts")).SYSTEM,
  },
  {
    names: "sed gsed",
    load: async () => (await import("./sed.ts")).SED,
  },
  {
    names: "awk gawk mawk nawk original-awk bwk",
    load: async () => (await import("./awk.ts")).AWK,
  },
  { names: "git", load: async () => (await import("./git.ts")).GIT },
];

/** The row of a program by its name; `null`: it is not in the table. */
export async function programRow(name: string): Promise<Program | null> {
  // `git-log` is another way to write `git log`
  const known = name.startsWith("git-") ? "git" : name;
  const part = known.includes(" ") ? undefined : EVERYDAY.find(({ names }) => ` ${names} `.includes(` ${known} `));
  const family = await (part?.load ?? rest)();
  return Object.hasOwn(family, name) ? (family[name] ?? null) : null;
}

async function rest(): Promise<Family> {
  return (await import("./seldom.ts")).SELDOM;
}
