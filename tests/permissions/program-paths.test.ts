/** A program by every path that leads to it, through the runtime: real files, real links, a real shell. */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Effect } from "../../src/base/effect.ts";
import { makePlace, open, type Place } from "../runtime/place.ts";

function makePrograms(): Place {
  const place = makePlace({ "sub/deep/note.txt": "" });
  const { workspace } = place;
  for (const name of ["run", "other", "sub/run"]) {
    writeFileSync(join(workspace, name), `#!/bin/sh\n: > '${workspace}'/ran-${name.replace("/", "-")}\n`);
    chmodSync(join(workspace, name), 0o755);
  }
  symlinkSync("run", join(workspace, "link"));
  symlinkSync("link", join(workspace, "link-to-link"));
  symlinkSync("../run", join(workspace, "sub/up"));
  symlinkSync(".", join(workspace, "here"));
  symlinkSync("other", join(workspace, "goes-elsewhere"));
  symlinkSync("/usr/bin/env", join(workspace, "sys"));
  symlinkSync("/bin/sh", join(workspace, "shell"));
  mkdirSync(join(place.root, "out"));
  symlinkSync(join(workspace, "run"), join(place.root, "out/run-from-outside"));
  symlinkSync(join(workspace, "sub"), join(place.root, "out/sub"));
  return place;
}

async function callBash(place: Place, permissions: object, command: string) {
  const { runtime } = await open(place, { permissions: { asker: null, ...permissions } as never });
  return runtime.call("bash", { command });
}

const DENIED = { ok: false, error: { kind: "permission_denied" } };

describe("a deny rule on a program holds in auto", () => {
  test.each([
    "./run",
    ".//run",
    "sub/../run",
    "sub/deep/../../run",
    "./link",
    "./link-to-link",
    "sub/up",
    "here/run",
    "here/here/link",
    "ROOT/ws/run",
    "ROOT/ws/sub/../link",
    "ROOT/out/run-from-outside",
    "ROOT/out/sub/up",
    "ROOT/out/sub/../run",
    "cd sub && ../run",
    "cd sub && ./up",
    "cd sub/deep && ../../link",
    "cd sub && cd .. && ./run",
    "cd here && ./run",
    "cd ROOT/out/sub && ../run",
    "bash run",
    "sh -e ./link",
    "cd sub && /bin/sh ../run x",
    "true && 'sub'/\"..\"/r\\un",
    "/proc/self/cwd/run",
    "/proc/self/root/ROOT/ws/run",
    "3<run /proc/self/fd/3",
    "/dev/fd/../../ROOT/ws/run",
  ])("%s", async (script) => {
    const place = makePrograms();
    const envelope = await callBash(place, { mode: "auto", deny: ["command(./run)"] }, script.replaceAll("ROOT", place.root));
    expect(envelope).toMatchObject({ ...DENIED, error: { details: { rule: "command(./run)" } } });
    expect(existsSync(join(place.workspace, "ran-run"))).toBe(false);
  });

  test.each<[string, string]>([
    ["command(sys)", "./sys true"],
    ["command(env)", "./sys true"],
    ["command(/usr/bin/env)", "./sys true"],
    ["command(/bin/env)", "/usr/bin/env true"],
    ["command(/usr/bin/env)", "/bin/env true"],
    ["command(sh)", "./shell run"],
    ["command(/bin/sh)", "./shell run"],
    ["command(./link)", "./run"],
    ["command(./link)", "./link-to-link"],
    ["command(here/run)", "./run"],
    ["command(sub/../run)", "./link"],
  ])("%s over %s", async (rule, script) => {
    expect(await callBash(makePrograms(), { mode: "auto", deny: [rule] }, script)).toMatchObject(DENIED);
  });

  test.each(["./other", "sub/run", "./goes-elsewhere", "cd sub && ../other"])("and not for %s", async (script) => {
    expect(await callBash(makePrograms(), { mode: "auto", deny: ["command(./run)"] }, script)).toMatchObject({ ok: true });
  });
});

describe("an ask rule on a program is asked, where nobody is there denied, for each of its paths", () => {
  test.each(["./run", "sub/../run", "./link", "cd sub && ./up"])("%s", async (script) => {
    expect(await callBash(makePrograms(), { mode: "auto", ask: ["command(./run)"] }, script)).toMatchObject(DENIED);
  });
});

describe("an allow rule on a program", () => {
  test.each<[string, string]>([
    ["command(./run)", "./run"],
    ["command(./run)", "sub/../run"],
    ["command(./run)", "./link"],
    ["command(here/run)", "./run"],
    ["command(./run)", "here/run"],
    ["command(/bin/kill)", "/usr/bin/kill -l"],
    ["command(/usr/bin/awk)", "/usr/bin/awk -f /dev/null"],
  ])("%s allows %s, which is that file", async (rule, script) => {
    expect(await callBash(makePrograms(), { mode: "ask", allow: [rule] }, script)).toMatchObject({ ok: true });
  });

  test.each<[string, string]>([
    ["command(./goes-elsewhere)", "./goes-elsewhere"],
    ["command(./run)", "./goes-elsewhere"],
    ["command(./run)", "sub/run"],
    ["command(./run)", "here/sub/../other"],
    ["command(./run)", "/proc/self/cwd/run"],
    ["command(./sys)", "./sys true"],
    ["command(/usr/bin/env)", "./sys true"],
    ["command(env)", "./sys true"],
    ["command(link)", "./link"],
    ["command(sh)", "sh ./other"],
    ["command(sh)", "sh other"],
  ])("%s does not allow %s", async (rule, script) => {
    const place = makePrograms();
    expect(await callBash(place, { mode: "ask", allow: ["command(cd)", rule] }, script)).toMatchObject(DENIED);
    expect(existsSync(join(place.workspace, "ran-other"))).toBe(false);
  });

  test.each(["./run", "sub/../run", "./link", "ROOT/ws/link", "/bin/kill -l", "/usr/bin/awk -f /dev/null", "ROOT/out/run-from-outside"])(
    "is offered for %s, and does what it says",
    async (asked) => {
      const place = makePrograms();
      const script = asked.replaceAll("ROOT", place.root);
      const denied = await callBash(place, { mode: "ask" }, script);
      expect(denied).toMatchObject({ ...DENIED, error: { details: { would_allow: [expect.stringMatching(/^command\(/)] } } });
      const [rule] = (denied as unknown as { error: { details: { would_allow: string[] } } }).error.details.would_allow;
      expect(await callBash(place, { mode: "ask", allow: [rule] }, script)).toMatchObject({ ok: true });
    },
  );
});

test("a plan says where its program leads, whatever a tool says of it", async () => {
  const place = makePrograms();
  const { runtime } = await open(place);
  const dry = await runtime.call("bash", { command: "cd sub && ./up; ls" }, { dryRun: true });
  expect((dry as unknown as { effects: readonly Effect[] }).effects.filter(({ kind }) => kind === "command")).toMatchObject([
    { argv: ["cd", "sub"] },
    { argv: ["./up"], program: [join(place.workspace, "sub/up"), join(place.workspace, "run")] },
    { argv: ["ls"], cwd: join(place.workspace, "sub"), program: expect.arrayContaining([expect.stringMatching(/\/ls$/)]) },
  ]);
});
