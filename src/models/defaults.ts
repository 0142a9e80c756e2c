import { PROVIDERS } from "../base/providers.ts";

/** Each provider's model when none is named (as of 2026-11; the table and its source are in base/providers.ts). */
export const DEFAULT_MODELS = {
  anthropic: `anthropic/${PROVIDERS.anthropic.defaultModel}`,
  openai: `openai/${PROVIDERS.openai.defaultModel}`,
} as const;

/** The environment variable with each provider's key. */
export const KEY_ENV = {
  anthropic: PROVIDERS.anthropic.keyEnv,
  openai: PROVIDERS.openai.keyEnv,
  "openai-compatible": PROVIDERS["openai-compatible"].keyEnv,
} as const;
