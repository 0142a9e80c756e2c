import { describe, expect, test } from "vitest";
import { callForTest, doingForTest, showDoing } from "./doing-for-test.ts";
import { RUNNERS } from "./runners.ts";

describe("programs that run others", () => {
  test.each([
    ["timeout 5 ls a", "declared: run ls a"],
    ["timeout -k 1 -s KILL 1.5m ls -l", "declared: run ls -l"],
    ["timeout --signal=9 5 $x", "declared: run ?"],
    ["nice -n 5 ls", "declared: run ls"],
    ["nice -10 rm a", "declared: run rm a"],
    ["nice", "declared"],
    ["ionice -c2 -n7 ls", "declared: run ls"],
    ["nohup ls", "declared: run ls"],
    ["setsid -f ls -f", "declared: run ls -f"],
    ["stdbuf -oL ls", "declared: run ls"],
    ["time -o out -v ls", "declared: write out, run ls"],
    ["chrt -f 10 ls", "declared: run ls"],
    ["taskset -c 0-3 ls", "declared: run ls"],
    ["taskset 0xf ls", "declared: run ls"],
    ["flock lock rm a", "declared: write lock, run rm a"],
    ["flock -n 9", "declared"],
    ["flock lock -c ls", "open: write lock, run sh ls"],
    ["watch -n 2 git status", "declared: run sh git status"],
    ["watch -x ls a", "declared: run ls a"],
    ["script -q -c ls log", "open: write log, run sh ls"],
    ["script -c ls", "open: write typescript, run sh ls"],
    ["script", "open: write typescript, unknown"],
    ["sudo -n -u root rm a", "open: run rm a"],
    ["sudo A=1 rm a", "open: run rm a"],
    ["sudo -- ls", "open: run ls"],
    ["doas ls", "open: run ls"],
    ["strace -f -o out ls", "open: write out, run ls"],
    ["setpriv --reuid 0 ls", "open: run ls"],
    ["linux32 ls", "open: run ls"],
    ["busybox rm -rf a", "open: run rm -rf a"],
    ["busybox --list", "open"],
    ["timeout --version", "declared"],
  ])("`%s`: %s", (command, expected) => {
    expect(doingForTest(RUNNERS, command)).toBe(expected);
  });

  test.each([
    "timeout 5",
    "timeout --new 5 ls",
    "timeout $* ls",
    "timeout rm ls",
    "nice -n",
    "nohup",
    "ionice -p 1",
    "setsid $*",
    "timeout $x ls",
    "chrt -p 1",
    "chrt --other rm x",
    "taskset rm x",
    "taskset -p 1 2",
    "flock lock",
    "flock lock -c a b",
    "flock $* a",
    "watch $x",
    "watch",
    "script a b",
    "sudo -s",
    "sudo -i",
    "sudo A=1 -s ls",
    "sudo A=1",
    "sudo -e a",
    "sudo",
    "strace -o |sh ls",
    "strace -o $x ls",
    "strace -p 1",
    "linux64",
    "su -c ls",
    "parallel rm",
    "unshare ls",
    "nsenter ls",
    "chroot / ls",
    "runuser -u x ls",
    "systemd-run ls",
    "zsh -c ls",
    "fish a",
    "ksh",
    "busybox $x",
  ])("`%s` runs what nobody can tell", (command) => {
    expect(callForTest(RUNNERS, command.split(" "))).toMatchObject({ sure: "open", unknown: expect.any(String) });
  });
});

describe("env", () => {
  test.each([
    ["env", "declared"],
    ["env -0", "declared"],
    ["env ls a", "declared: run ls a"],
    ["env -C sub ls", "declared: stat sub, run ls in sub"],
    ["env -- ls", "declared: run ls"],
    ["env -v ls -v", "declared: run ls -v"],
  ])("`%s`: %s", (command, expected) => {
    expect(doingForTest(RUNNERS, command)).toBe(expected);
  });

  test.each([
    ["env A=1 PATH=x ls", ["A", "PATH"]],
    ["env GIT_X=$x ls", ["GIT_X"]],
    ["env -u GIT_CONFIG_COUNT ls", ["GIT_CONFIG_COUNT"]],
    ["env -i ls", ["PATH", "GIT_CONFIG_COUNT"]],
    ["env - A=1 ls", ["PATH", "GIT_CONFIG_COUNT", "A"]],
  ])("`%s` sets %j for what it runs", (command, assigns) => {
    expect(callForTest(RUNNERS, command.split(" ")).runs).toMatchObject([{ words: [{ value: "ls" }], assigns }]);
  });

  test("splits text that is plain", () => {
    expect(showDoing(callForTest(RUNNERS, ["env", "-S", "A=1 rm  -rf", "a"]))).toBe("declared: run rm -rf a");
    for (const text of ["rm 'a b'", "rm $A", "-i ls", "a\\tb", "rm # x", "$x"]) {
      expect(callForTest(RUNNERS, ["env", "-S", text])).toMatchObject({ sure: "open", unknown: expect.any(String) });
    }
  });

  test.each(["env -P /x ls", "env $x rm a", "env $* ls", "env -u $x ls", "env -L a ls", "env --new ls"])(
    "`%s` runs what nobody can tell",
    (command) => {
      expect(callForTest(RUNNERS, command.split(" "))).toMatchObject({ sure: "open", unknown: expect.any(String) });
    },
  );
});

