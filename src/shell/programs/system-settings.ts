/** Programs that tell about processes by name, mounts, addresses and settings of the kernel, and that can change some of them. */
import { declared, open, type Program } from "../doing.ts";
import { plainProgram } from "../program.ts";
import type { Word } from "../word.ts";
import type { Family } from "./table.ts";

const HELP = "--help --version";

/** Only what is shown, without names of hosts, which are asked for at a name server: an object, perhaps with a verb that shows and the name of a device. */
const ip: Program = ({ args }) => {
  const words = args.map((word) => (word.known ? word.value : ""));
  const at = words.findIndex((word) => !/^-(?:[046cdhjopst]|br|brief|color|details?|human|json|oneline|pretty|statistics)$/.test(word));
  const [object = "", verb = "show", ...rest] = at === -1 ? [] : words.slice(at);
  const isShown =
    /^(?:a|addr|address|l|link|r|ro|route|n|neigh|ru|rule|m|maddr)$/.test(object) && /^(?:s|sh|show|l|ls|list|lst)$/.test(verb);
  return isShown && (rest.length === 0 || areNames(rest)) ? declared() : open();
};

function areNames(words: readonly string[]): boolean {
  const [first, second, more] = words;
  if (more !== undefined) return false;
  return second === undefined ? /^(?!dev$)[\w.@:-]+$/.test(first ?? "") : first === "dev" && /^[\w.@:-]+$/.test(second);
}

/** With a value for a name it writes. */
const sysctl = plainProgram({
  flags: `-a -A -e -n -N --all --ignore --names --values ${HELP}`,
  unless: (_, operands) => (operands.every((word) => word.known && /^[\w./:-]+$/.test(word.value)) ? null : open()),
});

const isOnly =
  (form: RegExp): Program =>
  ({ args }) =>
    args.every((word: Word) => word.known && form.test(word.value)) ? declared() : open();

export const SYSTEM_SETTINGS: Family = {
  ip,
  sysctl,
  // it asks a name server with -d, and reads other lists with -f
  last: plainProgram({
    flags: `-a -F -i -R -w -x --fulltimes --fullnames --hostlast --ip --nohostname --system ${HELP}`,
    values: { "-n -p -s -t --limit --present --since --until --time-format": "text" },
    special: /^-\d+$/,
  }),
  mount: isOnly(/^(?:-l|--show-labels|--help|--version|-V|-h)$/),
  ifconfig: isOnly(/^(?:-a|-s|-v)$/),
  findmnt: plainProgram({
    flags: `-a -A -b -D -e -f -i -J -k -l -m -n -P -r -R -u -U -v --all --bytes --df --json --kernel --list --noheadings --real --submounts ${HELP}`,
    values: { "-o -O -t --options --output --types": "text", "-M -S -T --mountpoint --source --target": "stat" },
    operands: "stat",
  }),
  pidof: plainProgram({ flags: `-c -q -s -w -x ${HELP}`, values: { "-o -S": "text" } }),
  pstree: plainProgram({ flags: "-a -A -c -g -h -l -n -p -s -t -T -u -U -V -Z", values: { "-H -N": "text" } }),
};
