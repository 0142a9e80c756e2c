import type { FileEffect } from "../base/effect.ts";
import { isWithin } from "../base/real-path.ts";
import type { Policy } from "./policy.ts";

/** Inside: in a root; for a read also in the spill folder, and for a read by a command where nothing is private. */
export function isInside(effect: FileEffect, policy: Policy): boolean {
  const { path } = effect;
  if (policy.roots.some((root) => isWithin(path, root))) return true;
  if (effect.kind !== "file.read") return false;
  const spill = policy.spillDir();
  return (spill !== null && isWithin(path, spill)) || (effect.sure !== "exact" && isHarmless(effect, policy.home));
}

/** System folders that every program reads. */
const HARMLESS_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ssl/certs"];
/** What a program asks about its machine; nothing in them is a secret or names a person. */
const HARMLESS_FILES = new Set([
  ...[
    "/etc/os-release",
    "/etc/lsb-release",
    "/etc/debian_version",
    "/etc/alpine-release",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/shells",
  ],
  ...["/etc/mime.types", "/etc/services", "/etc/protocols", "/etc/ld.so.cache"],
  ...["/proc/cpuinfo", "/proc/meminfo", "/proc/version", "/proc/loadavg", "/proc/uptime", "/proc/filesystems", "/proc/stat"],
  ...["/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/memory.max"],
]);

function isHarmless({ path, kind, ...effect }: FileEffect, home: string | null): boolean {
  // homes can lie below /usr
  if (home !== null && home !== "/" && isWithin(path, home)) return false;
  const isTree = kind === "file.read" && "tree" in effect && effect.tree === true;
  return HARMLESS_FOLDERS.some((folder) => isWithin(path, folder)) || (!isTree && HARMLESS_FILES.has(path));
}
