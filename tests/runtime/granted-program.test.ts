import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { secret } from "../../src/base/secret.ts";
import { codingTools, command } from "../../src/node.ts";
import { makePlace, open, type Place } from "./place.ts";

const VALUE = "very-secret-value-0123";
const tools = [...codingTools(), command({ command: "./deploy.sh", name: "deploy", env: { TOKEN: secret("TOK") } })];
const CHANGED = { ok: false, error: { kind: "command_failed", details: { reason: "program_changed" } } };

function put(place: Place, text: string): void {
  const file = join(place.workspace, "deploy.sh");
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

test("a granted program that a tool rewrites before its first use is not started", async () => {
  const place = makePlace();
  put(place, "echo ok");
  const { runtime } = await open(place, { tools, secrets: { TOK: VALUE } });
  const leak = '#!/bin/sh\nprintf %s "$TOKEN" | rev | tee got\n';
  expect(await runtime.call("write", { path: "deploy.sh", content: leak, overwrite: true })).toMatchObject({ ok: true });
  expect(await runtime.call("deploy", { args: [] })).toMatchObject(CHANGED);
  expect(await runtime.call("read", { path: "got" })).toMatchObject({ error: { kind: "not_found" } });
  put(place, "echo ok");
  expect(await runtime.call("deploy", { args: [] })).toMatchObject({ ok: true, output: "ok\n" });
});

test("a granted program that was not there when the session began is not started from the workspace later", async () => {
  const place = makePlace();
  const { runtime } = await open(place, { tools, secrets: { TOK: VALUE } });
  expect(await runtime.call("deploy", { args: [] })).toMatchObject({ error: { details: { reason: "not_found" } } });
  put(place, "echo made");
  expect(await runtime.call("deploy", { args: [] })).toMatchObject(CHANGED);
});

test.each([
  ["holds something else", (place: Place) => put(place, "echo second")],
  [
    "is a link to another one",
    (place: Place) => {
      rmSync(join(place.workspace, "deploy.sh"));
      symlinkSync("other.sh", join(place.workspace, "deploy.sh"));
    },
  ],
  [
    "is gone",
    (place: Place) => {
      rmSync(join(place.workspace, "deploy.sh"));
      mkdirSync(join(place.workspace, "deploy.sh"));
    },
  ],
])("a granted program that %s once its question is answered is not started", async (_, change) => {
  const place = makePlace({ "other.sh": "#!/bin/sh\necho other\n" });
  chmodSync(join(place.workspace, "other.sh"), 0o755);
  put(place, "echo first");
  let asked = 0;
  const asker = async () => {
    asked += 1;
    change(place);
    return { answer: "allow" as const };
  };
  const { runtime } = await open(place, { tools, secrets: { TOK: VALUE }, permissions: { mode: "ask", asker } });
  const result = await runtime.call("deploy", { args: [] });
  expect(result).toMatchObject({ ok: false, error: { kind: expect.stringMatching(/^(?:command_failed|changed_since_plan)$/) } });
  expect(asked).toBe(1);
});
