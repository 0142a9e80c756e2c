import type { ArithmeticExpression, WordPart } from "unbash";
import { assign } from "./assign.ts";
import type { Expanding } from "./expanding.ts";
import { lose, mayDrop, perhaps } from "./machine.ts";
import { decimal, numberOf, numberOfWord } from "./numbers.ts";
import { NUMBER, scalar } from "./value.ts";
import { knownWord, unknownWord, type Word } from "./word.ts";

/** What an expression needs of the expansion of words. */
export interface Computing {
  readonly expanding: Expanding;
  /** The one word that these parts make, as in quotes. */
  readonly value: (parts: readonly WordPart[], raw: string) => Promise<Word>;
}

/** The value of an expression, as a word; its assignments are made. */
export async function computed(expression: ArithmeticExpression | undefined, computing: Computing): Promise<Word> {
  const value = expression ? await compute(expression, computing) : 0;
  return value === null ? unknownWord("$((…))", { single: true, number: true, nonEmpty: true }) : knownWord(String(value));
}

/** `null`: some number. */
async function compute(node: ArithmeticExpression, computing: Computing): Promise<number | null> {
  const { expanding } = computing;
  switch (node.type) {
    case "ArithmeticWord":
      return word(node, computing);
    case "ArithmeticGroup":
      return compute(node.expression, computing);
    case "ArithmeticUnary": {
      const value = await compute(node.operand, computing);
      if (node.operator === "++" || node.operator === "--") store(node.operand, null, expanding);
      return value === null ? null : node.operator === "-" ? -value : node.operator === "+" ? value : null;
    }
    case "ArithmeticTernary":
      await compute(node.test, computing);
      await perhaps(expanding.state, () => compute(node.consequent, computing));
      await perhaps(expanding.state, () => compute(node.alternate, computing));
      return null;
    case "ArithmeticCommandExpansion": {
      const printed = await computing.value(
        [{ type: "CommandExpansion", pos: node.pos, end: node.end, text: node.text, script: node.script }],
        node.text,
      );
      return numberOfWord(printed, node.text, expanding);
    }
    case "ArithmeticBinary": {
      const isPlain = node.operator === "=";
      const left = isPlain ? null : await compute(node.left, computing);
      const isLogical = node.operator === "&&" || node.operator === "||";
      const rightSide = (): Promise<number | null> => compute(node.right, computing);
      const right = isLogical ? await perhaps(expanding.state, rightSide) : await rightSide();
      const divides = /^(?:[/%]=?|\*\*)$/.test(node.operator);
      if (divides && (right === null || right === 0 || right < 0)) mayDrop(expanding.machine, expanding.state);
      if (!/^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator)) return calculate(node.operator, left, right);
      const value = isPlain ? right : null;
      store(node.left, value, expanding);
      return value;
    }
  }
}

async function word(node: Extract<ArithmeticExpression, { type: "ArithmeticWord" }>, computing: Computing): Promise<number | null> {
  const { expanding } = computing;
  const { value, parts } = node;
  const text = value.trim();
  const [, name] = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(text) ?? [];
  if (name !== undefined) return numberOf(name, expanding);
  if (/^(?:\d+|0[xX][0-9a-fA-F]+|\d+#\w+)$/.test(text)) {
    const number = decimal(text);
    // digits that its base does not have
    if (number === null) mayDrop(expanding.machine, expanding.state);
    return number;
  }
  if (/^\$[#?!]$/.test(text)) return null;
  const expanded = parts ?? (/^\$./.test(text) ? [{ type: "SimpleExpansion", pos: node.pos, end: node.end, text } as const] : null);
  if (expanded) return numberOfWord(await computing.value(expanded, text), text, expanding);
  lose(expanding.machine, expanding.state, `it computes with ${text}, which may run commands`);
  return null;
}

function store(target: ArithmeticExpression, value: number | null, { state, machine }: Expanding): void {
  const name = target.type === "ArithmeticWord" ? target.value.trim() : "";
  if (!/^[A-Za-z_]\w*$/.test(name)) lose(machine, state, "it computes a variable's name");
  else assign(name, value === null ? NUMBER : scalar([knownWord(String(value))]), { state, machine });
}

function calculate(operator: string, left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null;
  const value = (): number | null => {
    switch (operator) {
      case "+":
        return left + right;
      case "-":
        return left - right;
      case "*":
        return left * right;
      case "/":
        return right === 0 ? null : Math.trunc(left / right);
      case "%":
        return right === 0 ? null : left % right;
      default:
        return null;
    }
  };
  const result = value();
  // -0 is 0 to bash
  return result !== null && Number.isSafeInteger(result) ? result + 0 : null;
}
