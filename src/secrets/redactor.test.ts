import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, type Redactor } from "./index.ts";

const TOKEN = "ghp_R4nd0m/+v4lue~with=odd&chars";

function redactor(values: Readonly<Record<string, string>>): Redactor {
  const made = createRedactor();
  for (const [name, value] of Object.entries(values)) made.add(name, value);
  return made;
}

function base64At(value: string, shift: number, encoding: "base64" | "base64url"): string {
  return Buffer.from(`${"x".repeat(shift)}${value}`).toString(encoding);
}

/** All but letters and digits, as strict encoders do it. */
function percentAll(value: string): string {
  return [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

describe("a value is redacted", () => {
  const tricky = 'pa"ss\\w/o\trd é漢🙂+%25\nline two of it';
  const forms: readonly (readonly [string, (value: string) => string])[] = [
    ["plain", (value) => value],
    ["in JSON", (value) => JSON.stringify(value).slice(1, -1)],
    ["in JSON with escaped slashes", (value) => JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/")],
    [
      "in JSON of ASCII only",
      (value) =>
        JSON.stringify(value)
          .slice(1, -1)
          .replace(/[^\x20-\x7e]/g, unicode),
    ],
    ["in JSON, every character escaped", (value) => value.replace(/./gs, (unit) => unicode(unit))],
    [
      "in JSON, every character escaped in capitals",
      (value) => value.replace(/./gs, (unit) => unicode(unit).toUpperCase().replace("\\U", "\\u")),
    ],
    ["in JSON within JSON", (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    ["in a URL", encodeURIComponent],
    ["in a URL in small letters", (value) => encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase())],
    ["in a form", (value) => new URLSearchParams({ a: value }).toString().slice(2)],
    ["in JSON in a URL", (value) => encodeURIComponent(JSON.stringify(value).slice(1, -1))],
    ["with every byte percent-encoded", percentAll],
    ["in hex", (value) => Buffer.from(value).toString("hex")],
    ["in hex capitals", (value) => Buffer.from(value).toString("hex").toUpperCase()],
    ["in hex, wrapped", (value) => Buffer.from(value).toString("hex").replace(/.{60}/g, "$&\n")],
    ["with other line ends", (value) => value.replaceAll("\n", "\r\n")],
  ];
  test.each(forms)("%s", (_, encode) => {
    const secrets = redactor({ A: TOKEN, B: tricky });
    expect(secrets.text(`a: ${encode(TOKEN)};`)).toBe("a: [secret:A];");
    expect(secrets.text(`b: ${encode(tricky)};`)).toBe("b: [secret:B];");
  });

  test.each([0, 1, 2])("in base64, %i bytes into a group of three", (shift) => {
    const secrets = redactor({ A: TOKEN });
    for (const encoding of ["base64", "base64url"] as const) {
      const encoded = base64At(TOKEN, shift, encoding);
      const shown = secrets.text(`(${encoded})`);
      expect(shown).toContain("[secret:A]");
      // the digits of what stood before, and padding, are all that is left
      expect(shown.replace("[secret:A]", "").length).toBeLessThanOrEqual(2 + 3 + 2);
    }
  });

  test("in base64 that is broken into lines, escaped in JSON or in a URL", () => {
    const key = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7919) % 251)).toString("latin1");
    const secrets = redactor({ KEY: key });
    const encoded = Buffer.from(key).toString("base64");
    for (const form of [
      encoded.replace(/.{76}/g, "$&\n"),
      encoded.replace(/.{64}/g, "$&\r\n"),
      JSON.stringify(encoded.replace(/.{76}/g, "$&\n")).slice(1, -1),
      encodeURIComponent(encoded),
    ]) {
      expect(secrets.text(form).replaceAll("=", "").replaceAll("%3D", "")).toBe("[secret:KEY]");
    }
  });

  test("line by line, when it has lines of 16 bytes or more, and its armour is left", () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0B\n".repeat(2)}c2hvcnQ=\n-----END PRIVATE KEY-----\n`;
    const secrets = redactor({ PEM: pem });
    expect(secrets.text(pem)).toBe("[secret:PEM]\n");
    expect(secrets.text("> MIIEvQIBADANBgkqhkiG9w0B\n> c2hvcnQ=")).toBe("> [secret:PEM]\n> c2hvcnQ=");
    expect(secrets.text("-----BEGIN PRIVATE KEY-----")).toBe("-----BEGIN PRIVATE KEY-----");
  });

  test("without the white space at its ends", () => {
    expect(redactor({ A: "abcdefgh\n" }).text("<abcdefgh>")).toBe("<[secret:A]>");
  });
});

