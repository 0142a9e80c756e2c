/** The pieces of simple commands beside words, and the words of `[[ … ]]`, held against a second reading of their text. */
import type { Assignment, Redirection, TestCommand, TestExpression, Word } from "unbash";
import { readLiteralWord } from "../base/words.ts";
import { agreeBody, agreeWord } from "./agree-words.ts";
import { isGapInTest } from "./gaps.ts";
import { NotUnderstood } from "./not-understood.ts";
import { disagree, type Reading, unknownNode } from "./reading.ts";

interface Stretch {
  readonly pos: number;
  readonly end: number;
}

/** `name=value`, `name[…]=value`, `name=(…)`, and the same with `+=`. */
export function agreeAssignment(node: Assignment, reading: Reading): void {
  const { name, value, index, append } = node;
  const { source } = reading;
  if (index || append || value.type === "ArrayValue") forBash(reading, `${name}+= or ${name}[…]=`);
  const head = `${name}${index ? `[${source.slice(index.pos, index.end)}]` : ""}${append ? "+" : ""}=`;
  const text = source.slice(node.pos, node.end);
  if (!/^[A-Za-z_]\w*$/.test(name) || !text.startsWith(head) || value.end !== node.end) throw disagree(text);
  if (index) agreeWord(index, reading, "operand");
  if (value.type === "Word") {
    if (value.pos !== node.pos + head.length) throw disagree(text);
    if (value.pos !== value.end) agreeWord(value, reading);
  } else {
    if (source.charAt(value.pos) !== "(" || source.charAt(value.end - 1) !== ")") throw disagree(text);
    let at = value.pos + 1;
    for (const element of value.elements) {
      if (!/^(?:\s|\\\n)*$/.test(source.slice(at, element.pos))) throw disagree(text);
      agreeWord(element, reading);
      at = element.end;
    }
    if (!/^(?:\s|\\\n)*$/.test(source.slice(at, value.end - 1))) throw disagree(text);
  }
}

/** Where a redirection ends, and where the body of a here-document lies. */
export function agreeRedirection(node: Redirection, reading: Reading): { readonly end: number; readonly body: Stretch | null } {
  const { descriptor } = node;
  const { source } = reading;
  const tail = node.type === "HereDoc" ? node.delimiter : node.target;
  if (!tail) throw new NotUnderstood("a redirection has no target");
  const isVariable = descriptor?.type === "FileDescriptorVariable";
  const written = `${isVariable ? `{${descriptor.name}}` : (descriptor?.value ?? "")}${node.operator}`;
  // a number is a descriptor only when it stands by itself, and only a small one
  const isFree = node.pos === 0 || /[\s;&|()<>]/.test(source.charAt(node.pos - 1));
  const isSmall = isVariable || (descriptor?.value ?? 0) < (reading.dialect === "bash" ? 100 : 10);
  if (source.slice(node.pos, tail.pos).replace(/(?:[ \t]|\\\n)+$/, "") !== written || (descriptor && !(isFree && isSmall))) {
    throw new NotUnderstood("a redirection can be read in two ways");
  }
  if (isVariable) forBash(reading, "{name}>");
  if (node.type === "HereString" || node.operator === "&>" || node.operator === "&>>") forBash(reading, `\`${node.operator}\``);
  if (node.type === "HereDoc") return { end: tail.end, body: agreeHereDocument(node, reading) };
  if (tail.type === "Word") agreeWord(tail, reading);
  return { end: tail.end, body: null };
}

function agreeHereDocument({ operator, delimiter, body, closing }: Extract<Redirection, { type: "HereDoc" }>, reading: Reading): Stretch {
  const { source } = reading;
  if (!delimiter || !closing) throw new NotUnderstood("a here-document in it does not end");
  const word = readLiteralWord(delimiter.text, 0);
  if (!word.ok || word.value !== delimiter.value || word.end !== delimiter.text.length || word.value === "") throw disagree(delimiter.text);
  if (delimiter.quoted !== /['"\\]/.test(delimiter.text) || source.charAt(body.pos - 1) !== "\n") throw disagree(delimiter.text);
  // found again line by line; without quotes a backslash joins two lines into one
  let at = body.pos;
  for (;;) {
    const [line = ""] = (delimiter.quoted ? /[^\n]*/ : /(?:[^\n\\]|\\[\s\S]?)*/).exec(source.slice(at)) ?? [];
    const isJoined = line.includes("\\\n") && line.replaceAll("\\\n", "").replace(/^\t+/, "") === delimiter.value;
    if (isJoined) throw disagree(line);
    const plain = operator === "<<-" ? line.replace(/^\t+/, "") : line;
    if (plain === delimiter.value) {
      if (closing.pos !== at + line.length - plain.length || closing.end !== at + line.length || body.end > closing.pos)
        throw disagree(delimiter.text);
      break;
    }
    at += line.length + 1;
    if (at > source.length) throw new NotUnderstood("a here-document in it does not end");
  }
  if (!delimiter.quoted) agreeBody(body, reading);
  return { pos: body.pos, end: closing.end };
}

/** `[[ … ]]`. */
export function agreeTest(node: TestCommand, reading: Reading): void {
  const text = reading.source.slice(node.pos, node.end);
  const words: Word[] = [];
  const collect = (expression: TestExpression): void => {
    switch (expression.type) {
      case "TestUnary":
        words.push(expression.operand);
        return;
      case "TestBinary":
        words.push(expression.left, expression.right);
        return;
      case "TestLogical":
        expression.operands.forEach(collect);
        return;
      case "TestNot":
        collect(expression.operand);
        return;
      case "TestGroup":
        collect(expression.expression);
        return;
      default:
        throw unknownNode(expression);
    }
  };
  collect(node.expression);
  let at = node.pos;
  for (const word of words) {
    if (!isGapInTest(reading.source.slice(at, word.pos))) throw disagree(text);
    agreeWord(word, reading, "pattern");
    at = word.end;
  }
  if (!isGapInTest(reading.source.slice(at, node.end))) throw disagree(text);
}

function forBash({ dialect }: Reading, what: string): void {
  if (dialect === "sh") throw new NotUnderstood(`not every sh reads ${what} in the same way`);
}
