import type { Redirection } from "unbash";
import { assign } from "./assign.ts";
import type { Address, FileUse, Input } from "./doing.ts";
import { expandFields, expandParts, expandValue } from "./expand.ts";
import type { Expanding } from "./expanding.ts";
import { placesOf } from "./file-effects.ts";
import { brief } from "./not-understood.ts";
import { joinValues, NUMBER } from "./value.ts";
import { knownWord, type Word } from "./word.ts";

/** What the redirections of one command do, and leave of its input and output. */
export interface Redirected {
  readonly files: readonly FileUse[];
  readonly network: readonly Address[];
  readonly unknown: readonly string[];
  /** `null`: as before. */
  readonly stdin: Input | null;
  /** False: what it prints goes elsewhere, or other things go there too. */
  readonly keepsOutput: boolean;
  /** False: one may fail, and then the command does not run. */
  readonly isSure: boolean;
}

/** Expands the targets; the substitutions in them run. */
export async function redirected(redirections: readonly Redirection[], expanding: Expanding): Promise<Redirected> {
  const files: FileUse[] = [];
  const network: Address[] = [];
  const unknown: string[] = [];
  let stdin: Input | null = null;
  let keepsOutput = true;
  let isSure = true;
  for (const redirection of redirections) {
    const descriptor = redirection.descriptor?.type === "FileDescriptor" ? redirection.descriptor.value : null;
    if (redirection.descriptor?.type === "FileDescriptorVariable") {
      assign(redirection.descriptor.name, joinValues(expanding.state.get(redirection.descriptor.name), NUMBER), expanding);
      isSure = false;
    }
    if (redirection.type !== "Redirect") {
      if (descriptor === null || descriptor === 0) stdin = await documentInput(redirection, expanding);
      else await documentInput(redirection, expanding);
      continue;
    }
    const { operator, target } = redirection;
    const isInput = operator === "<" || operator === "<&" || operator === "<>";
    if (isInput && (descriptor === null || descriptor === 0)) stdin = { kind: "unknown" };
    const isError = descriptor === 2 && (operator === ">" || operator === ">>" || operator === ">|");
    keepsOutput &&= isInput ? operator === "<" : isError;
    const paths = target ? await expandFields(target, expanding) : [];
    if (paths.length !== 1) isSure = false;
    for (const path of paths) {
      if ((operator === ">&" || operator === "<&") && isDescriptor(path)) {
        const { descriptors } = expanding.machine;
        isSure &&= path.known && (path.value === "-" || (/^[012]$/.test(path.value) && !descriptors.closed));
        descriptors.closed ||= !path.known || path.value.endsWith("-");
        continue;
      }
      if (path.known && /^\/+dev\/+(?:tcp|udp)\//.test(path.value)) {
        const address = addressOf(path.value);
        if (address) network.push(address);
        else unknown.push(`it redirects to ${path.value}, which may be a network address`);
        continue;
      }
      // a name that is not known may be that of a connection
      if (!path.known && !path.below) unknown.push(`where ${brief(path.raw)} redirects to is not known`);
      else files.push(...usesOf(operator, path));
      if (operator === "<" && (descriptor === null || descriptor === 0)) stdin = await contentOf(path, expanding);
      isSure &&= (path.known && path.value === "/dev/null") || (operator === "<" && stdin?.kind === "text");
    }
  }
  return { files, network, unknown, stdin, keepsOutput, isSure };
}

/** What a file holds, as long as the script has changed nothing. */
export async function contentOf(path: Word, { state, machine }: Pick<Expanding, "state" | "machine">): Promise<Input> {
  const places = path.known && !state.stale ? placesOf(path.value, state) : null;
  const [place, other] = places ?? [];
  const text = place === undefined || other !== undefined ? null : await machine.look.text(place);
  return text === null ? { kind: "unknown" } : { kind: "text", text };
}

function usesOf(operator: string, path: Word): readonly FileUse[] {
  if (operator === "<" || operator === "<&") return [{ access: "read", path }];
  if (operator === "<>")
    return [
      { access: "read", path },
      { access: "write", path },
    ];
  return [{ access: "write", path }];
}

/** A copy of a descriptor, moved or closed. */
function isDescriptor(word: Word): boolean {
  return word.known ? /^(?:\d+-?|-)$/.test(word.value) : word.number === true;
}

async function documentInput(redirection: Exclude<Redirection, { type: "Redirect" }>, expanding: Expanding): Promise<Input> {
  if (redirection.type === "HereString") {
    const word = redirection.target ? await expandValue(redirection.target, expanding) : knownWord("");
    return word.known ? { kind: "text", text: `${word.value}\n` } : { kind: "unknown" };
  }
  const { body, delimiter, operator } = redirection;
  const strip = (text: string): string => (operator === "<<-" ? text.replace(/^\t+/gm, "") : text);
  if (delimiter?.quoted) return { kind: "text", text: strip(body.text) };
  if (!body.parts) return body.text.includes("\\") ? { kind: "unknown" } : { kind: "text", text: strip(body.text) };
  const word = await expandParts(body.parts, "<<", expanding);
  // tabs are taken away before anything is expanded
  return word.known && operator === "<<" ? { kind: "text", text: word.value } : { kind: "unknown" };
}

/** Bash opens a socket for `/dev/tcp/HOST/PORT`. */
function addressOf(target: string): Address | null {
  const [, host, digits] = /^\/dev\/(?:tcp|udp)\/([^/]+)\/(\d{1,5})$/.exec(target) ?? [];
  return host === undefined || digits === undefined || Number(digits) > 65_535 ? null : { host, port: Number(digits) };
}
