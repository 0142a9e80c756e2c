import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type OptionNames, type ParsedOptions, parseOptions } from "./options.ts";
import { wordForTest } from "./programs/doing-for-test.ts";
import type { Word } from "./word.ts";

const NAMES: OptionNames = {
  flags: "-r -n --recursive --reverse --number",
  values: "-o -e --output --regexp",
  optional: "-i --color --in-place",
};

function show(parsed: ParsedOptions): string {
  if (!parsed.ok) return "problem";
  const word = (value: Word): string => (value.known ? value.value : `${value.prefix}?`);
  const options = parsed.options.map(({ name, value, late }) => `${name}${value === null ? "" : `=${word(value)}`}${late ? "!" : ""}`);
  return [...options, "|", ...parsed.operands.map(word)].join(" ");
}

const parse = (script: string, names = NAMES): string => show(parseOptions(script.split(" ").map(wordForTest), names));

describe("parseOptions", () => {
  test.each([
    ["a b", "| a b"],
    ["-r a -n", "-r -n | a"],
    ["-rn a", "-r -n | a"],
    ["-ofile a", "-o=file | a"],
    ["-o file a", "-o=file | a"],
    ["-rno file", "-r -n -o=file |"],
    ["-rnofile", "-r -n -o=file |"],
    ["-or", "-o=r |"],
    ["-i a", "-i | a"],
    ["-i.bak a", "-i=.bak | a"],
    ["-ri.bak", "-r -i=.bak |"],
    ["--output=f a", "--output=f | a"],
    ["--output f a", "--output=f | a"],
    ["--output= a", "--output= | a"],
    ["--color a", "--color | a"],
    ["--color=auto a", "--color=auto | a"],
    ["--out f", "--output=f |"],
    ["--outp=f", "--output=f |"],
    ["--num", "--number |"],
    ["-- -r --output", "| -r --output"],
    ["-o -- a", "-o=-- | a"],
    ["-e -r", "-e=-r |"],
    ["- a", "| - a"],
    ["+5 a", "| +5 a"],
    ["a -o f b", "-o=f! | a b"],
    ["a -of b", "-o=f | a b"],
  ])("takes %j apart as %j", (script, shown) => {
    expect(parse(script)).toBe(shown);
  });

  test.each([
    ["an option that is not known", "-x"],
    ["one at the end of a cluster", "-rx"],
    ["a long option that is not known", "--exec"],
    ["a long option that could be two", "--re"],
    ["a long option cut down to nothing", "--=x"],
    ["a lacking value", "-o"],
    ["a lacking value of a long option", "--output"],
    ["a value for an option without one", "--recursive=x"],
  ])("has a problem with %s", (_, script) => {
    expect(parse(script)).toBe("problem");
  });

  test.each([
    ["a word of which nothing is known", "$x", "problem"],
    ["any number of such words", "a $*", "problem"],
    ["a word that begins with a dash only", "-$x", "problem"],
    ["one that begins with two", "--$x", "problem"],
    ["a long option that may go on", "--output$x", "problem"],
    ["a flag that may be followed by any other", "-r$x", "problem"],
    ["a value of any number of words", "-o $*", "problem"],
    ["a value that is not known", "-o $x", "-o=? |"],
    ["one in the same word", "-o$x", "-o=? |"],
    ["one behind an equals sign", "--output=a$x", "--output=a? |"],
    ["a word that begins like no option", "src/$x", "| src/?"],
    ["a word behind --", "-- $x", "| ?"],
    ["paths that begin like none", "src/**", "| src?"],
    ["paths that may begin like one", "-/**", "problem"],
  ])("takes %s for what it may be", (_, script, shown) => {
    expect(parse(script)).toBe(shown);
  });

  test("lets the first operand end the options when the program does", () => {
    expect(parse("-r a -n -x", { ...NAMES, mixed: false })).toBe("-r | a -n -x");
    expect(parse("-r src/$x -x", { ...NAMES, mixed: false })).toBe("-r | src/? -x");
    expect(parse("-r $x -n", { ...NAMES, mixed: false })).toBe("problem");
  });

  test("does not complete long options of a program that does not", () => {
    expect(parse("--out f", { ...NAMES, abbreviated: false })).toBe("problem");
    expect(parse("--output f", { ...NAMES, abbreviated: false })).toBe("--output=f |");
  });

  test("knows a form of a whole word before it looks at letters", () => {
    const names = { ...NAMES, special: /^-\d+$/ };
    expect(parse("-20 a", names)).toBe("-20 | a");
    expect(parse("-20r a", names)).toBe("problem");
  });

  const piece = fc.constantFrom(
    "-",
    "--",
    "-r",
    "-n",
    "-o",
    "-i",
    "--out",
    "--output",
    "=",
    "a",
    "$x",
    "$*",
    "/**",
    "",
    "+",
    "\n",
    "é",
    "toString",
  );
  const script = fc.array(
    fc.array(piece, { maxLength: 4 }).map((pieces) => wordForTest(pieces.join(""))),
    { maxLength: 8 },
  );

  test("gives up on more options than anybody writes", () => {
    expect(parse(`-${"r".repeat(500)} a`)).toMatch(/^-r -r .*\| a$/);
    expect(parse(`-${"r".repeat(501)} a`)).toBe("problem");
    expect(parse(`${"-r ".repeat(501)}a`)).toBe("problem");
    // a value is as long as it likes
    expect(parse(`-o${"r".repeat(1000)}`)).toBe(`-o=${"r".repeat(1000)} |`);
  });

  test("takes two names in one word for none", () => {
    expect(show(parseOptions([{ known: true, value: "--recursive --reverse" }], NAMES))).toBe("problem");
  });

  test("throws for no words, and loses none", () => {
    fc.assert(
      fc.property(script, fc.boolean(), fc.boolean(), (words, mixed, abbreviated) => {
        const parsed = parseOptions(words, { ...NAMES, mixed, abbreviated });
        if (!parsed.ok) {
          expect(parsed.problem).not.toBe("");
          return;
        }
        const known = new Set(Object.values(NAMES).flatMap((list: string) => list.split(" ")));
        for (const { name } of parsed.options) expect(known).toContain(name);
        for (const operand of parsed.operands) expect(words).toContain(operand);
      }),
    );
  });

  test("takes no word that may be an option for an operand before --", () => {
    fc.assert(
      fc.property(script, (words) => {
        if (words.some((word) => word.known && word.value === "--")) return;
        const parsed = parseOptions(words, NAMES);
        if (!parsed.ok) return;
        for (const word of parsed.operands) expect(word.known ? word.value : word.prefix).not.toMatch(/^-./);
      }),
    );
  });
});
