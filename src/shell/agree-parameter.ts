/** Parameter expansions of the grammar held against a second reading of their text. Throws `NotUnderstood` where the two disagree. */
import type { ParameterExpansionPart, Word } from "unbash";
import { agreeText } from "./agree-text.ts";
import { brief, NotUnderstood } from "./not-understood.ts";
import { type Agreeing, disagree, type Inside, unknownNode } from "./reading.ts";

/** `${…}`, with what stands in it. */
export function agreeParameter(part: ParameterExpansionPart, { reading, around }: Inside, agreeing: Agreeing): void {
  const { text, parameter, prefix = "", index, operation } = part;
  const { source, dialect } = reading;
  const [, head = ""] = /^\$\{([!#]?(?:[A-Za-z_]\w*|\d+|[@*#?$!-]))/.exec(text) ?? [];
  if (head !== `${prefix}${parameter}` || !text.endsWith("}")) throw disagree(text);
  let at = part.parameterEnd;
  if (index) {
    if (source.charAt(at) !== "[" || index.pos !== at + 1 || source.charAt(index.end) !== "]") throw disagree(text);
    agreeing.word(index, reading, "operand");
    at = index.end + 1;
  }
  if (dialect === "sh" && (index || prefix === "!" || (operation && operation.type !== "Default" && operation.type !== "Remove"))) {
    throw new NotUnderstood(`not every sh reads ${brief(text)} in the same way`);
  }
  if (!operation) {
    if (at !== part.end - 1) throw disagree(text);
    return;
  }
  if (operation.pos !== at || operation.end !== part.end - 1) throw disagree(text);
  const rest = source.slice(operation.pos, operation.end);
  // within double quotes a single quote is a character, and the quotes of the operand are another matter in each shell and version
  if (around !== "plain" && around !== "operand" && /['"\\]/.test(rest))
    throw new NotUnderstood(`quotes in it can be read in two ways: ${brief(text)}`);
  if (operation.type === "Unknown" || !rest.startsWith(operation.operator)) throw disagree(text);
  const operands: (Word | undefined)[] = [];
  switch (operation.type) {
    case "Default":
    case "Remove":
    case "Transform":
    case "CaseModification":
      operands.push(operation.operand);
      break;
    case "Replace":
      operands.push(operation.pattern, operation.replacement);
      break;
    case "Slice":
      operands.push(operation.offset, operation.length);
      break;
    case "Names":
      break;
    default:
      throw unknownNode(operation);
  }
  let end = operation.operatorEnd;
  for (const operand of operands) {
    if (!operand || (operand.pos === operand.end && operand.text === "")) continue;
    if (!/^[:/]?[ \t]*$/.test(source.slice(end, operand.pos))) throw disagree(text);
    agreeOperand(operand, { reading, around }, agreeing);
    end = operand.end;
  }
  if (!/^\/?$/.test(source.slice(end, operation.end))) throw disagree(text);
}

function agreeOperand(operand: Word, { reading, around }: Inside, { word, parts }: Agreeing): void {
  if (around === "plain" || around === "operand" || around === "pattern") {
    word(operand, reading, "operand");
    return;
  }
  if (operand.text !== reading.source.slice(operand.pos, operand.end)) throw disagree(operand.text);
  if (operand.parts) parts(operand.parts, { start: operand.pos, end: operand.end }, { reading, around });
  else agreeText({ text: operand.text, value: operand.value, next: "", isStart: false }, around);
}
