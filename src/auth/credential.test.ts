import { describe, expect, test } from "vitest";
import { isFailure } from "../base/fail.ts";
import { DEFAULT_MODELS } from "../models/index.ts";
import { chooseCredential } from "./index.ts";

const A = { ANTHROPIC_API_KEY: "sk-ant-secret" };
const O = { OPENAI_API_KEY: "sk-oai-secret" };
const C = { COLLET_API_KEY: "sk-col-secret" };

function failureOf(choice: { model?: string; apiKeyEnv?: string; env: { [name: string]: string } }) {
  try {
    chooseCredential({ model: choice.model, apiKeyEnv: choice.apiKeyEnv, env: choice.env });
    return null;
  } catch (error) {
    if (!isFailure(error)) throw error;
    // the commands stand in the message too
    for (const command of (error.details.next_actions as string[] | undefined) ?? []) expect(error.message).toContain(command);
    expect(JSON.stringify([error.message, error.details])).not.toMatch(/secret/);
    return { kind: error.kind, ...error.details };
  }
}

describe("with a model, chooseCredential", () => {
  test.each([
    ["anthropic/x", { name: "ANTHROPIC_API_KEY", value: "sk-ant-secret" }],
    ["openai/x", { name: "OPENAI_API_KEY", value: "sk-oai-secret" }],
    ["openai-compatible/x", { name: "COLLET_API_KEY", value: "sk-col-secret" }],
  ])("takes the key of its provider for %s", (model, apiKey) => {
    expect(chooseCredential({ model, apiKeyEnv: undefined, env: { ...A, ...O, ...C } })).toEqual({ model, apiKey, notice: null });
  });

  test("sends no key to an openai-compatible server when there is none, and never another's", () => {
    expect(chooseCredential({ model: "openai-compatible/x", apiKeyEnv: undefined, env: { ...A, ...O } }).apiKey).toBeNull();
    expect(chooseCredential({ model: "openai-compatible/x", apiKeyEnv: undefined, env: { COLLET_API_KEY: "" } }).apiKey).toBeNull();
  });

  test("takes the key that is named", () => {
    const env = { ...O, MY_KEY: "mine-secret" };
    expect(chooseCredential({ model: "openai/x", apiKeyEnv: "MY_KEY", env }).apiKey).toEqual({ name: "MY_KEY", value: "mine-secret" });
  });

  test.each(["openai/x", "openai-compatible/x"])("wants the key that is named to be there for %s", (model) => {
    for (const env of [
      { ...O, ...C },
      { ...O, ...C, MY_KEY: "" },
    ]) {
      expect(failureOf({ model, apiKeyEnv: "MY_KEY", env })).toMatchObject({ kind: "not_authenticated", reason: "no_key", key: "MY_KEY" });
    }
  });

  test.each(["sk-ant-secret-typed-here", "A B", "", "1KEY", "A=secret"])("takes %j for no name, and does not repeat it", (apiKeyEnv) => {
    expect(failureOf({ model: "openai/x", apiKeyEnv, env: O })).toMatchObject({ kind: "invalid_args", reason: "malformed_variable_name" });
    expect(failureOf({ apiKeyEnv, env: O })).toMatchObject({ kind: "invalid_args" });
  });

  test("says what to do when its provider's key is missing", () => {
    expect(failureOf({ model: "anthropic/x", env: O })).toEqual({
      kind: "not_authenticated",
      reason: "no_key",
      key: "ANTHROPIC_API_KEY",
      next_actions: ["export ANTHROPIC_API_KEY=…", 'collet run --model anthropic/x "PROMPT"'],
    });
  });

  test.each([
    ["sk-secret\n", "line_break"],
    [" sk-secret", "surrounding_blanks"],
    ["sk-secret\u200b", "non_ascii"],
    ["sk-\u0007secret", "control_character"],
  ])("refuses the key %j", (value, reason) => {
    expect(failureOf({ model: "openai/x", env: { OPENAI_API_KEY: value } })).toMatchObject({ kind: "not_authenticated", reason });
    expect(failureOf({ env: { OPENAI_API_KEY: value } })).toMatchObject({ kind: "not_authenticated", reason });
  });

  test("refuses what is no model", () => {
    expect(failureOf({ model: "gpt-6", env: O })).toMatchObject({ kind: "invalid_args", nearest: ["openai/gpt-6"] });
    expect(failureOf({ model: "opnai/gpt-6", env: O })).toMatchObject({ kind: "model_not_supported", nearest: ["openai/gpt-6"] });
  });
});

describe("without a model, chooseCredential", () => {
  test.each([
    [A, DEFAULT_MODELS.anthropic],
    [O, DEFAULT_MODELS.openai],
    [{ ...O, ANTHROPIC_API_KEY: "" }, DEFAULT_MODELS.openai],
  ])("takes the default of the one provider whose key is set, and says so", (env, model) => {
    const chosen = chooseCredential({ model: undefined, apiKeyEnv: undefined, env });
    expect(chosen.model).toBe(model);
    expect(chosen.notice).toContain(model);
    expect(chosen.notice).not.toContain("secret");
    expect(chooseCredential({ model: "", apiKeyEnv: undefined, env })).toEqual(chosen);
  });

  test("is not_authenticated when there is no key", () => {
    expect(failureOf({ env: {} })).toEqual({
      kind: "not_authenticated",
      reason: "no_key",
      next_actions: [
        "export ANTHROPIC_API_KEY=…",
        "export OPENAI_API_KEY=…",
        'collet run --model openai-compatible/NAME --base-url http://127.0.0.1:11434/v1 "PROMPT"',
      ],
    });
  });

  test("is invalid_args when there are several", () => {
    expect(failureOf({ env: { ...A, ...O } })).toEqual({
      kind: "invalid_args",
      reason: "several_keys",
      keys: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"],
      next_actions: [`collet run --model ${DEFAULT_MODELS.anthropic} "PROMPT"`, `collet run --model ${DEFAULT_MODELS.openai} "PROMPT"`],
    });
    expect(failureOf({ env: { ...A, ...C } })).toMatchObject({ kind: "invalid_args", reason: "several_keys" });
  });

  test("is invalid_args when the one key is of a provider without a default, or only named", () => {
    expect(failureOf({ env: C })).toMatchObject({ kind: "invalid_args", reason: "no_model" });
    expect(failureOf({ apiKeyEnv: "MY_KEY", env: { MY_KEY: "x-secret" } })).toMatchObject({ kind: "invalid_args", reason: "no_model" });
  });
});
