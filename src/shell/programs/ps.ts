import { type Doing, declared, open, type Program } from "../doing.ts";
import type { Word } from "../word.ts";

/** Letters of the options of UNIX, with a dash, that take no value. */
const DASHED = /^-[aAcdefFHjlLMNTwy]+$/;

/** Letters without a dash: `e`, which shows the variables of other processes, and so their secrets, is none of them. */
const PLAIN = /^[acfgHhjlLmnrSTuvwxX]+$/;

/** Options whose value stands in the same word or the next; a list of columns is looked at. */
const VALUED =
  /^(-[aAcdefFHjlLMNTwy]*[CGgopqstUu]|[acfgHhjlLmnrSTuvwxX]*[opqtU]|--(?:cols|columns|format|group|Group|lines|pid|ppid|quick-pid|rows|sid|sort|tty|user|User|width))=?(.*)$/s;

const LONG = /^--(?:cumulative|deselect|forest|headers|headings?|help|info|no-headers?|no-headings?|noheaders?|noheadings?|version)$/;

/**
 * `ps`: prints about processes. What it may not print are their variables: `e` without a dash, `-E`, and columns of that kind. With `-aux` all
 * words are read as without a dash when there is no user of the name `x`, and then an `e` in any of them counts.
 */
export const ps: Program = ({ args }): Doing => {
  const isReadTwice = args.some((word) => /^-auxw*$/.test(textOf(word) ?? ""));
  if (isReadTwice && args.some((word) => /e/i.test(textOf(word) ?? "e"))) return open();
  for (let at = 0; at < args.length; at += 1) {
    const text = textOf(args[at]);
    if (text === null) return open();
    if (DASHED.test(text) || /^-auxw*$/.test(text) || PLAIN.test(text) || LONG.test(text) || /^-?\d+(?:,\d+)*$/.test(text)) continue;
    const [, name = "", attached = ""] = VALUED.exec(text) ?? [];
    if (name === "") return open();
    const isColumns = /^(?:-?[a-zA-Z]*o|--format)$/.test(name);
    const value = attached === "" ? textOf(args[at + 1]) : attached;
    if (attached === "") at += 1;
    // what a dash is followed by can be letters without one, when the options as a whole are no others
    if (attached !== "" && /^-[^-]/.test(name) && !isColumns && /[a-zA-Z]/.test(attached)) return open();
    if (isColumns ? value === null || /env|[^a-zA-Z0-9_,:=% -]/i.test(value) : attached === "" && !args[at]) return open();
  }
  return declared();
};

function textOf(word: Word | undefined): string | null {
  return word?.known ? word.value : null;
}
