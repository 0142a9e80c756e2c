import { type CommandPattern, quoteWord } from "../base/words.ts";
import type { Remark } from "./finding.ts";
import type { Rule } from "./rule.ts";

export interface CommandLint {
  readonly effect: Rule["effect"];
  /** Where relative paths of programs begin. */
  readonly workspace: string;
  readonly exists: ((path: string) => boolean) | undefined;
}

/** Programs that run what they are told: allowed by name alone, they allow anything. */
const INTERPRETERS = new Set(
  (
    "bash sh dash ash zsh ksh mksh fish csh tcsh busybox python python2 python3 pypy pypy3 node nodejs deno bun tsx ts-node perl ruby irb php " +
    "lua luajit tclsh expect osascript pwsh powershell awk gawk mawk nawk Rscript julia ghci scala groovy jshell"
  ).split(" "),
);
/** Programs that run the command that follows, or one of their own making. */
const RUNNERS = new Set(
  (
    "env xargs sudo doas su pkexec runuser watch entr parallel ssh eval exec source . chroot unshare nsenter strace ltrace gdb script screen tmux " +
    "at batch systemd-run flock npx bunx pnpx uvx pipx make gmake just docker podman kubectl"
  ).split(" "),
);
/** Options that hand an interpreter its program. */
const INLINE = new Set(["-c", "-e", "-E", "-p", "--eval", "--print", "-lc", "-r", "-ic"]);

/** What is odd about the pattern of a command rule, taken by itself. */
export function commandFindings({ words, whole }: CommandPattern, { effect, workspace, exists }: CommandLint): readonly Remark[] {
  const [program = null, ...rest] = words;
  if (program === null) {
    if (effect !== "allow") return [];
    return [{ level: "warning", code: "too_wide", why: "it allows every program", instead: "a rule for each program that is meant" }];
  }
  const never = neverMatches(program);
  if (never) return [never];
  const remarks: Remark[] = [];
  if (exists && program.includes("/") && !exists(program.startsWith("/") ? program : `${workspace}/${program}`))
    remarks.push({ level: "warning", code: "no_such_program", why: `there is no file ${program} now` });
  const wide = effect === "allow" ? tooWide(program, rest, whole) : null;
  if (wide) remarks.push(wide);
  const option = effect === "allow" || whole ? undefined : rest.find((word) => word?.startsWith("-"));
  if (typeof option === "string") remarks.push(onlyAtBeginning(program, rest, { option, effect }));
  if (rest.length > 0 && rest.at(-1) === null && !whole) {
    const shorter = patternText([program, ...rest.slice(0, -1)]);
    const why = `* is exactly one word, and more may follow anyway: it says the same as ${shorter}, but not for ${shorter} alone`;
    remarks.push({ level: "hint", code: "star_is_one_word", why, instead: shorter });
  }
  return remarks;
}

/** A rule that forbids an option forbids it in one place and spelling, which is seldom what is meant. */
function onlyAtBeginning(
  program: string,
  rest: readonly (string | null)[],
  { option, effect }: { readonly option: string; readonly effect: "ask" | "deny" | "allow" },
): Remark {
  const before = [program, ...rest.slice(0, rest.indexOf(option))];
  const other = `${before.map((word) => word ?? "*").join(" ")} x ${option}`;
  return {
    level: "warning",
    code: "only_at_the_beginning",
    why: `it speaks of commands that begin so: ${option} behind other words, as in ${other}, or spelled in another way, is none of them`,
    instead: `${patternText(before)} to ${effect} all of it, with whatever options`,
  };
}

/** What can be no name of a program. */
function neverMatches(program: string): Remark | null {
  const never = (why: string, instead?: string): Remark => ({
    level: "warning",
    code: "never_matches",
    why,
    ...(instead ? { instead } : {}),
  });
  if (/^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(program))
    return never("an assignment before a command is no word of it", "the command without it");
  if (/[\s|&;<>()]/.test(program) && !program.includes("/"))
    return never("its first word is the name of a program, and no program is called so; words are quoted one by one", quotedApart(program));
  if (program === "") return never("no program has an empty name");
  return null;
}

function quotedApart(program: string): string | undefined {
  return /^[\w./-]+(?: [\w./:=-]+)+$/.test(program) ? `command(${program})` : undefined;
}

function tooWide(program: string, rest: readonly (string | null)[], whole: boolean): Remark | null {
  const name = program.slice(program.lastIndexOf("/") + 1).replace(/(?<=python|php|perl|ruby|lua)\d+(?:\.\d+)*$/, "");
  const [first] = rest;
  const isInline = typeof first === "string" && INLINE.has(first) && typeof (rest[1] ?? null) !== "string";
  const isOpen = (rest.length === 0 && !whole) || first === null || isInline;
  if (!isOpen) return null;
  if (INTERPRETERS.has(name)) {
    const instead = `command(${quoteWord(program)} scripts/check …) for the one script that is meant`;
    return { level: "warning", code: "too_wide", why: `${name} runs whatever it is given`, instead };
  }
  if (!RUNNERS.has(name)) return null;
  const why = `${name} runs other commands, and not all that it can be told to run is seen`;
  return { level: "warning", code: "too_wide", why, instead: "a rule for the very command that it is to run" };
}

function patternText(words: readonly (string | null)[]): string {
  return `command(${words.map((word) => (word === null ? "*" : quoteWord(word))).join(" ")})`;
}
