import { type Doing, declared, type FileUse, type Input, type Invocation, open, type Program, type Run } from "./doing.ts";
import { type GivenOption, type OptionNames, parseOptions } from "./options.ts";
import { seenOptions } from "./seen-options.ts";
import { knownWord, type Word } from "./word.ts";

/**
 * What a value or an operand is to the program. `folder`: the content of all below it is read. `stat`, `names`: of it, or of all below it,
 * only names, types, sizes and times. `new_tree`: anything below it may be written.
 */
export type Role = "text" | "read" | "stat" | "names" | "write" | "delete" | "folder" | "new_tree" | "delete_tree";

/** A program whose options and operands each mean one thing, wherever they stand. What is not in it makes the call `open`. */
export interface PlainProgram extends Omit<OptionNames, "values" | "optional"> {
  /** By names such as `-o --output`: what the option's value is. */
  readonly values?: Readonly<Record<string, Role>>;
  /** The same for options whose value stands in the same word or is left out. */
  readonly optional?: Readonly<Record<string, Role>>;
  /** What each operand is, or the first, the second …, the last of the list for all that follow; `none`: with one it is `open`. Default `text`. */
  readonly operands?: Role | readonly Role[] | "none";
  /** Options that make it `open`, with what the value of each is all the same: a file, or a command that it runs. */
  readonly opening?: Readonly<Record<string, Role | ((value: Word) => Run)>>;
  /** What it looks at when no operand stands in the last role, such as `.` for `ls`. */
  readonly withoutOperands?: string;
  /** Options that make an operand stand for all below it: `read` becomes `folder`, `stat` `names` and so on; such as `-r` of `grep`. */
  readonly recursive?: string;
  /** Options with which it follows links that it finds below a folder. */
  readonly follows?: string;
  /** True when every version takes options behind operands. Default false: some end the options at the first operand. */
  readonly permutes?: boolean;
  /** What is otherwise with certain options: with `-e` the first operand of `grep` is no pattern. */
  readonly byOptions?: (options: readonly GivenOption[], stdin: Input) => Partial<Pick<PlainProgram, "operands" | "withoutOperands">>;
  /** A last look: what the roles cannot say, such as `open()` for two options together. `null`: what the roles say holds. */
  readonly unless?: (options: readonly GivenOption[], operands: readonly Word[]) => Doing | null;
  /** What its standard output surely holds. */
  readonly prints?: (call: PlainCall) => Input | undefined;
}

/** A call of a plain program that holds nothing unknown. */
export interface PlainCall {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Word[];
  readonly stdin: Input;
}

const WHOLE: Readonly<Partial<Record<Role, Role>>> = { read: "folder", stat: "names", write: "new_tree", delete: "delete_tree" };

/**
 * A row of the table from the options of a program. `-` as a file is standard input or output, and no effect. When it is `open`, the files
 * that can be seen in its words are told all the same.
 */
export function plainProgram(spec: PlainProgram): Program {
  const { values = {}, optional = {}, opening = {} } = spec;
  const names: OptionNames = { ...spec, values: Object.keys(values).join(" "), optional: Object.keys(optional).join(" ") };
  const seen: OptionNames = { ...names, values: [...Object.keys(values), ...Object.keys(opening)].join(" ") };
  return ({ args, stdin }: Invocation): Doing => {
    const parsed = parseOptions(args, names);
    const { options, operands } = parsed.ok ? parsed : seenOptions(args, seen);
    const other = parsed.ok ? (spec.unless?.(options, operands) ?? null) : open();
    if (other?.sure === "declared") return other;
    const { operands: wanted = "text", withoutOperands } = { ...spec, ...spec.byOptions?.(options, stdin) };
    if (wanted === "none" && operands.length > 0) return open();
    const isAmong = (list = ""): boolean => options.some(({ name }) => list.split(" ").includes(name));
    const isRecursive = isAmong(spec.recursive);
    const roles = rolesOf(wanted).map((role) => (isRecursive ? (WHOLE[role] ?? role) : role));
    const last = roles.at(-1) ?? "text";
    const uses = [
      ...options.flatMap((option) => optionUses(option, { role: roleOf(option.name, { ...opening, ...values, ...optional }), last, spec })),
      ...(operands.length < roles.length && withoutOperands !== undefined ? fileUses(last, knownWord(withoutOperands)) : []),
      ...operandUses(operands, roles),
      ...(parsed.ok ? [] : operands.flatMap((word) => roles.filter(isReading).flatMap((role) => fileUses(role, word)))),
    ];
    const files = isAmong(spec.follows) ? uses.map((use) => (use.tree ? { ...use, follows: true as const } : use)) : uses;
    if (other) return { ...other, files: [...other.files, ...seenFiles(files)], runs: [...other.runs, ...runsOf(options, opening)] };
    const prints = spec.prints?.({ options, operands, stdin });
    return declared(prints === undefined ? { files } : { files, prints });
  };
}

