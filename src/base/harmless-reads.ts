import type { FileEffect } from "./effect.ts";
import { isWithin } from "./real-path.ts";

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

/** True for the read of what is on every machine of its kind, and nobody's own. The home folder, `null` when none is known, never is. */
export function isHarmlessRead({ path, kind, ...effect }: FileEffect, home: string | null): boolean {
  if (kind !== "file.read") return false;
  // homes can lie below /usr
  if (home !== null && home !== "/" && isWithin(path, home)) return false;
  const isTree = "tree" in effect && effect.tree === true;
  return HARMLESS_FOLDERS.some((folder) => isWithin(path, folder)) || (!isTree && HARMLESS_FILES.has(path));
}
