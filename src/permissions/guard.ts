/**
 * The evidence guard: paths that an agent must not touch, or only when a rule names them, whatever the mode. One table, a reason a row.
 * Judged on the real path and on every other guarded name of the same file, without regard to case and to characters that some file
 * systems take for others or leave out.
 */
import type { FileEffect } from "../base/effect.ts";
import { isWithin, namesBelow } from "../base/real-path.ts";
import type { Policy } from "./policy.ts";
import { ruleNames } from "./rule-match.ts";

/** Why an effect is refused. */
export interface GuardRefusal {
  readonly path: string;
  /** The row: what it is, and why it is guarded. */
  readonly what: string;
  readonly why: string;
  /** True when a rule that spells the guarded name would let it through. */
  readonly canBeNamed: boolean;
  /** What there is to be done where no rule helps. */
  readonly instead?: string;
}

interface Row {
  readonly what: string;
  readonly why: string;
}

/** Beats every rule. */
interface NeverRow extends Row {
  readonly forbids: "any" | "change";
  /** What a person or the model can do in its place. */
  readonly instead: string;
  /** Places that are guarded with all that lies in them. */
  readonly places?: (policy: Policy) => readonly (string | null)[];
  /** A folded name that is guarded wherever it stands, with all that lies below it. */
  readonly name?: RegExp;
}

/** Read, written or deleted only when a rule names it. */
interface NamedRow extends Row {
  /** True for what programs log in with, or a person keeps to themselves: to read it gives it away. */
  readonly secret?: true;
  /** Folded names, one after the other. The group in the first is what a rule has to spell. */
  readonly names: readonly [RegExp, ...RegExp[]];
  /** True where the folder holds so much else that it is not guarded itself. */
  readonly isShared?: true;
}

const NEVER: readonly NeverRow[] = [
  {
    what: "the configuration folder",
    why: "it holds the rules and the credentials",
    forbids: "any",
    instead: "collet policy show tells the rules, and a person changes them outside Collet",
    places: ({ configDir }) => [configDir],
  },
  {
    what: "the state folder",
    why: "it holds the logs and approvals of every session",
    forbids: "any",
    instead: "collet sessions show tells what is in the logs",
    places: ({ stateDir }) => [stateDir],
  },
  {
    what: "the inside of .git",
    why: "hooks and settings in it make git run commands, and its history is the evidence of what was done",
    forbids: "change",
    instead: "git's own commands keep it, such as git commit, and a person changes the rest outside Collet",
    // the second is what a disk with short names calls it; a file of this name points git to another folder
    name: /^(?:\.git(?:[ .]*|:.*)|git~1)$/,
    places: ({ gitDirs }) => gitDirs,
  },
];

