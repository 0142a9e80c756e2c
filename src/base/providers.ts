import { fail } from "./fail.ts";
import { nearestNames } from "./nearest.ts";

/** What Collet knows about a provider of models. */
export interface ProviderSpec {
  /** Environment variable with the key. */
  readonly keyEnv: string;
  /** False: a server that may want none, such as one on this machine. */
  readonly needsKey: boolean;
  /** Up to and including `/v1`; `null`: must be given. */
  readonly baseUrl: string | null;
  /** The model when none is named; `null`: one must be named. */
  readonly defaultModel: string | null;
}

/**
 * The providers, by the first part of a model's id. Default models as of 2026-11: the newest middle-sized general models in the lists of
 * `@ai-sdk/anthropic` 3.0.139 and `@ai-sdk/openai` 3.0.137.
 */
export const PROVIDERS = {
  anthropic: {
    keyEnv: "ANTHROPIC_API_KEY",
    needsKey: true,
    baseUrl: "https://api.anthropic.com/v1",
    defaultModel: "claude-sonnet-5-5",
  },
  openai: { keyEnv: "OPENAI_API_KEY", needsKey: true, baseUrl: "https://api.openai.com/v1", defaultModel: "gpt-6.1-sol" },
  "openai-compatible": { keyEnv: "COLLET_API_KEY", needsKey: false, baseUrl: null, defaultModel: null },
} as const satisfies Record<string, ProviderSpec>;

export type ProviderName = keyof typeof PROVIDERS;

/** A model's id, taken apart. */
export interface ModelId {
  readonly provider: ProviderName;
  /** The provider's own name for the model; it may hold slashes. */
  readonly name: string;
}

/**
 * Takes `provider/name` apart. Fails with `invalid_args` when it has not that form, and with `model_not_supported` for a provider that
 * Collet does not know; `details.nearest` holds what was likely meant.
 */
export function parseModelId(id: string): ModelId {
  const slash = id.indexOf("/");
  const provider = slash === -1 ? "" : id.slice(0, slash);
  const name = id.slice(slash + 1);
  // the name stands in a header-free body and in the log: any visible text will do, blanks and control characters are mistakes
  if (slash < 1 || name === "" || name.length > 256 || !/^[^\s\p{C}]+$/u.test(name)) {
    const nearest = slash === -1 && name !== "" ? [`${likelyProvider(name)}/${name}`] : [];
    const hint = nearest.length === 0 ? "" : `; did you mean ${nearest[0]}?`;
    const next_actions = commandsFor(nearest);
    const message = `a model is named provider/name, and ${JSON.stringify(id.slice(0, 256))} is not${hint}`;
    throw fail("invalid_args", withActions(message, next_actions), {
      reason: "malformed_model_id",
      model: id.slice(0, 256),
      providers: Object.keys(PROVIDERS),
      nearest,
      next_actions,
    });
  }
  if (isProvider(provider)) return { provider, name };
  const nearest = nearestNames(provider, Object.keys(PROVIDERS));
  const hint = nearest.length === 0 ? `Collet knows ${Object.keys(PROVIDERS).join(", ")}` : `did you mean ${nearest[0]}/${name}?`;
  const next_actions = commandsFor(nearest.map((known) => `${known}/${name}`));
  throw fail("model_not_supported", withActions(`there is no provider ${JSON.stringify(provider)}: ${hint}`, next_actions), {
    reason: "unknown_provider",
    model: id,
    providers: Object.keys(PROVIDERS),
    nearest: nearest.map((known) => `${known}/${name}`),
    next_actions,
  });
}

/** What was likely meant, and what is sure to be known; each to be run as it stands but for `PROMPT`. */
function commandsFor(nearest: readonly string[]): readonly string[] {
  const { anthropic, openai } = PROVIDERS;
  const ids = new Set([...nearest, `anthropic/${anthropic.defaultModel}`, `openai/${openai.defaultModel}`]);
  return [...ids].map((id) => `collet run --model ${id} "PROMPT"`);
}

/** The commands stand in the message too, for those who see nothing else. */
function withActions(message: string, next_actions: readonly string[]): string {
  return `${message}${message.endsWith("?") ? "" : "."} Next:\n${next_actions.map((command) => `  ${command}`).join("\n")}`;
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDERS, name);
}

function likelyProvider(name: string): ProviderName {
  if (name.startsWith("claude")) return "anthropic";
  return /^(gpt-\d|gpt$|o\d|chatgpt)/.test(name) ? "openai" : "openai-compatible";
}
