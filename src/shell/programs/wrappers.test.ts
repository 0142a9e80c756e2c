import { describe, expect, test } from "vitest";
import { callForTest, showDoing } from "./doing-for-test.ts";
import { LANGUAGES } from "./languages.ts";
import { RUNNERS } from "./runners.ts";

/** Words of a line of which a quoted text is one. */
function shown(line: string): string {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  return showDoing(callForTest({ ...RUNNERS, ...LANGUAGES }, words));
}

describe("programs that start another one", () => {
  test.each([
    ["prlimit --nproc=9 rm -rf x", "run rm -rf x"],
    ["prlimit -n10 -- rm x", "run rm x"],
    ["sg staff -c 'rm x'", "run sh -c rm x"],
    ["sg - staff 'rm x'", "run sh -c rm x"],
    ["capsh --drop=all -- -c 'rm x'", "run bash -c rm x"],
    ["ld-linux-x86-64.so.2 --library-path l /bin/rm x", "run /bin/rm x"],
    ["ld-musl-x86_64.so.1 rm x", "run ./rm x"],
    ["xvfb-run -a -e log rm x", "write log, run rm x"],
    ["eatmydata rm x", "run rm x"],
    ["cpulimit -l 50 -- rm x", "run rm x"],
    ["perf stat -e cycles -o log rm x", "write log, run rm x"],
    ["perf record rm x", "write perf.data, run rm x"],
    ["perf report", ""],
    ["catchsegv rm x", "run rm x"],
    ["numactl --membind=0 -C 1 rm x", "run rm x"],
    ["chpst -u u -e d -P rm x", "run rm x"],
    ["softlimit -m 1 rm x", "run rm x"],
    ["faketime 'last friday' rm x", "run rm x"],
    ["torsocks rm x", "run rm x"],
    ["proxychains4 -q -f c rm x", "run rm x"],
    ["rlwrap -H h rm x", "write h, run rm x"],
    ["hyperfine -w 3 -p 'rm y' 'rm x' --export-json o", "write o, run sh -c rm y, run sh -c rm x"],
    ["unbuffer rm x", "run rm x"],
    ["poetry run rm x", "run rm x"],
    ["bundle exec rm x", "run rm x"],
    ["poetry install", ""],
    ["npx rm x", "run rm x"],
    ["npx -y -p a @s/rm@1.2 x", "run rm x"],
    ["npx -c 'rm x'", "run sh -c rm x"],
    ["npm exec -- rm x", "run rm x"],
    ["npm install", ""],
    ["pnpm -C d exec rm x", "run rm x"],
    ["pnpm dlx rm x", "run rm x"],
    ["yarn exec rm x", "run rm x"],
    ["bunx rm x", "run rm x"],
    ["bun x rm x", "run rm x"],
    ["make -j4 all", ""],
    ["make 'SHELL=rm x'", "run rm x ?"],
  ])("%s: %s", (line, does) => {
    expect(shown(line)).toBe(does === "" ? "open" : `open: ${does}`);
  });

  test.each([
    ["su root -c 'rm x'", "run sh -c rm x"],
    ["su - root", ""],
    ["runuser -u u -- rm x", "run rm x"],
    ["pkexec --user u rm x", "run rm x"],
    ["parallel -j2 rm ::: a b", "run rm ?"],
    ["parallel 'rm {} && ls' ::: a", "run sh -c rm {} && ls"],
    ["entr -c rm x", "run rm x"],
    ["entr -s 'rm x'", "run sh -c rm x"],
    ["watchexec -e ts rm x", "run sh -c rm x"],
    ["unshare -r --mount rm x", "run rm x"],
    ["nsenter -t 1 -m rm x", "run rm x"],
    ["chroot --userspec=u d rm x", "run rm x"],
    ["proot -r d rm x", "run rm x"],
    ["fakeroot -- rm x", "run rm x"],
    ["firejail --net=none rm x", "run rm x"],
    ["bwrap --bind / / -- rm x", "run rm x"],
    ["systemd-run --user -p A=1 rm x", "run rm x"],
    ["dbus-run-session -- rm x", "run rm x"],
    ["ssh-agent rm x", "run rm x"],
    ["gdb -batch -ex 'shell rm y' --args rm x", "run sh -c rm y, run rm x"],
    ["expect -c 'spawn rm x; interact'", "run sh -c rm x"],
    ["tmux new -d 'rm x'", "run sh -c rm x"],
    ["valgrind -q rm x", "run rm x"],
    ["setarch x86_64 -R rm x", "run rm x"],
    ["npx ./x", ""],
    ["npx $x", ""],
    ["prlimit --unknown 1 rm x", ""],
    ["capsh --shell=/x -- -c ls", ""],
    ["sg staff", ""],
  ])("%s may run others, too: %s", (line, does) => {
    expect(shown(line)).toBe(does === "" ? "open: unknown" : `open: ${does}, unknown`);
  });

  test("a runner of packages makes others the first to be found", () => {
    expect(callForTest(LANGUAGES, ["npx", "rm", "x"]).runs).toMatchObject([{ assigns: ["PATH"] }]);
  });
});
