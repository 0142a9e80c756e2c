import { type Doing, declared, type FileUse, type Invocation, open, type Program } from "./doing.ts";
import { type GivenOption, type OptionNames, parseOptions } from "./options.ts";
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
  /** What each operand is; `none`: with one it is `open`. Default `text`. */
  readonly operands?: Role | "none";
  /** What it looks at without operands, such as `.` for `ls`. */
  readonly withoutOperands?: string;
  /** Options that make every operand a `folder`, such as `-r` of `grep`. */
  readonly recursive?: string;
  /** A last look: what the roles cannot say, such as `open()` for two options together. `null`: what the roles say holds. */
  readonly unless?: (options: readonly GivenOption[], operands: readonly Word[]) => Doing | null;
}

/** A row of the table from the options of a program. `-` as a file is standard input or output, and no effect. */
export function plainProgram(spec: PlainProgram): Program {
  const { values = {}, optional = {}, operands: role = "text", recursive = "" } = spec;
  const names: OptionNames = { ...spec, values: Object.keys(values).join(" "), optional: Object.keys(optional).join(" ") };
  return ({ args }: Invocation): Doing => {
    const parsed = parseOptions(args, names);
    if (!parsed.ok) return open();
    const { options, operands } = parsed;
    const other = spec.unless?.(options, operands) ?? null;
    if (other !== null) return other;
    if (role === "none" && operands.length > 0) return open();
    const isRecursive = options.some(({ name }) => recursive.split(" ").includes(name));
    const operandRole: Role = role === "none" ? "text" : isRecursive && role === "read" ? "folder" : role;
    const given = operands.length === 0 && spec.withoutOperands !== undefined ? [knownWord(spec.withoutOperands)] : operands;
    const files = [
      ...options.flatMap(({ name, value }) => (value === null ? [] : fileUses(roleOf(name, { ...values, ...optional }), value))),
      ...given.flatMap((word) => fileUses(operandRole, word)),
    ];
    return declared({ files });
  };
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

function roleOf(name: string, roles: Readonly<Record<string, Role>>): Role {
  return Object.entries(roles).find(([names]) => names.split(" ").includes(name))?.[1] ?? "text";
}
