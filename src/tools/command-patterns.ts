import { fail, isFailure } from "../base/fail.ts";
import { withoutLeadingOptions } from "../base/leading-options.ts";
import { type CommandPattern, matchCommand, parseCommandPattern, quoteWord } from "../base/words.ts";

/** A pattern of arguments as written, and as it is compared. */
export interface GrantPattern {
  readonly text: string;
  /** Over the program and its arguments; the first word stands for the program. */
  readonly pattern: CommandPattern;
}

/** What arguments a grant lets through. */
export interface ArgumentRules {
  readonly command: string;
  /** `null`: all. */
  readonly allow: readonly GrantPattern[] | null;
  readonly deny: readonly GrantPattern[];
}

/** In the grammar of `parseCommandPattern`, without the program. Kind: invalid_args (`option`, `pattern`, `reason`). */
export function grantPatterns(texts: readonly string[], option: "allow" | "deny"): readonly GrantPattern[] {
  if (!Array.isArray(texts)) throw fail("invalid_args", `command(): ${option} is a list of patterns`, { option });
  return texts.map((text: unknown) => {
    if (typeof text !== "string" || text.trim() === "") {
      throw fail("invalid_args", `command(): a pattern of ${option} is empty; $ stands for no arguments`, { option, reason: "empty" });
    }
    try {
      return { text, pattern: parseCommandPattern(`* ${text}`) };
    } catch (error) {
      if (!isFailure(error)) throw error;
      throw fail("invalid_args", `command(): ${option}: ${error.message}`, { ...error.details, option, pattern: text });
    }
  });
}

/** Kind: permission_denied (`reason`: `denied_by_grant` with the `pattern`, or `not_in_grant` with the patterns of `allow`). */
export function refuseOutsideGrant(args: readonly string[], { command, allow, deny }: ArgumentRules): void {
  const argv = [command, ...args];
  const what = shown(argv);
  const forms = withoutLeadingOptions(argv);
  const denying = deny.find(({ pattern }) => forms.some((form) => matchCommand(pattern, form.argv)));
  if (denying) {
    const details = { reason: "denied_by_grant", program: command, pattern: denying.text };
    throw fail("permission_denied", `the grant of ${command} denies \`${denying.text}\`, and so ${what}; no rule lifts that`, details);
  }
  if (allow === null || allow.some(({ pattern }) => matchCommand(pattern, argv))) return;
  const texts = allow.map(({ text }) => text);
  const list = texts.length === 0 ? "nothing" : texts.map((text) => `\`${text}\``).join(", ");
  throw fail(
    "permission_denied",
    `the grant of ${command} does not cover ${what}; it covers arguments that begin with ${list}, and no rule adds to it`,
    {
      reason: "not_in_grant",
      program: command,
      allow: texts,
    },
  );
}

const MAX_SHOWN = 200;

function shown(argv: readonly string[]): string {
  const text = argv.map(quoteWord).join(" ");
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
