import { type ApiKey, type ApiKeyProblem, apiKeyProblem } from "../base/api-key.ts";
import { type Failure, fail } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { PROVIDERS, type ProviderName, parseModelId } from "../base/providers.ts";

export interface CredentialChoice {
  /** `provider/name` as asked for; undefined or empty: none was. */
  readonly model: string | undefined;
  /** Name of the environment variable with the key, in place of the provider's own. */
  readonly apiKeyEnv: string | undefined;
  readonly env: { readonly [name: string]: string | undefined };
}

export interface Credential {
  readonly model: string;
  /** `null`: none is sent. */
  readonly apiKey: ApiKey | null;
  /** What a person should read before the first request: which model was chosen for them. */
  readonly notice: string | null;
}

/**
 * Which model to ask and with which key. An empty variable counts as absent. Pure.
 *
 * Fails with `invalid_args` (malformed model, several providers to choose from, a name that is no variable), `model_not_supported` (unknown
 * provider) and `not_authenticated` (no key, or one that cannot be sent); `details.next_actions` holds commands to run as they stand, but
 * for `…`, `NAME` and `PROMPT`. No message or detail ever holds a key.
 */
export function chooseCredential({ model, apiKeyEnv, env }: CredentialChoice): Credential {
  if (model === undefined || model === "") return chooseByKey({ apiKeyEnv, env });
  const { provider } = parseModelId(model);
  const { keyEnv, needsKey } = PROVIDERS[provider];
  const name = apiKeyEnv === undefined ? keyEnv : checkedName(apiKeyEnv);
  const value = env[name] ?? "";
  if (value !== "") return { model, apiKey: usableKey({ name, value }), notice: null };
  if (!needsKey && apiKeyEnv === undefined) return { model, apiKey: null, notice: null };
  throw lacking(`${model} needs a key, and ${name} is not set`, {
    reason: "no_key",
    key: name,
    next_actions: [`export ${name}=…`, `collet run --model ${model} "PROMPT"${apiKeyEnv === undefined ? "" : ` --api-key-env ${name}`}`],
  });
}

/** Without a model the one key that is set tells the provider. */
function chooseByKey({ apiKeyEnv, env }: Omit<CredentialChoice, "model">): Credential {
  if (apiKeyEnv !== undefined) {
    const commands = withDefaults().map(([, id]) => `collet run --model ${id} --api-key-env ${checkedName(apiKeyEnv)} "PROMPT"`);
    throw misused("a key alone does not tell the model", { reason: "no_model", next_actions: commands });
  }
  const names = Object.keys(PROVIDERS) as ProviderName[]; // its very keys
  const found = names.filter((provider) => (env[PROVIDERS[provider].keyEnv] ?? "") !== "");
  const [only, second] = found;
  if (only === undefined) {
    throw lacking("there is no key for any provider", {
      reason: "no_key",
      next_actions: [...withDefaults().map(([provider]) => `export ${PROVIDERS[provider].keyEnv}=…`), localCommand()],
    });
  }
  if (second !== undefined) {
    const keys = found.map((provider) => PROVIDERS[provider].keyEnv);
    const next_actions = found.map((provider) => commandFor(provider));
    throw misused(`keys of several providers are set (${keys.join(", ")}): say which model to use`, {
      reason: "several_keys",
      keys,
      next_actions,
    });
  }
  const { keyEnv, defaultModel } = PROVIDERS[only];
  if (defaultModel === null) {
    throw misused(`${keyEnv} is set, and ${only} has no default model: name one`, {
      reason: "no_model",
      keys: [keyEnv],
      next_actions: [localCommand()],
    });
  }
  const apiKey = usableKey({ name: keyEnv, value: env[keyEnv] ?? "" });
  const model = `${only}/${defaultModel}`;
  return { model, apiKey, notice: `model ${model}, since ${keyEnv} is the only key that is set (choose with --model or COLLET_MODEL)` };
}

function withDefaults(): readonly (readonly [ProviderName, string])[] {
  return [
    ["anthropic", `anthropic/${PROVIDERS.anthropic.defaultModel}`],
    ["openai", `openai/${PROVIDERS.openai.defaultModel}`],
  ];
}

function commandFor(provider: ProviderName): string {
  const id = withDefaults().find(([name]) => name === provider)?.[1];
  return id === undefined ? localCommand() : `collet run --model ${id} "PROMPT"`;
}

function localCommand(): string {
  return 'collet run --model openai-compatible/NAME --base-url http://127.0.0.1:11434/v1 "PROMPT"';
}

/** Whoever types the key itself in place of its variable's name must not read it in an error, a log or a terminal's history of errors. */
function checkedName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) return name;
  throw misused("--api-key-env takes the name of an environment variable, not a key", {
    reason: "malformed_variable_name",
    next_actions: ['collet run --api-key-env MY_KEY "PROMPT"'],
  });
}

const PROBLEMS: { readonly [problem in ApiKeyProblem]: string } = {
  empty: "is empty",
  surrounding_blanks: "has blanks at its beginning or end",
  line_break: "holds a line break",
  control_character: "holds a control character",
  non_ascii: "holds a character that is not ASCII",
};

function usableKey(key: ApiKey): ApiKey {
  const problem = apiKeyProblem(key.value);
  if (problem === null) return key;
  throw lacking(`the key in ${key.name} ${PROBLEMS[problem]}, and cannot be sent`, {
    reason: problem,
    key: key.name,
    next_actions: [`export ${key.name}=…`],
  });
}

type Told = JsonObject & { readonly next_actions: readonly string[] };

function lacking(message: string, details: Told): Failure {
  return fail("not_authenticated", withActions(message, details), details);
}

function misused(message: string, details: Told): Failure {
  return fail("invalid_args", withActions(message, details), details);
}

function withActions(message: string, { next_actions }: Told): string {
  return `${message}. Next:\n${next_actions.map((command) => `  ${command}`).join("\n")}`;
}
