import { describe, expect, test } from "vitest";
import { secret } from "../base/secret.ts";
import { createRedactor, createSecrets, environmentSource, staticSource } from "./index.ts";

const ENV = { GH_TOKEN: "ghp_0123456789", PIN: "1234", EMPTY: "" };

describe("secrets", () => {
  test("come from the first source that has them, and are redacted from then on", async () => {
    const redactor = createRedactor();
    const sources = [staticSource({ DB: "static-password" }), environmentSource({ ...ENV, DB: "env-password" })];
    const secrets = createSecrets({ sources, redactor });
    expect(redactor.text("ghp_0123456789")).toBe("ghp_0123456789");
    expect(await secrets.resolve([secret("GH_TOKEN"), secret("DB")])).toEqual({ GH_TOKEN: "ghp_0123456789", DB: "static-password" });
    expect(redactor.text("ghp_0123456789 static-password env-password")).toBe("[secret:GH_TOKEN] [secret:DB] env-password");
  });

  test.each(["MISSING", "EMPTY", "constructor", "__proto__"])("fail for %s by name, and the error holds no value", async (name) => {
    const secrets = createSecrets({ sources: [environmentSource(ENV)], redactor: createRedactor() });
    const failure = await secrets.resolve([secret("GH_TOKEN"), secret(name)]).catch((error) => error);
    expect(failure).toMatchObject({
      kind: "invalid_config",
      details: { reason: "secret_missing", names: [name], sources: ["environment"] },
    });
    expect(JSON.stringify([failure.message, failure.details])).not.toContain(ENV.GH_TOKEN);
  });

  test("that are too short to be redacted are told once, by name", async () => {
    const told: string[] = [];
    const redactor = createRedactor();
    const secrets = createSecrets({ sources: [environmentSource(ENV)], redactor, onUnredacted: (name) => told.push(name) });
    await secrets.resolve([secret("PIN"), secret("GH_TOKEN")]);
    await secrets.resolve([secret("PIN")]);
    expect(told).toEqual(["PIN"]);
    expect(redactor.text(`${ENV.GH_TOKEN} ${ENV.PIN}`)).toBe(`[secret:GH_TOKEN] ${ENV.PIN}`);
  });

  test("are taken from a source that has to wait", async () => {
    const source = { name: "vault", get: async (name: string) => `value of ${name}` };
    const secrets = createSecrets({ sources: [source], redactor: createRedactor() });
    expect(await secrets.resolve([secret("A")])).toEqual({ A: "value of A" });
  });
});