const NAMED: readonly NamedRow[] = [
  { what: "Collet's folder in a workspace", why: "it holds what a person decided for this workspace", names: [/^(\.collet)$/] },
  {
    secret: true,
    what: "an environment file",
    why: "it holds secrets",
    names: [/^(\.env)(?:$|\.(?!(?:.*\.)?(?:example|sample|template)$))/],
  },
  {
    secret: true,
    what: "an environment file of direnv",
    why: "it holds secrets and is run on entering the folder",
    names: [/^(\.envrc)$/],
  },
  {
    secret: true,
    what: "a private key",
    why: "whoever has it is the user",
    names: [/^(id_(?:rsa|dsa|ecdsa|ed25519|xmss))(?:_sk)?(?:$|[._-](?!(?:.*\.)?pub$))/],
  },
  { secret: true, what: "a key file", why: "such files hold private keys", names: [/(\.(?:key|p12|pfx|ppk|jks|keystore))$/] },
  // certificates are public, and often carry the same ending
  {
    secret: true,
    what: "a key file",
    why: "such files hold private keys",
    names: [/^(?!.*(?:cert|chain|public|pub|crt|csr))(?!ca[.-]).*(\.pem)$/],
  },
  { secret: true, what: "the folder of ssh", why: "it holds keys, who may log in, and commands to run", names: [/^(\.ssh)$/] },
  { secret: true, what: "the folder of gpg", why: "it holds private keys", names: [/^(\.gnupg)$/] },
  {
    secret: true,
    what: "a file of passwords",
    why: "programs log in with what it holds",
    names: [/^(\.netrc|\.git-credentials|\.pgpass|\.pypirc)$/],
  },
  { secret: true, what: "a file of cloud credentials", why: "programs log in with what it holds", names: [/^(\.aws|\.azure|\.kube)$/] },
  {
    secret: true,
    what: "a file of registry credentials",
    why: "programs log in with what it holds",
    names: [/^(\.docker)$/, /^config\.json$/],
  },
  {
    what: "a start file of a shell",
    why: "the next shell runs it",
    names: [
      /^(\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|z(?:shrc|shenv|profile|login|logout)|(?:m?k|c|tc)shrc|login|logout|inputrc|xprofile|xinitrc|xsession))$/,
    ],
  },
  { what: "a start file of a shell", why: "the next shell runs it", names: [/^(\.config)$/, /^fish$/], isShared: true },
  {
    what: "a task file of an editor",
    why: "the editor runs what it says",
    names: [/^(\.vscode)$/, /^(?:tasks|launch|settings|mcp)\.json$/],
  },
  { what: "a task file of an editor", why: "the editor runs what it says", names: [/(\.(?:code-workspace|sublime-project))$/] },
  {
    what: "a task file of an editor",
    why: "the editor runs what it says",
    names: [/^(\.idea)$/, /^(?:runconfigurations|workspace\.xml|watchertasks\.xml|tools)$/],
  },
  {
    what: "a task file of an editor",
    why: "the editor runs what it says",
    names: [/^(\.(?:zed|fleet|helix|devcontainer|devcontainer\.json))$/],
  },
  { what: "a start file of an editor", why: "the editor runs it", names: [/^(\.(?:exrc|vimrc|nvimrc|nvim\.lua|emacs|dir-locals\.el))$/] },
  {
    what: "settings of an agent",
    why: "the agent runs the hooks and servers that it names",
    names: [/^(\.(?:claude|cursor|gemini|codex))$/, /^(?:settings.*|mcp|hooks|config)\.(?:json|toml)$/],
  },
  { what: "settings of an agent", why: "the agent runs the servers that it names", names: [/^(\.mcp\.json)$/] },
];

/** What is guarded and why, in the order of the table; several rows can be of one kind. For the page about permissions. */
export const GUARDED: readonly Pick<GuardRefusal, "what" | "why">[] = [...NEVER, ...NAMED];

/** True when reading this real path is refused unless a rule names it, and no rule does. Quick for names that no row speaks of. */
export function isGuarded(path: string, policy: Policy): boolean {
  const isPlace = [policy.configDir, policy.stateDir].some((place) => place !== null && isWithinFolded(path, place));
  const { names } = namesToJudge(path, policy);
  if (!isPlace && !names.some((name) => NAMED.some((row) => row.names[0].test(name)))) return false;
  return guardRefusal({ kind: "file.read", sure: "exact", path }, policy) !== null;
}

/** As `isGuarded`, for what is a secret and not only a setting that runs something: what must not be read by the way. */
export function isSecret(path: string, policy: Policy): boolean {
  if (!isGuarded(path, policy)) return false;
  const isPlace = [policy.configDir, policy.stateDir].some((place) => place !== null && isWithinFolded(path, place));
  const { names } = namesToJudge(path, policy);
  return (
    isPlace ||
    names.some((_, at) => NAMED.some((row) => row.secret && row.names.every((each, index) => each.test(names[at + index] ?? ""))))
  );
}

/**
 * True when a rule of this text, as `read(.env*)`, may name what is guarded, and so open it; true also for some that spell too little of a
 * name. Judged by names that its pattern matches.
 */
export function mayOpenGuarded(rule: string): boolean {
  const [, pattern = ""] = /^(?:read|write|delete)\((.*)\)$/s.exec(rule.trim()) ?? [];
  return pattern.split("/").some((segment) =>
    ["", "x", "."].some((run) =>
      ["x", "."].some((one) => {
        const name = foldName(segment.replace(/\*+/g, run).replace(/\[[^\]]*\]|\?/g, one));
        return NAMED.some((row) => row.names[0].test(name));
      }),
    ),
  );
}

