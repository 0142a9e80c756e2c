import { describe, expect, test } from "vitest";
import { callForTest, doingForTest } from "./doing-for-test.ts";
import { isStandIn, LANGUAGES } from "./languages.ts";

describe("languages and their tools", () => {
  test.each([
    "node --version",
    "node -v",
    "npm --version",
    "npm -v",
    "python3 --version",
    "python -V",
    "perl -v",
    "ruby --version",
    "php -v",
    "java -version",
    "gcc --version",
    "make --version",
    "cmake --version",
    "tsc --version",
    "bun --version",
    "docker --version",
  ])("`%s` only prints", (command) => {
    expect(doingForTest(LANGUAGES, command)).toBe("declared");
  });

  test.each([
    "node a.js",
    "node -e 1",
    "node --version -r ./a.js",
    "node -r ./a.js --check b.js",
    "node --check",
    "node --check a.js",
    "node -c a.js",
    "node --check -",
    "node --check a.js b.js",
    "node --check --import=./x",
    "node $x",
    "npm test",
    "npm ls",
    "npm help",
    "npm --version --prefix x",
    "npm view x",
    "python -m json.tool a",
    "python3 -c 1",
    "python3 -V a",
    "perl -c a",
    "ruby -v",
    "ruby -v a",
    "php -l a",
    "lua -v a",
    "make -n",
    "make",
    "make -v",
    "docker ps",
    "java -version A",
    "gcc -v",
    "tsc",
  ])("`%s` may do anything", (command) => {
    expect(doingForTest(LANGUAGES, command)).toBe("open");
  });

  test.each(["go", "cargo", "rustc", "yarn", "pnpm", "mvn", "gradle", "dotnet", "pip", "pytest", "jest", "terraform", "bundle"])(
    "nothing is declared of %s, whose version a repository chooses",
    (name) => {
      expect(Object.hasOwn(LANGUAGES, name) ? callForTest(LANGUAGES, [name, "--version"]).sure : "open").toBe("open");
    },
  );
});

describe("isStandIn", () => {
  test.each([
    "/root/.pyenv/shims/python3",
    "/home/a/.asdf/shims/node",
    "/home/a/.local/share/mise/shims/node",
    "/home/a/.volta/bin/node",
    "/home/a/.volta/bin/volta-shim",
    "/root/.cargo/bin/cargo",
    "/usr/lib/node_modules/corepack/dist/yarn.js",
    "/opt/homebrew/bin/mise",
  ])("is true of %s", (path) => {
    expect(isStandIn(path)).toBe(true);
  });

  test.each(["/usr/bin/node", "/home/a/.nvm/versions/node/v20/bin/node", "/usr/bin/python3.11", "/opt/shims-of-mine/bin/node"])(
    "is false of %s",
    (path) => {
      expect(isStandIn(path)).toBe(false);
    },
  );
});
