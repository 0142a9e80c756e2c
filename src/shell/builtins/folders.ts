import { declared } from "../doing.ts";
import { placesOf } from "../file-effects.ts";
import type { Machine } from "../machine.ts";
import { type Flow, flowOf, joinFolders, PRINTS_ANYTHING, type State } from "../state.ts";
import { knownWord, type Word } from "../word.ts";
import { type Builtin, type BuiltinCall, type BuiltinDoing, type Builtins, plain } from "./builtin.ts";

/** Goes to one of these folders, or to nobody knows which. */
function goTo(target: Word | null, { state, machine }: BuiltinCall): BuiltinDoing {
  return {
    doing: declared(),
    after: async () => {
      const places = target?.known ? placesOf(target.value, state) : null;
      const found = places && (await foldersAt(places, state, machine));
      const ok = state.copy();
      ok.folders = found?.folders ?? null;
      ok.previous = state.folders;
      machine.everFolders = joinFolders(machine.everFolders, ok.folders);
      // `cd` prints where it goes when it looks for it by CDPATH or `-`
      return { ok, bad: found?.isSure ? ok : state, prints: target?.known ? { kind: "empty" } : PRINTS_ANYTHING } satisfies Flow;
    },
  };
}

/** The same, and prints where. */
function goBack(target: Word | null, call: BuiltinCall): BuiltinDoing {
  const going = goTo(target, call);
  return { ...going, after: async () => ({ ...((await going.after?.()) ?? flowOf(call.state)), prints: PRINTS_ANYTHING }) };
}

/** Bash goes by names: `..` takes away the last one, links or not; where that leads nowhere, it goes as the system does. */
async function foldersAt(places: readonly string[], state: State, machine: Machine) {
  const folders: string[] = [];
  let isSure = !state.stale;
  for (const place of places) {
    const byName = withoutDots(place);
    const kind = await machine.look.kind(byName);
    folders.push(byName);
    if (kind === "folder") continue;
    isSure = false;
    if (`${place}/`.includes("/../")) folders.push(place);
  }
  return { folders: folders.length > 8 ? null : folders, isSure };
}

function withoutDots(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

const cd: Builtin = (call) => {
  const { state } = call;
  const [target, ...more] = operands(call.args, /^-[LPe@]+$/) ?? [null];
  if (target === null || more.length > 0) return goTo(null, call);
  if (target === undefined) {
    const home = state.get("HOME");
    const [only] = home.kind === "scalar" && !home.unset ? home.options : [];
    return goTo(home.kind === "scalar" && home.options.length === 1 ? (only ?? null) : null, call);
  }
  // nowhere, and so it stays
  if (target.known && target.value === "") return plain({ prints: { kind: "empty" } });
  if (target.known && target.value === "-") {
    const [only, other] = state.previous ?? [];
    return goBack(only !== undefined && other === undefined ? knownWord(only) : null, call);
  }
  return goTo(target.known ? target : null, call);
};

const pushd: Builtin = (call) => {
  const [target, ...more] = operands(call.args, /^$/) ?? [null];
  const isPlain = target?.known && target.value !== "-" && !/^[-+]/.test(target.value) && more.length === 0;
  return goBack(isPlain ? target : null, call);
};

const pwd: Builtin = ({ args, state }) => {
  const [only] = state.folders ?? [];
  const isPlain = args.length === 0 && state.folders?.length === 1 && only !== undefined;
  return plain(isPlain ? { prints: { kind: "text", text: `${only}\n` } } : {});
};

/** The words behind the options; `null` where a word may be another option. */
function operands(args: readonly Word[], options: RegExp): readonly Word[] | null {
  const at = args.findIndex((word) => !(word.known && options.test(word.value)));
  if (at < 0) return [];
  const [first] = args.slice(at);
  if (first?.known && first.value === "--") return args.slice(at + 1);
  if (first && !first.known && !/^[^-]/.test(first.prefix)) return null;
  return first?.known && /^-./.test(first.value) ? null : args.slice(at);
}

export const FOLDERS: Builtins = {
  cd,
  pushd,
  // from a list that is not kept here
  popd: (call) => goTo(null, call),
  dirs: () => plain(),
  pwd,
};