/** Why the guard refuses the effect, or `null`. */
export function guardRefusal(effect: FileEffect, policy: Policy): GuardRefusal | null {
  const spill = policy.spillDir();
  for (const path of [effect.path, ...(effect.also ?? [])]) {
    if (effect.kind === "file.read" && spill !== null && isWithin(path, spill)) continue;
    const refusal = neverRefusal(effect, { path, policy }) ?? namedRefusal(effect, { path, policy });
    if (refusal) return refusal;
  }
  return null;
}

interface Judged {
  readonly path: string;
  readonly policy: Policy;
}

function neverRefusal(effect: FileEffect, { path, policy }: Judged): GuardRefusal | null {
  const isRead = effect.kind === "file.read";
  const { names } = namesToJudge(path, policy);
  const row = NEVER.find(({ forbids, places, name }) => {
    if (isRead && forbids === "change") return false;
    if (name && names.some((each) => name.test(each))) return true;
    return (places?.(policy) ?? []).some(
      (place) => place !== null && (isWithinFolded(path, place) || takesWithIt(effect, { path, place, forbids })),
    );
  });
  const taken = row ?? gitTakenAlong(effect, { path, policy });
  return taken ? { path, what: taken.what, why: taken.why, canBeNamed: false, instead: taken.instead } : null;
}

/** A tree that holds the place. Writing somewhere in a tree need not change what is only guarded against change; deleting it does. */
function takesWithIt(effect: FileEffect, { path, place, forbids }: { path: string; place: string; forbids: NeverRow["forbids"] }): boolean {
  return isTree(effect) && (forbids === "any" || effect.kind === "file.delete") && isWithinFolded(place, path);
}

function gitTakenAlong(effect: FileEffect, { path, policy }: Judged): NeverRow | undefined {
  const gitRow = NEVER.find(({ name }) => name);
  return policy.roots.some((root) => takesWithIt(effect, { path, place: `${root}/.git`, forbids: "change" })) ? gitRow : undefined;
}

function namedRefusal(effect: FileEffect, { path, policy }: Judged): GuardRefusal | null {
  const { names, above } = namesToJudge(path, policy);
  for (const [at, name] of names.entries()) {
    for (const row of NAMED) {
      const spelling = row.names[0].exec(name)?.[1];
      if (spelling === undefined) continue;
      const isInside = row.names.every((each, index) => each.test(names[at + index] ?? ""));
      if (!isInside && !(at === names.length - 1 && reachesInside(effect, row))) continue;
      const spells = (literal: string): boolean => foldName(literal).includes(spelling);
      // what was allowed at a question is a rule for what was asked, and never for what the guard keeps
      const isNamed = policy.rules.some(
        (rule) =>
          rule.source.from !== "approval" && rule.narrows !== true && ruleNames(rule, effect, { path, index: above + at, spells, policy }),
      );
      if (!isNamed) return { path, what: row.what, why: row.why, canBeNamed: true };
    }
  }
  return null;
}

/** An effect on the folder itself that holds the guarded names: it is put there or taken away with them, linked to elsewhere, or read whole. */
function reachesInside(effect: FileEffect, { names, secret, isShared }: NamedRow): boolean {
  if (names.length < 2 || isShared) return false;
  return effect.kind === "file.read" ? secret === true && isTree(effect) : true;
}

/** The names below the outermost root that holds the path, else all, folded; `above`: how many stand before them. */
function namesToJudge(path: string, policy: Policy): { readonly names: readonly string[]; readonly above: number } {
  const all = path.slice(1).split("/");
  const below = policy.roots.flatMap((root) => namesBelow(path, root)?.length ?? []);
  const above = below.length === 0 ? 0 : all.length - Math.max(...below);
  return { names: all.slice(above).map(foldName), above };
}

/** As file systems that fold case, or leave out what nobody sees, would compare it. */
export function foldName(name: string): string {
  const plain = /^[ -~]*$/.test(name) ? name : name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return plain.toLowerCase();
}

function isWithinFolded(path: string, folder: string): boolean {
  return isWithin(foldName(path), foldName(folder));
}

function isTree(effect: FileEffect): boolean {
  return "tree" in effect && effect.tree === true;
}
