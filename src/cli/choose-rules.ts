import { showLine } from "../base/show.ts";
import type { Answer, Question } from "../node.ts";
import { confirm } from "./confirm.ts";
import type { Keyboard } from "./keyboard.ts";
import { type Asking, type Left, press } from "./question-keys.ts";
import { showPages } from "./show-pages.ts";
import { ruleMeaning } from "./view/rule-meaning.ts";

export interface ChooseRulesOptions extends Asking {
  readonly keyboard: Keyboard;
  /** Breaks lines that are wider than the screen. */
  readonly wrap: (text: string) => string;
}

type Remember = NonNullable<Extract<Answer, { answer: "allow" }>["remember"]>;
type Scope = Remember["scope"];

/** Wider rules with a key of their own: one digit. */
const MAX_NUMBER = 9;
const WHERE: Readonly<Record<Scope, string>> = {
  session: "for this session: in memory, until it ends",
  workspace: "for this workspace: in the state folder, for later sessions too",
};
const BACK = { key: "escape", label: "[Esc] back", help: "Esc to go back" } as const;
const BACK_HELP = "Esc    back to the question";
const INTERRUPT_HELP = "Ctrl-C the whole turn ends";

/**
 * Lets a person choose which of the offered rules are kept, and where: the narrowest set, which suffices, or wider ones in the place of those
 * that they cover. What is kept is shown once more, whole, before it is confirmed. `back`: to the question.
 */
export async function chooseRules(question: Question, options: ChooseRulesOptions): Promise<Remember | "back" | Left> {
  const { offers, narrowest, covers } = question;
  const wider = offers.slice(narrowest, Math.max(narrowest, MAX_NUMBER));
  const chosen = new Set<string>();
  for (;;) {
    const needless = new Set([...chosen].flatMap((rule) => covers[rule] ?? []));
    const rules = [...offers.slice(0, narrowest).filter((rule) => !needless.has(rule)), ...wider.filter((rule) => chosen.has(rule))];
    const listed = await pages(listText(question, wider, new Set(rules)), options);
    if (listed !== "end") return listed === "way" ? "back" : listed;
    const picked = await pick(question, wider, options);
    if (picked === "back" || picked === "interrupt" || picked === "gone") return picked;
    if (picked === "session" || picked === "workspace") {
      const confirmed = await confirmKept({ rules, scope: picked }, options);
      if (confirmed !== "again") return confirmed;
    } else if (!chosen.delete(picked.rule)) chosen.add(picked.rule);
    await options.screen.write("\n");
  }
}

function listText({ offers, narrowest }: Question, wider: readonly string[], kept: ReadonlySet<string>): string {
  const line = (rule: string, number: number, note: string) =>
    `  ${String(number).padStart(2)} ${kept.has(rule) ? "*" : " "} ${showLine(rule)}\n         ${ruleMeaning(rule)}${kept.has(rule) ? "" : note}`;
  return [
    "Rules to keep (* is chosen):",
    ...offers.slice(0, narrowest).map((rule, index) => line(rule, index + 1, " (a wider one covers it)")),
    ...(wider.length > 0 ? ["wider:"] : []),
    ...wider.map((rule, index) => line(rule, narrowest + index + 1, "")),
  ].join("\n");
}

type Picked = "back" | Scope | { readonly rule: string };

async function pick(
  { scopes, narrowest }: Question,
  wider: readonly string[],
  { keyboard, screen, signal }: ChooseRulesOptions,
): Promise<Picked | Left> {
  const numbers = wider.map((_, index) => String(narrowest + index + 1)).filter((number) => number.length === 1);
  const labels = scopes.map((scope) => (scope === "session" ? "[s] session" : "[w] workspace"));
  const range = numbers.length === 1 ? `${numbers[0]}` : `${numbers[0]}-${numbers.at(-1)}`;
  const keys: Record<string, string> = { escape: "back", b: "back" };
  for (const scope of scopes) keys[scope === "session" ? "s" : "w"] = scope;
  for (const number of numbers) keys[number] = number;
  const pressed = await press({
    keyboard,
    screen,
    signal,
    prompt: [...labels, ...(numbers.length > 0 ? [`[${range}] wider`] : []), "[Esc] back", "[?] help"].join("   "),
    keys,
    hint: `press ${scopes.map((scope) => (scope === "session" ? "s" : "w")).join(" or ")}, or Esc to go back`,
    help: [
      ...scopes.map((scope) => `${scope === "session" ? "s" : "w"}      keep the chosen rules ${WHERE[scope]}`),
      ...(numbers.length > 0
        ? [`${range.padEnd(6)} choose a wider rule, or leave it out again; it takes the place of those that it covers`]
        : []),
      BACK_HELP,
      INTERRUPT_HELP,
    ],
  });
  await screen.write("\n");
  if (pressed === "interrupt" || pressed === "gone" || pressed === "back" || pressed === "session" || pressed === "workspace")
    return pressed;
  const rule = wider[Number(pressed) - narrowest - 1];
  return rule === undefined ? "back" : { rule };
}

/** `again`: the list once more. */
async function confirmKept(remember: Remember, options: ChooseRulesOptions): Promise<Remember | "again" | Left> {
  const { wrap, ...asking } = options;
  const text = [`Kept ${WHERE[remember.scope]}:`, ...remember.rules.map((rule) => `  ${showLine(rule)}`)].join("\n");
  const answer = await confirm({
    ...asking,
    lines: wrap(text).split("\n"),
    way: BACK,
    alsoNo: ["b", "n"],
    prompt: "[y] keep them and allow   [Esc] back   [?] help",
    hint: "press y, or Esc to go back",
    help: ["y      the rules are kept, and this call runs", "Esc    back to the list", INTERRUPT_HELP],
  });
  if (answer === "yes") return remember;
  return answer === "no" ? "again" : answer;
}

function pages(text: string, { keyboard, screen, signal, wrap }: ChooseRulesOptions) {
  const lines = wrap(text).split("\n");
  return showPages({ keyboard, screen, signal, lines, way: BACK, help: ["space  the next page", BACK_HELP, INTERRUPT_HELP] });
}
