/** Expressions of the grammar held against a second reading of their text. Throws `NotUnderstood` where the two disagree. */
import type { ArithmeticExpression, WordPart } from "unbash";
import { brief, NotUnderstood } from "./not-understood.ts";
import { disagree, type Place, type Reading, unknownNode } from "./reading.ts";

/** What is computed: beside the expansions in it, which the grammar must have found, only names, numbers and operators. */
export function agreeExpressions(
  expressions: readonly (ArithmeticExpression | undefined)[],
  { place, nested }: { readonly place: Place; readonly nested: Reading["nested"] },
  agreePart: (part: WordPart) => void,
): void {
  let rest = place.source.slice(place.start, place.end);
  const blank = (pos: number, end: number): void => {
    const [from, to] = [pos - place.start, end - place.start];
    if (from < 0 || to > rest.length) throw disagree(rest);
    rest = `${rest.slice(0, from)}${" ".repeat(to - from)}${rest.slice(to)}`;
  };
  const visit = (node: ArithmeticExpression): void => {
    switch (node.type) {
      case "ArithmeticBinary":
        visit(node.left);
        visit(node.right);
        return;
      case "ArithmeticUnary":
        visit(node.operand);
        return;
      case "ArithmeticTernary":
        visit(node.test);
        visit(node.consequent);
        visit(node.alternate);
        return;
      case "ArithmeticGroup":
        visit(node.expression);
        return;
      case "ArithmeticWord":
        for (const part of node.parts ?? []) {
          if (part.type === "Literal") continue;
          if (part.text !== place.source.slice(part.pos, part.end)) throw disagree(part.text);
          agreePart(part);
          blank(part.pos, part.end);
        }
        if (/^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])$/.test(node.value)) blank(node.pos, node.end);
        return;
      case "ArithmeticCommandExpansion":
        if (!/^\$\(.*\)$/s.test(node.text) || node.text !== place.source.slice(node.pos, node.end)) throw disagree(node.text);
        nested(node.script, { source: place.source, start: node.pos + 2, end: node.end - 1 });
        blank(node.pos, node.end);
        return;
      default:
        throw unknownNode(node);
    }
  };
  for (const expression of expressions) if (expression) visit(expression);
  // a parenthesis that closes too early makes it commands
  if (!isBalanced(place.source.slice(place.start, place.end)) || (expressions.length === 1 && rest.includes(";"))) throw disagree(rest);
  if (!/^[\w \t\n+\-*/%<>=!&|^~?:,()#;]*$/.test(rest)) throw new NotUnderstood(`what it computes is not plain: ${brief(rest.trim())}`);
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
