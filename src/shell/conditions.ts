import type { TestExpression } from "unbash";
import type { FileUse } from "./doing.ts";
import { expandValue } from "./expand.ts";
import type { Expanding } from "./expanding.ts";
import { lose, perhaps, type WordNode } from "./machine.ts";
import { numberOf, numberOfWord } from "./numbers.ts";
import type { Word } from "./word.ts";

/** What a `[[ … ]]` looks at. What is compared as numbers is computed. */
export async function condition(
  expression: TestExpression,
  expanding: Expanding,
): Promise<{ readonly files: readonly FileUse[]; readonly words: readonly Word[] }> {
  const files: FileUse[] = [];
  const words: Word[] = [];
  const text = async (node: WordNode): Promise<Word> => {
    const word = await expandValue(node, expanding);
    words.push(word);
    return word;
  };
  const visit = async (node: TestExpression): Promise<void> => {
    switch (node.type) {
      case "TestUnary": {
        const word = await text(node.operand);
        if (/^-[vR]$/.test(node.operator)) {
          if (!word.known || !/^[A-Za-z_]\w*$/.test(word.value))
            lose(expanding.machine, expanding.state, `it computes the name ${node.operand.text}`);
        } else if (!/^-[znto]$/.test(node.operator)) files.push({ access: "stat", path: word });
        return;
      }
      case "TestBinary":
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) {
          await number(node.left, expanding);
          await number(node.right, expanding);
          return;
        }
        for (const side of [node.left, node.right]) {
          const word = await text(side);
          if (/^-(?:nt|ot|ef)$/.test(node.operator)) files.push({ access: "stat", path: word });
        }
        return;
      case "TestLogical":
        for (const [index, operand] of node.operands.entries()) {
          if (index === 0) await visit(operand);
          else await perhaps(expanding.state, () => visit(operand));
        }
        return;
      case "TestNot":
        return visit(node.operand);
      case "TestGroup":
        return visit(node.expression);
    }
  };
  await visit(expression);
  return { files, words };
}

async function number(node: WordNode, expanding: Expanding): Promise<void> {
  const [, name] = /^"?\$?\{?([A-Za-z_]\w*)\}?"?$/.exec(node.text) ?? [];
  if (name === undefined) numberOfWord(await expandValue(node, expanding), node.text, expanding);
  else numberOf(name, expanding);
}