describe("what is no value", () => {
  test("is left, and a value below 8 bytes is refused", () => {
    const secrets = createRedactor();
    expect(secrets.add("SHORT", "1234567")).toBe(false);
    expect(secrets.add("SPACES", "  123456 ")).toBe(false);
    expect(secrets.add("EIGHT", "12345678")).toBe(true);
    // three characters of three bytes
    expect(secrets.add("WIDE", "漢字語")).toBe(true);
    expect(secrets.text("1234567 漢字語 12345678")).toBe("1234567 [secret:WIDE] [secret:EIGHT]");
  });

  test("is handed back as the very thing that was given", () => {
    const value = { a: ["text", 1, null, { b: true }], n: 123456789 };
    const bytes = Buffer.from("some output\n");
    for (const secrets of [createRedactor(), redactor({ A: TOKEN })]) {
      expect(secrets.json(value)).toBe(value);
      expect(secrets.bytes().push(bytes)).toBe(bytes);
    }
  });

  test("keeps a surrogate that lacks its half beside a value", () => {
    expect(redactor({ A: TOKEN }).text(`\ud83d ${TOKEN} \ude00`)).toBe("\ud83d [secret:A] \ude00");
  });
});

describe("values that overlap", () => {
  test("are hidden by the longest, and all of them when none holds the other", () => {
    const secrets = redactor({ SHORT: "abcdefgh", LONG: "abcdefgh-and-more", TAIL: "more-of-another" });
    expect(secrets.text("abcdefgh-and-more")).toBe("[secret:LONG]");
    expect(secrets.text("abcdefgh-and-less")).toBe("[secret:SHORT]-and-less");
    expect(secrets.text("<abcdefgh-and-more-of-another>")).toBe("<[secret:LONG][secret:TAIL]>");
  });

  test("take the longest spelling that fits", () => {
    const secrets = redactor({ A: "percent%", B: "back\\slash\\" });
    expect(secrets.text("percent% percent%25 percent%x")).toBe("[secret:A] [secret:A] [secret:A]x");
    expect(secrets.text(JSON.stringify("back\\slash\\"))).toBe('"[secret:B]"');
  });

  test("with themselves are one mark", () => {
    expect(redactor({ A: "abababab" }).text("xabababababababx")).toBe("x[secret:A]x");
  });

  test("do not touch a mark, even when a name is a value", () => {
    const secrets = redactor({ PASSWORD: "PASSWORD", OTHER: "[secret:" });
    expect(secrets.text("[secret:PASSWORD] PASSWORD")).toBe("[secret:PASSWORD] [secret:PASSWORD]");
    expect(redactor({ "bad]\nname": TOKEN }).text(TOKEN)).toBe("[secret:bad__name]");
  });
});

describe("JSON", () => {
  test("is redacted in keys, in long numbers and at any depth, and keeps its shape", () => {
    const secrets = redactor({ A: TOKEN, PIN: "1234567890123" });
    const value = JSON.parse(`{"__proto__":{"x":${JSON.stringify(TOKEN)}},${JSON.stringify(TOKEN)}:[1234567890123,12]}`);
    expect(JSON.stringify(secrets.json(value))).toBe('{"__proto__":{"x":"[secret:A]"},"[secret:A]":["[secret:PIN]",12]}');
    expect(secrets.json({ [TOKEN]: 1, [encodeURIComponent(TOKEN)]: 2 })).toEqual({ "[secret:A]": 1, "[secret:A]#2": 2 });
  });

  test("that is nested too deep is refused, not passed through", () => {
    const deep = JSON.parse(`${"[".repeat(5_000)}${JSON.stringify(TOKEN)}${"]".repeat(5_000)}`);
    expect(() => redactor({ A: TOKEN }).json(deep)).toThrow(expect.objectContaining({ kind: "log_encode_failed" }));
  });
});

test("redacting twice is redacting once", () => {
  const secrets = redactor({ A: TOKEN, B: "secret:A" });
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(TOKEN, "[secret:A]", "secret:A", TOKEN.slice(3), "["), fc.string())), (parts) => {
      const once = secrets.text(parts.join(""));
      expect(secrets.text(once)).toBe(once);
    }),
    { numRuns: 60 },
  );
});

function unicode(unit: string): string {
  return [...Array(unit.length).keys()].map((index) => `\\u${unit.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
}
