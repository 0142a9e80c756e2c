import type { ParameterExpansionPart, ParameterOperation } from "unbash";
import { assign } from "./assign.ts";
import { computedValue } from "./environment.ts";
import type { Expander, Expanding } from "./expanding.ts";
import { lose, mayDrop, perhaps, type WordNode } from "./machine.ts";
import { numberOf, numberOfWord } from "./numbers.ts";
import { type Piece, pieceOf, quotedText } from "./pieces.ts";
import { reshaped } from "./reshape.ts";
import { ANYTHING, anyOf, scalar, UNSET, type Value } from "./value.ts";
import { knownWord, unknownWord, type Word } from "./word.ts";

const ANY_NUMBER = { single: true, number: true, nonEmpty: true } as const;

/** What `$name`, `$1`, `$@` and the like become. */
export function simplePieces(name: string, isQuoted: boolean, expanding: Expanding): readonly Piece[] {
  if (name === "@" || name === "*") return listPieces(expanding.state.positional, { raw: `$${name}`, isQuoted, isJoined: name === "*" });
  const word = wordOf(name, expanding);
  return word === null ? (isQuoted ? [quotedText("")] : []) : [pieceOf(word, isQuoted)];
}

/** What `${…}` becomes. */
export async function parameterPieces(part: ParameterExpansionPart, isQuoted: boolean, expander: Expander): Promise<readonly Piece[]> {
  const { expanding } = expander;
  const { parameter, prefix, index, operation, text: raw } = part;
  const { state, machine } = expanding;
  const isAll = index?.text === "@" || index?.text === "*" || (!index && (parameter === "@" || parameter === "*"));
  if (prefix === "#" && !operation) {
    const value = isAll ? null : await single(part, expander);
    const isPlain = value?.known && /^[ -~]*$/.test(value.value);
    return [pieceOf(isPlain ? knownWord(String(value.value.length)) : unknownWord(raw, ANY_NUMBER), isQuoted)];
  }
  if (prefix === "!") {
    // the name is the value of a variable, and a subscript in it is computed
    const name = isAll || operation ? null : await single({ ...part, prefix: undefined }, expander);
    if (name && !(name.known && /^[A-Za-z_]\w*$/.test(name.value))) lose(machine, state, `${raw} names a variable by another one`);
    if (!name) mayDrop(machine, state);
    const value = name?.known ? wordOf(name.value, expanding) : unknownWord(raw, { single: false });
    return value === null ? [] : [pieceOf(value, isQuoted && value.known)];
  }
  if (isAll) {
    const elements = index ? elementsOf(state.get(parameter)) : state.positional;
    const isJoined = (index?.text ?? parameter) === "*";
    if (!operation) return listPieces(elements, { raw, isQuoted, isJoined });
    await operands(operation, expander);
    return listPieces(null, { raw, isQuoted, isJoined });
  }
  const value = await single(part, expander);
  const result = operation ? await operated(value, { operation, part, expander }) : value;
  if (result === null) return isQuoted ? [quotedText("")] : [];
  return [pieceOf(result.known ? result : { ...result, raw }, isQuoted)];
}

/** One value, of a variable or of an element; `null`: unset. */
async function single({ parameter, index, text }: ParameterExpansionPart, { expanding, value }: Expander): Promise<Word | null> {
  if (!index) return wordOf(parameter, expanding);
  const list = expanding.state.get(parameter);
  const key = await value(index);
  const isKeyed = list.kind === "list" && list.keyed;
  const at = isKeyed ? null : numberOfWord(key, index.text, expanding);
  if (at === null || at < 0) mayDrop(expanding.machine, expanding.state);
  const elements = elementsOf(list);
  if (at === null || elements === null || at < 0) return unknownWord(text, { single: true });
  return elements[at] ?? null;
}

/** The word that a parameter is, picked from what it can be; `null`: unset. */
function wordOf(name: string, { state, choices }: Expanding): Word | null {
  if (/^[1-9]\d*$/.test(name)) {
    if (state.positional === null) return unknownWord(`$${name}`, { single: true });
    return state.positional[Number(name) - 1] ?? null;
  }
  switch (name) {
    case "#":
      return state.positional === null ? unknownWord("$#", ANY_NUMBER) : knownWord(String(state.positional.length));
    case "?":
    case "$":
      return unknownWord(`$${name}`, ANY_NUMBER);
    case "!":
    case "-":
    case "0":
      return unknownWord(`$${name}`, { single: true });
    case "PWD":
      return state.folders?.length === 1 && state.folders[0] !== undefined
        ? knownWord(state.folders[0])
        : unknownWord("$PWD", { single: true });
    default: {
      const value = computedValue(name, state) ?? state.get(name);
      if (value.kind === "list") return value.elements === null ? unknownWord(`$${name}`, { single: true }) : (value.elements[0] ?? null);
      // what may be anything may be nothing
      const isOpen = value.options.some((word) => !word.known && !word.nonEmpty);
      const options: readonly (Word | null)[] = value.unset && !isOpen ? [...value.options, null] : value.options;
      const at = options.length <= 1 ? 0 : choices.pick(`$${name}`, options.length);
      if (at === null)
        return anyOf(
          options.map((option) => option ?? knownWord("")),
          `$${name}`,
        );
      const picked = options[at] ?? null;
      return picked === null || picked.known ? picked : { ...picked, raw: `$${name}` };
    }
  }
}

