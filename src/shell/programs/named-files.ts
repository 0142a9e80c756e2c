import type { LeftOut, Program } from "../doing.ts";
import { type GivenOption, type OptionNames, parseOptions } from "../options.ts";
import { type PlainProgram, plainProgram } from "../program.ts";
import { knownWord, type Word } from "../word.ts";
import { given } from "./given.ts";
import { plainGlobs } from "./plain-globs.ts";

/** Which files below its folders a program reads and lists, when it can be told by wildcards. */
export interface NamedFiles {
  /** `null`: any. */
  readonly only: (options: readonly GivenOption[]) => readonly string[] | null;
  /** What it leaves out below its folders, when it follows no links; `null`: nothing that is certain. */
  readonly except: (options: readonly GivenOption[]) => LeftOut | null;
  /** Whether the first operand is what it looks for, and no file. */
  readonly hasPattern: (options: readonly GivenOption[]) => boolean;
}

/** A plain program of which `only` and `except` are said. A file that is an operand is read and listed whatever its name is. */
export function plainProgramOfNamed(spec: PlainProgram, { only, except, hasPattern }: NamedFiles): Program {
  const plain = plainProgram(spec);
  const names: OptionNames = {
    ...spec,
    values: Object.keys(spec.values ?? {}).join(" "),
    optional: Object.keys(spec.optional ?? {}).join(" "),
  };
  const program: Program = (invocation) => {
    const doing = plain(invocation);
    const parsed = parseOptions(invocation.args, names);
    const leftOut = doing.sure === "declared" && parsed.ok ? except(parsed.options) : null;
    if (leftOut === null) return doing;
    const files = doing.files.map((use) => (use.access === "read" && use.tree && !use.follows ? { ...use, except: leftOut } : use));
    return { ...doing, files };
  };
  return (invocation) => {
    const doing = program(invocation);
    const parsed = parseOptions(invocation.args, names);
    const globs = doing.sure === "declared" && parsed.ok ? only(parsed.options) : null;
    if (!parsed.ok || globs === null) return doing;
    const files = doing.files.map((use) => (use.access === "read" && use.tree ? { ...use, only: globs } : use));
    const operands = hasPattern(parsed.options) ? parsed.operands.slice(1) : parsed.operands;
    const own = operands.map(ownName);
    const isFollowing = spec.follows !== undefined && given(parsed.options, spec.follows);
    const { prints } = doing;
    // a link that is followed may lead to any name
    if (prints?.kind !== "paths" || isFollowing || own.includes(null)) return { ...doing, files };
    return { ...doing, files, prints: { ...prints, only: [...globs, ...own.flatMap((name) => name ?? [])] } };
  };
}

/** The name under which an operand itself is listed if it is a file; none of a folder, `null`: not known. */
function ownName(word: Word): readonly string[] | null {
  if (!word.known) return null;
  const name = word.value.replace(/\/+$/, "").replace(/^.*\//s, "");
  return /^\.{0,2}$/.test(name) ? [] : plainGlobs([knownWord(name)]);
}
