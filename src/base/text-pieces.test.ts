import { expect, test } from "vitest";
import { createTextPieces } from "./text-pieces.ts";

test("pieces come out as the text that they were, also after it was read", () => {
  const pieces = createTextPieces();
  expect(pieces.text()).toBe("");
  let whole = "";
  for (let n = 0; n < 5000; n++) {
    pieces.add(`${n},`);
    whole += `${n},`;
    if (n % 1500 === 0) expect(pieces.text()).toBe(whole);
  }
  pieces.add("");
  expect(pieces.length).toBe(whole.length);
  expect(pieces.text()).toBe(whole);
  expect(pieces.text()).toBe(whole);
});
