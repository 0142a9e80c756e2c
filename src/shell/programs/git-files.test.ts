import { describe, expect, test } from "vitest";
import { doingForTest } from "./doing-for-test.ts";
import { GIT } from "./git.ts";

describe("git names what its words say it reads and writes", () => {
  test.each([
    ["tag -F note v1", "open: read note"],
    ["tag -aF note v1", "open: read note"],
    ["tag -a --file=note v1", "open: read note"],
    ["tag -m -F v1", "open"],
    ["notes add -F .env", "open: read .env"],
    ["notes append --file .env HEAD", "open: read .env"],
    ["commit -aF.env", "open: read .env"],
    ["commit --fil=.env", "open: read .env"],
    ["commit --templ=.env", "open: read .env"],
    ["merge -F .env topic", "open: read .env"],
    ["commit-tree -F .env HEAD^{tree}", "open: read .env"],
    ["merge-file a b c", "open: read a, read b, read c, write a"],
    ["merge-file -L x -L y a b c", "open: read a, read b, read c, write a"],
    ["merge-file -p a b c", "open: read a, read b, read c"],
    ["merge-file --object-id a b c", "open"],
    ["interpret-trailers --trailer a=b f", "open: read f"],
    ["interpret-trailers --in-place f", "open: read f, write f"],
    ["hash-object -w .env", "open: read .env"],
    ["hash-object .env", "declared: read .env"],
    ["update-index --add .env", "open: read .env"],
    ["checkout-index -a --prefix=.git/hooks/", "open: write .git/hooks/**"],
    ["checkout-index --prefix ../x/y a", "open: write ../x/**"],
    ["checkout-index --prefix=/ a", "open: write //**"],
    ["checkout-index -fa", "open: write ./**"],
    ["checkout-index -f a", "open: write a/**"],
    ["read-tree --index-output=f HEAD", "open: write f"],
    ["bugreport -o ../d", "open: write ../d/**"],
    ["bugreport", "open: write ./**"],
    ["diagnose --output-directory=d", "open: write d/**"],
    ["shortlog --output=f", "open: write f"],
    ["shortlog --output f -s", "open: write f"],
    ["whatchanged --output=f", "open: write f"],
    ["log --ext-diff --output=f", "open: write f"],
    ["diff --ext-diff -O.env", "open: read .env"],
    ["show --ext-diff HEAD:.env", "open: read .env"],
    ["stash show -p --output=f", "declared: write f"],
    ["stash show -p --ext-diff --output=f", "open: write f"],
    ["-p log --output=f", "open: write f, unknown"],
    ["-p hash-object .env", "open: read .env, unknown"],
    ["am -3 a b", "open: read a, read b"],
    ["apply --build-fake-ancestor=f a", "open: read a, write f"],
    ["apply --unsafe-paths a", "open: read a, unknown"],
    ["stash -- .env", "open: read .env/**, write .env/**"],
    ["stash push .env", "open: read .env/**, write .env/**"],
    ["stash push -um x -- .env", "open: read .env/**, write .env/**, delete .env/**"],
    ["stash push -a -- .env", "open: read .env/**, write .env/**, delete .env/**"],
    ["stash -a", "open: read ./**, delete ./**"],
    ["stash save -a pop", "open: read ./**, delete ./**"],
    ["stash push -m x", "open"],
    ["stash pop", "open"],
    ["archive -o f HEAD", "open: write f"],
    ["archive -of --add-file=.env HEAD", "open: write f, read .env"],
    ["bundle create -q f HEAD", "open: write f"],
    ["bundle unbundle f", "open: read f"],
    ["format-patch -1 -o d --signature-file=.env", "open: write d/**, read .env"],
    ["format-patch --output=f -1", "open: write f"],
    ["fast-export --export-marks=f --all", "open: write f"],
    ["fast-export --import-marks=f --all", "open: read f"],
    ["fast-import --export-pack-edges=f", "open: write f"],
    ["mailinfo m p", "open: write m, write p"],
    ["mailsplit -od f", "open: write d/**, read f"],
    ["checkout - a", "open: write a/**"],
  ])("git %s: %s", (words, does) => {
    expect(doingForTest(GIT, `git ${words}`)).toBe(does);
  });

  test("and with -C as seen from there", () => {
    expect(doingForTest(GIT, "git -C d shortlog --output=f")).toBe("open: read d, write d/f");
  });

  test("and shows all that is tracked when it exports it", () => {
    expect(GIT.git?.({ name: "git", args: [{ known: true, value: "fast-export" }], stdin: { kind: "empty" } })).toMatchObject({
      tracked: { all: true },
    });
  });
});
