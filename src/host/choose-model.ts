import { chooseCredential } from "../auth/index.ts";
import { createModel, type Model } from "../models/index.ts";
import { type Host, tooShort } from "./host.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** The model that the options name, or the default of the one provider whose key is set. Kinds: as `chooseCredential` and `createModel`. */
export async function chooseModel(options: RuntimeOptions, { env, clock, redactor }: Host): Promise<Model> {
  if (typeof options.model === "object") return options.model;
  const { model, apiKey, notice } = chooseCredential({ model: options.model, apiKeyEnv: options.apiKeyEnv, env });
  if (notice !== null) options.onNotice?.(notice);
  // before the first request: from here on nothing that is shown, logged or sent to a model can hold the key
  if (apiKey && !redactor.add(apiKey.name, apiKey.value)) options.onNotice?.(tooShort(apiKey.name));
  return createModel({ id: model, baseUrl: options.baseUrl, apiKey, clock, idleTimeoutMs: options.idleTimeoutMs });
}
