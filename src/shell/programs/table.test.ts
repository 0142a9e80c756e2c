import { expect, test } from "vitest";
import { unknownWord } from "../word.ts";
import { callForTest } from "./doing-for-test.ts";
import { TABLE } from "./index.ts";

const NAMED = unknownWord("{}", { single: true, prefix: "src", below: ["src"], only: ["*.ts"], nonEmpty: true });

test.each([
  ["cat", [], ["*.ts"]],
  ["grep", ["x"], ["*.ts"]],
  ["grep", ["-r", "x"], undefined],
  ["diff", ["a"], undefined],
  ["rg", ["x"], undefined],
  ["rm", ["-r"], undefined],
  ["rm", [], undefined],
  ["tar", ["-cf", "a.tar"], undefined],
])("a path that may be a folder is used by %s %j with all that lies in it", (name, args, only) => {
  const program = TABLE[name];
  const doing = program?.({ name, args: [...args.map((value) => ({ known: true, value }) as const), NAMED], stdin: { kind: "empty" } });
  const [use] = doing?.files.filter(({ path }) => !path.known) ?? [];
  expect(use?.path).toMatchObject({ known: false, below: ["src"] });
  expect(use && !use.path.known ? use.path.only : null).toEqual(only);
});

test("a path that is no folder keeps its name", () => {
  const doing = TABLE.rm?.({ name: "rm", args: [{ ...NAMED, regular: true }], stdin: { kind: "empty" } });
  expect(doing?.files).toEqual([{ access: "delete", path: { ...NAMED, regular: true } }]);
  expect(callForTest(TABLE, ["find", "src", "-name", "a"]).files).toHaveLength(1);
});
