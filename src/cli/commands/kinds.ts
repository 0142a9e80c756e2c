import type { Command } from "commander";
import { fail } from "../../base/fail.ts";
import type { JsonObject } from "../../base/json.ts";
import { isKind, KINDS, type Kind } from "../../base/kinds.ts";
import { nearestNames } from "../../base/nearest.ts";
import type { CommandContext } from "../command-context.ts";
import { commonFlags, withCommonFlags } from "../common-flags.ts";
import type { Colors } from "../output.ts";
import { wrapWords } from "../view/wrap-words.ts";

/** `collet kinds [KIND]`: the closed table of ways to fail. */
export function defineKinds(program: Command, { terminal: { out } }: CommandContext): void {
  const command = program
    .command("kinds")
    .description("the ways in which a call, turn or command can fail")
    .argument("[kind]", "show this one only");
  withCommonFlags(command, { defaultMode: null })
    .addHelpText("after", EXAMPLES)
    .action(async (kind: string | undefined) => {
      const { json } = commonFlags(command);
      const names = kind === undefined ? KIND_NAMES : [known(kind)];
      if (json) {
        const rows = names.map(asJson);
        await out.write(`${JSON.stringify(kind === undefined ? { ok: true, kinds: rows } : { ok: true, ...rows[0] })}\n`);
        return;
      }
      const text = kind === undefined ? tableText(out.colors) : names.map((name) => kindText(name, out.colors)).join("");
      await out.write(wrapWords(text, out.columns()));
    });
}

const EXAMPLES = `
Examples:
  collet kinds                  the whole table
  collet kinds not_unique       one kind, with what it means and who can put it right
  collet kinds --json           for programs, which branch on kinds and never on messages`;

// the table's keys are the kinds
const KIND_NAMES = Object.keys(KINDS) as Kind[];

const FIXED_BY = {
  model: "the model, by another call",
  user: "the user",
  host: "the program that runs Collet",
  collet: "Collet's authors",
};

function known(name: string): Kind {
  if (isKind(name)) return name;
  const nearest = nearestNames(name, KIND_NAMES);
  const hint = nearest.length > 0 ? `; did you mean ${nearest.join(" or ")}?` : "";
  throw fail("invalid_args", `there is no kind "${name}"${hint}`, { value: name, nearest, next_actions: ["collet kinds"] });
}

function asJson(name: Kind): JsonObject {
  const { origin, fixedBy, retryable, exit, means, ...rest } = KINDS[name];
  return { kind: name, origin, fixed_by: fixedBy, retryable, exit, added: "added" in rest, means };
}

function tableText(colors: Colors): string {
  const width = Math.max(...KIND_NAMES.map((name) => name.length));
  const line = (name: Kind) => `${colors.bold(name.padEnd(width))}  ${String(KINDS[name].exit).padStart(3)}  ${KINDS[name].means}\n`;
  const groups = [...new Set(KIND_NAMES.map((name) => KINDS[name].origin))];
  const text = groups.map((origin) => {
    const names = KIND_NAMES.filter((name) => KINDS[name].origin === origin);
    return `\n${colors.cyan(origin)}\n${names.map(line).join("")}`;
  });
  return `${colors.dim(`${"kind".padEnd(width)}  exit status and meaning`)}${text.join("")}`;
}

function kindText(name: Kind, colors: Colors): string {
  const { origin, fixedBy, retryable, exit, means } = KINDS[name];
  return [
    `${colors.bold(name)}: ${means}`,
    `  exit status   ${exit}`,
    `  comes from    ${origin}`,
    `  to be fixed   by ${FIXED_BY[fixedBy]}`,
    `  try again     ${retryable ? "yes, the same call may succeed later" : "no, the same call fails again"}`,
    "",
  ].join("\n");
}
