import fc from "fast-check";
import { expect, test } from "vitest";
import { memberText } from "./member-text.ts";

test.each([
  ["a number that no double holds", '{"id":9007199254740993,"tool":"read"}', "9007199254740993"],
  ["a number as it was written", '{"tool":"x" , "id" : 1.0e2 }', "1.0e2"],
  ["a text with its escapes", '{"id":"a\\"b\\u0041,}"}', '"a\\"b\\u0041,}"'],
  ["null", '{"id":null}', "null"],
  ["the last of several", '{"id":1,"id":2}', "2"],
  ["none but an inner one", '{"args":{"id":1},"list":[{"id":2}]}', undefined],
  ["a name with escapes", '{"\\u0069d":7}', "7"],
  ["an object, which is none", '{"id":1,"id":{"id":2}}', undefined],
  ["a text that looks like one", '{"args":"\\"id\\":3","x":["id",":",4]}', undefined],
])("%s", (_, json, text) => {
  expect(memberText(json, "id")).toBe(text);
});

test("what is found is what JSON.parse finds", () => {
  const leaf = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.boolean());
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.oneof(fc.constant("id"), fc.string()),
        fc.oneof(
          leaf,
          fc.json().map((text) => JSON.parse(text)),
        ),
      ),
      (object) => {
        const { id } = object;
        const text = memberText(JSON.stringify(object, null, 1), "id");
        const isLeaf = Object.hasOwn(object, "id") && (typeof id !== "object" || id === null);
        expect(text === undefined ? undefined : JSON.parse(text)).toEqual(isLeaf ? id : undefined);
      },
    ),
  );
});

test("a text of any size is passed over", () => {
  const text = 'x\\\\"'.repeat(4_000_000);
  expect(memberText(JSON.stringify({ args: { text }, id: 7 }), "id")).toBe("7");
});