describe("shells", () => {
  test.each([
    ["bash -c ls", "declared: run sh ls"],
    ["bash -euo pipefail -c ls", "declared: run sh ls"],
    ["sh -ec it$x a b", "declared: run sh it?"],
    ["bash a.sh b", "declared: read a.sh, run ./a.sh b"],
    ["bash -x -- -a", "declared: read -a, run ./-a"],
    ["sh ../a", "declared: read ../a, run ../a"],
    ["dash /x/a", "declared: read /x/a, run /x/a"],
    ["bash it$x", "declared: read it?, run ./it?"],
    ["bash --norc --noprofile a", "declared: read a, run ./a"],
    ["bash -n a", "declared: read a"],
    ["sh -o noexec a", "declared: read a"],
    ["bash -nc a", "declared"],
    ["bash --version", "declared"],
  ])("`%s`: %s", (command, expected) => {
    expect(doingForTest(RUNNERS, command)).toBe(expected);
  });

  test("tells what the names of the words are, and which shell reads", () => {
    expect(callForTest(RUNNERS, ["bash", "-c", "ls $1", "x", "y"]).runs).toMatchObject([
      { script: { value: "ls $1" }, positional: [{ value: "x" }, { value: "y" }], shell: "bash" },
    ]);
    expect(callForTest(RUNNERS, ["sh", "-c", "ls"]).runs).toEqual([{ script: { known: true, value: "ls" }, positional: [] }]);
  });

  test.each([
    ["bash -lc ls a", "run sh ls"],
    ["bash -fc ls a", "run sh ls"],
    ["sh -o noglob -c ls a", "run sh ls"],
    ["bash --rcfile x -O extglob -ic ls", "run sh ls"],
    ["bash -lo pipefail -c -- -x", "run sh -x"],
    ["zsh -c ls", "run sh ls"],
    ["fish --no-config -c ls", "run sh ls"],
    ["bash -lc $x", ""],
    ["bash -l$x ls", ""],
    ["zsh ls -c rm", ""],
    ["bash --other x -c ls", ""],
  ])("`%s` may run more than the text that it is given: %s", (command, runs) => {
    expect(doingForTest(RUNNERS, command)).toBe(runs === "" ? "open: unknown" : `open: ${runs}, unknown`);
    const { runs: given } = callForTest(RUNNERS, command.split(" "));
    expect(given.every((run) => "script" in run && run.roughly)).toBe(true);
  });

  test("run what they read", () => {
    for (const command of ["bash", "sh -s a", "bash /dev/stdin", "bash -"]) {
      expect(doingForTest(RUNNERS, command, { kind: "text", text: "rm a\n" })).toBe("declared: run sh rm a\n");
      expect(doingForTest(RUNNERS, command, { kind: "empty" })).toBe("declared");
      expect(doingForTest(RUNNERS, command, { kind: "unknown" })).toBe("open: unknown");
      expect(doingForTest(RUNNERS, command, { kind: "paths", below: ["a"], end: "\n" })).toBe("open: unknown");
    }
  });

  test.each([
    "bash -l a",
    "bash -lc ls",
    "bash --login a",
    "bash -ic ls",
    "bash --rcfile x",
    "bash --init-file x -c ls",
    "bash --posix -c ls",
    "bash -O extglob -c ls",
    "bash -o history -c ls",
    "bash +n a",
    "bash -r a",
    "bash -p a",
    "bash $x",
    "bash $* a",
    "bash -c",
    "bash -c $x",
    "bash -$x",
    "sh --norc a",
    "bash /dev/fd/63",
    "bash /proc/self/fd/3",
  ])("`%s` runs what nobody can tell", (command) => {
    expect(callForTest(RUNNERS, command.split(" "))).toMatchObject({ sure: "open", unknown: expect.any(String) });
  });
});
