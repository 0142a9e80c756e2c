import { fail, isFailure } from "../base/fail.ts";
import { command, type Tool } from "../node.ts";

const EXAMPLES = ["--grant git", "--grant 'git: status; diff; log *'", "--grant 'gh: !auth; !api'"];

/**
 * The tools of the grants, each `PROGRAM` or `PROGRAM: PATTERN; PATTERN`: a pattern says what arguments may begin with, one behind `!` what they
 * must not. Kind: invalid_args (`flag`, `value`).
 */
export function grantedTools(grants: readonly string[]): readonly Tool[] {
  return grants.map((text) => {
    try {
      return grantedTool(text);
    } catch (error) {
      if (!isFailure(error)) throw error;
      const message = error.message.replace(/^command\(\): /, "");
      throw fail(
        "invalid_args",
        `--grant ${JSON.stringify(text)}: ${message}`,
        { ...error.details, ...FLAG, value: text },
        { cause: error },
      );
    }
  });
}

const FLAG = { flag: "--grant", next_actions: EXAMPLES };

function grantedTool(text: string): Tool {
  const { program, allow, deny } = grantParts(text);
  return command({ command: program, deny, ...(allow.length > 0 ? { allow } : {}) });
}

/** What stands after `--grant`, taken apart. Kind: invalid_args. */
export function grantParts(text: string): {
  readonly program: string;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
} {
  const colon = /:(?:\s|$)/.exec(text)?.index;
  if (colon === undefined) return { program: text.trim(), allow: [], deny: [] };
  const patterns = split(text.slice(colon + 1));
  if (patterns.every((pattern) => pattern === "")) throw fail("invalid_args", "behind the colon there is no pattern");
  const deny = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  return { program: text.slice(0, colon).trim(), allow: patterns.filter((pattern) => !pattern.startsWith("!")), deny };
}

/** At each `;` that is not quoted. */
function split(text: string): readonly string[] {
  const parts = text.match(/(?:[^;'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|['"\\])+/g) ?? [];
  return parts.map((part) => part.trim());
}

/** A tool of the command line by its name; `granted` are those of its flags. Two of one name: `invalid_args`. */
export function withGrants(tools: readonly Tool[], granted: readonly Tool[]): readonly Tool[] {
  const names = new Set(tools.map(({ name }) => name));
  for (const { name } of granted) {
    if (names.has(name)) {
      throw fail(
        "invalid_args",
        `--grant: there is a tool "${name}" already; a program can be granted once, and not by the name of another tool`,
        {
          ...FLAG,
          reason: "same_name",
          name,
        },
      );
    }
    names.add(name);
  }
  return [...tools, ...granted];
}