interface Operated {
  readonly operation: ParameterOperation;
  readonly part: ParameterExpansionPart;
  readonly expander: Expander;
}

async function operated(value: Word | null, { operation, part, expander }: Operated): Promise<Word | null> {
  const { expanding } = expander;
  const { state, machine } = expanding;
  const vague = unknownWord(part.text, { single: true });
  switch (operation.type) {
    case "Default": {
      const { operator } = operation;
      const isEmpty = value === null || (operator.startsWith(":") && value.known && value.value === "");
      // what comes out of the environment may be empty, or not set
      const isSure = value === null || value.known || (value.nonEmpty ?? false);
      const isUsed = isSure && isEmpty !== operator.endsWith("+");
      const readOperand = (): Promise<Word> => expander.value(operation.operand);
      const operand = isUsed ? await readOperand() : await perhaps(state, readOperand);
      if (operator.endsWith("+")) return !isSure ? vague : isEmpty ? knownWord("") : operand;
      if (operator.endsWith("?")) {
        if (!isSure || isEmpty) machine.jumps.ends = true;
        return value ?? vague;
      }
      const result = !isSure ? vague : isEmpty ? operand : value;
      if (operator.endsWith("=")) {
        if (/^[A-Za-z_]\w*$/.test(part.parameter) && !part.index)
          assign(part.parameter, result === null ? UNSET : scalar([result]), { state, machine });
        else lose(machine, state, `${part.text} sets what cannot be told`);
      }
      return result;
    }
    case "Slice": {
      const offset = await computedOperand(operation.offset, expander);
      const length = operation.length ? await computedOperand(operation.length, expander) : undefined;
      if (length === null || (length !== undefined && length < 0)) mayDrop(machine, state);
      if (value === null) return knownWord("");
      const isPlain =
        value.known &&
        offset !== null &&
        offset >= 0 &&
        length !== null &&
        (length === undefined || length >= 0) &&
        /^[ -~]*$/.test(value.value);
      return isPlain ? knownWord(value.value.slice(offset, length === undefined ? undefined : offset + length)) : vague;
    }
    case "Transform": {
      // a prompt is expanded again, with the commands in it
      if (/[PE]/.test(operation.operand.text)) lose(machine, state, `${part.text} expands its value again`);
      return vague;
    }
    case "Names":
      return unknownWord(part.text);
    case "Unknown":
      lose(machine, state, `${part.text} is not known`);
      return vague;
    case "Remove":
    case "Replace":
    case "CaseModification": {
      const given = await operands(operation, expander);
      if (value === null) return knownWord("");
      return (value.known ? reshaped(value.value, operation, given) : null) ?? vague;
    }
  }
}

async function operands(operation: ParameterOperation, expander: Expander): Promise<readonly Word[]> {
  switch (operation.type) {
    case "Default":
      return [await perhaps(expander.expanding.state, () => expander.value(operation.operand))];
    case "Remove":
      return [await expander.value(operation.operand)];
    case "CaseModification":
      return operation.operand ? [await expander.value(operation.operand)] : [];
    case "Replace":
      return [await expander.value(operation.pattern), await expander.value(operation.replacement)];
    case "Slice":
      await computedOperand(operation.offset, expander);
      if (operation.length) await computedOperand(operation.length, expander);
      return [];
    case "Transform":
      if (/[PE]/.test(operation.operand.text)) lose(expander.expanding.machine, expander.expanding.state, "it expands its value again");
      return [];
    case "Names":
    case "Unknown":
      return [];
  }
}

/** An offset or a length: `null`, some number. */
async function computedOperand(node: WordNode, { expanding, value }: Expander): Promise<number | null> {
  const [, name] = /^[ \t]*\$?\{?([A-Za-z_]\w*)\}?[ \t]*$/.exec(node.text) ?? [];
  return name === undefined ? numberOfWord(await value(node), node.text, expanding) : numberOf(name, expanding);
}

function elementsOf(value: Value): readonly Word[] | null {
  if (value.kind === "list") return value.elements;
  if (value === ANYTHING) return null;
  const [only] = value.options;
  return value.options.length > 1 || (value.unset && only) ? null : only ? [only] : [];
}

interface ListShape {
  readonly raw: string;
  readonly isQuoted: boolean;
  readonly isJoined: boolean;
}

function listPieces(elements: readonly Word[] | null, { raw, isQuoted, isJoined }: ListShape): readonly Piece[] {
  if (elements === null) {
    const isOne = isQuoted && isJoined;
    return [{ kind: "unknown", word: unknownWord(raw, { single: isOne }), quoted: isOne }];
  }
  // together they are one word, also of none
  if (elements.length === 0 && isQuoted && isJoined) return [quotedText("")];
  return elements.flatMap((word, index) => {
    const between: readonly Piece[] = index === 0 ? [] : isQuoted && isJoined ? [quotedText(" ")] : [{ kind: "end" }];
    return [...between, pieceOf(word, isQuoted)];
  });
}
