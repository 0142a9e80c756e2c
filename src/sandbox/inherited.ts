import { readdirSync, readFileSync } from "node:fs";

/** O_CLOEXEC in the octal `flags` of proc(5) `fdinfo`: all of Linux's machines that Node runs on. */
const CLOSED_ON_EXEC = 0o2000000;

/**
 * Descriptors of this process, from 3 up, that a process which it starts would get too: what whoever started it has left open. Node closes
 * the low ones by itself, up to the first gap above 15, and opens none that are passed on. Empty where there is no `/proc` of Linux.
 */
export function inheritedDescriptors(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((fd) => fd > 2 && isPassedOn(fd));
  } catch {
    return [];
  }
}

function isPassedOn(fd: number): boolean {
  try {
    const [, flags] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1")) ?? [];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // it was the one by which the folder was read
    return false;
  }
}
