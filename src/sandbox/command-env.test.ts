import { describe, expect, test } from "vitest";
import { commandEnv, type Environment, looksSecret, PASSED_ON, SET } from "./command-env.ts";

const envOf = (hostEnv: Environment, granted: Record<string, string> = {}) =>
  commandEnv({ hostEnv, path: "/usr/bin:/bin", mark: "m1", granted });

const BASE = {
  PATH: "/usr/bin:/bin",
  LANG: "C.UTF-8",
  COLLET_CALL: "m1",
  ...Object.fromEntries(Object.entries(SET).map(([name, { value }]) => [name, value])),
};

describe("the environment of a command", () => {
  test("of a bare host is the table's own", () => {
    expect(envOf({})).toEqual(BASE);
  });

  test("has what the table passes on, and nothing else of the host", () => {
    const passed = { HOME: "/home/a", USER: "a", TZ: "UTC", GOPATH: "/go", NVM_DIR: "/nvm", VIRTUAL_ENV: "/v", SSL_CERT_FILE: "/c.pem" };
    const kept = {
      ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", COLLET_API_KEY: "k", GITHUB_TOKEN: "k", AWS_SECRET_ACCESS_KEY: "k", NPM_TOKEN: "k",
      BASH_ENV: "/x", ENV: "/x", LD_PRELOAD: "/x", LD_LIBRARY_PATH: "/x", NODE_OPTIONS: "-r x", NODE_PATH: "/x", PYTHONPATH: "/x",
      PYTHONSTARTUP: "/x", PERL5OPT: "-Mx", RUBYOPT: "-rx", JAVA_TOOL_OPTIONS: "-javaagent:x", GIT_DIR: "/x", GIT_SSH_COMMAND: "x",
      GIT_CONFIG_COUNT: "1", EDITOR: "vi", VISUAL: "vi", PROMPT_COMMAND: "x", IFS: "/", CDPATH: "/x", SHELLOPTS: "xtrace", PS4: "$(x)",
      SSH_AUTH_SOCK: "/x", DOCKER_HOST: "x", KUBECONFIG: "/x", DBUS_SESSION_BUS_ADDRESS: "x", DISPLAY: ":0", PWD: "/x", OLDPWD: "/x",
      "BASH_FUNC_ls%%": "() { x; }", CI: "1", NO_COLOR: "1", FORCE_COLOR: "1", NODE_ENV: "production",
    }; // biome-ignore format: a list
    expect(envOf({ ...passed, ...kept, TERM: "xterm", PAGER: "less", PATH: "/evil" })).toEqual({ ...BASE, ...passed });
  });

  test("lets a grant overrule all but the mark", () => {
    expect(envOf({ HOME: "/h" }, { GH_TOKEN: "t", PATH: "/own", TERM: "xterm", HOME: "/g", COLLET_CALL: "x" })).toEqual({
      ...BASE,
      GH_TOKEN: "t",
      PATH: "/own",
      TERM: "xterm",
      HOME: "/g",
    });
  });

  test("keeps empty values, which switch things off", () => {
    expect(envOf({ no_proxy: "", HOME: "" })).toEqual({ ...BASE, no_proxy: "", HOME: "" });
  });

  test.each([
    [{ LANG: "C", LC_ALL: "C" }, { LANG: "C.UTF-8" }],
    [{ LC_ALL: "POSIX", LANG: "en_US.UTF-8" }, { LANG: "C.UTF-8" }],
    [{ LANG: "de_DE.ISO-8859-1" }, { LANG: "C.UTF-8" }],
    [
      { LANG: "de_DE.UTF-8", LC_NUMERIC: "en_GB.UTF-8" },
      { LANG: "de_DE.UTF-8", LC_NUMERIC: "en_GB.UTF-8" },
    ],
    [
      { LANG: "C", LC_CTYPE: "en_US.utf8" },
      { LANG: "C", LC_CTYPE: "en_US.utf8" },
    ],
    [{ LANG: "en_US.UTF-8", LC_ALL: "" }, { LANG: "en_US.UTF-8" }],
    [{ LANG: "../evil.UTF-8", LC_SECRET: "x" }, { LANG: "C.UTF-8" }],
  ])("is UTF-8 on a host with %j", (host, expected) => {
    const { LANG, LC_ALL, LC_CTYPE, LC_NUMERIC, LC_SECRET } = envOf(host);
    expect({ LANG, LC_ALL, LC_CTYPE, LC_NUMERIC, LC_SECRET }).toEqual(expected);
  });

  test.each([
    ["http://user:pass@proxy:3128", "http://proxy:3128"],
    ["user:pass@proxy:3128", "proxy:3128"],
    ["socks5h://u:p%40w@[::1]:1080/", "socks5h://[::1]:1080/"],
    ["http://user:p@ss/w:rd@proxy:1", "http://proxy:1"],
    ["HTTP://token@proxy", "HTTP://proxy"],
    ["http://proxy:3128", "http://proxy:3128"],
    ["a:b@one,http://c:d@two|direct", "one,http://two|direct"],
  ])("cuts the password out of a proxy: %s", (value, expected) => {
    for (const name of ["http_proxy", "HTTPS_PROXY", "all_proxy", "GOPROXY"]) expect(envOf({ [name]: value })[name]).toBe(expected);
  });

  test("keeps the mark of an outer call before its own, and nothing that is no mark", () => {
    expect(envOf({ COLLET_CALL: "a1,b2" }).COLLET_CALL).toBe("a1,b2,m1");
    expect(envOf({ COLLET_CALL: "$(x)" }).COLLET_CALL).toBe("m1");
    expect(envOf({ COLLET_CALL: Array.from({ length: 40 }, (_, at) => at).join(",") }).COLLET_CALL?.split(",").length).toBe(17);
  });
});

describe("the table", () => {
  test("has no name that looks secret, and none twice", () => {
    const names = [...PASSED_ON.flatMap((row) => row.names), ...Object.keys(SET)];
    expect(names.filter(looksSecret)).toEqual([]);
    expect(names.length).toBe(new Set(names).size);
  });

  test.each([
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "apikey",
    "GITHUB_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "DB_PASSWORD",
    "PGPASSWORD",
    "MYSQL_PWD",
    "SSHPASS",
    "PASS",
    "DB_PASS_1",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "SSH_AUTH_SOCK",
    "NPM_AUTH",
    "XSRF_COOKIE",
    "session_id",
    "BEARER",
    "KEYS",
    "SSH_KEY_FILE",
    "GPG_PASSPHRASE",
    "NVM_AUTH_HEADER",
  ])("a name such as %s looks secret", (name) => {
    expect(looksSecret(name)).toBe(true);
  });

  test.each(["PATH", "HOME", "GIT_AUTHOR_NAME", "KEYBOARD_LAYOUT", "PASSENGER_APP", "PWD", "OLDPWD", "LANG"])("%s does not", (name) => {
    expect(looksSecret(name)).toBe(false);
  });
});
