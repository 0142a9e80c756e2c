import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { localSandbox } from "../sandbox/index.ts";
import { createSurvey } from "./survey.ts";

test("a tree is looked at up to a limit, the nearest names first", async () => {
  const ws = realpathSync(mkdtempSync(join(tmpdir(), "survey-")));
  try {
    for (let folder = 0; folder < 21; folder += 1) {
      mkdirSync(join(ws, `src/node_modules/${folder}`), { recursive: true });
      for (let file = 0; file < 1000; file += 1) writeFileSync(join(ws, `src/node_modules/${folder}/${file}`), "");
    }
    mkdirSync(join(ws, "src/z"));
    writeFileSync(join(ws, "src/z/.env"), "");
    const sandbox = await localSandbox({ workspace: ws, home: null, hostEnv: {}, clock: systemClock });
    const { tree } = createSurvey(sandbox, {
      reads: () => true,
      guards: () => false,
      isSecret: (path) => path.endsWith("/.env"),
      isAsked: (path) => path.endsWith("/.env"),
      secretFiles: () => [],
      secretsBy: {},
    });
    expect(await tree(join(ws, "src"))).toMatchObject({
      complete: false,
      readComplete: false,
      ownComplete: true,
      guarded: [{ path: join(ws, "src/z/.env"), folder: false }],
    });
    expect(await tree(join(ws, "src/node_modules"))).toMatchObject({ complete: false, readComplete: false, ownComplete: false });
    expect(await tree(join(ws, "src/z"))).toMatchObject({ complete: true });
    // all trees together have a limit as well
    await tree(join(ws, "src/node_modules"));
    expect(await tree(join(ws, "src/z"))).toMatchObject({
      complete: false,
      readComplete: false,
      ownComplete: false,
      oddNames: true,
      guarded: [],
    });
  } finally {
    rmSync(ws, { recursive: true, force: true });
  }
});