function runsOf(options: readonly GivenOption[], opening: NonNullable<PlainProgram["opening"]>): readonly Run[] {
  return Object.entries(opening).flatMap(([names, run]) =>
    options.flatMap(({ name, value }) =>
      typeof run === "function" && value !== null && names.split(" ").includes(name) ? [run(value)] : [],
    ),
  );
}

/** Which operand is read cannot be told where an option may have a value. */
function isReading(role: Role): boolean {
  return role === "read" || role === "folder";
}

/** Of what an `open` program uses, what is known by its path, each once. */
export function seenFiles(files: readonly FileUse[]): readonly FileUse[] {
  const known = files.filter(({ path }) => path.known || path.below !== undefined);
  return [...new Map(known.map((use) => [JSON.stringify(use), use])).values()];
}

function rolesOf(operands: NonNullable<PlainProgram["operands"]>): readonly Role[] {
  if (operands === "none") return ["text"];
  return typeof operands === "string" ? [operands] : operands;
}

/** The uses of a file that a word in this role stands for. */
export function fileUses(role: Role, path: Word): readonly FileUse[] {
  if (role === "text" || (path.known && (path.value === "-" || path.value === ""))) return [];
  switch (role) {
    case "folder":
      return [{ access: "read", path, tree: true }];
    case "names":
      return [{ access: "stat", path, tree: true }];
    case "new_tree":
      return [{ access: "write", path, tree: true }];
    case "delete_tree":
      return [{ access: "delete", path, tree: true }];
    default:
      return [{ access: role, path }];
  }
}

/** The uses of operands of which the first, the second … have roles of their own; behind a word that may be several, any that is left. */
export function operandUses(operands: readonly Word[], roles: readonly Role[]): readonly FileUse[] {
  const firstLoose = operands.findIndex((word) => !word.known && !word.single);
  return operands.flatMap((word, index) => {
    const from = Math.min(index, roles.length - 1);
    const possible =
      firstLoose >= 0 && index >= firstLoose ? new Set(roles.slice(Math.min(firstLoose, from))) : roles.slice(from, from + 1);
    return [...possible].flatMap((role) => fileUses(role, word));
  });
}

interface OptionRole {
  readonly role: Role;
  /** The role of the operands. */
  readonly last: Role;
  readonly spec: PlainProgram;
}

function optionUses({ value, late }: GivenOption, { role, last, spec }: OptionRole): readonly FileUse[] {
  if (value === null) return [];
  const isNumber = value.known && (!/[a-z_~]/i.test(value.value) || /^\d+[a-z]{1,3}$/i.test(value.value));
  if (role !== "text" || !late || spec.permutes || isNumber) return fileUses(role, value);
  return fileUses(last, value);
}

function roleOf(name: string, roles: NonNullable<PlainProgram["opening"]>): Role {
  const role = Object.entries(roles).find(([names]) => names.split(" ").includes(name))?.[1];
  return typeof role === "string" ? role : "text";
}
