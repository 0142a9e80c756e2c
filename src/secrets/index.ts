export type { ByteRedactor } from "./byte-redactor.ts";
export { createRedactor, type Redactor, type TextRedactor } from "./redactor.ts";
export { createSecrets, environmentSource, type SecretSource, type Secrets, type SecretsOptions, staticSource } from "./secrets.ts";
export { MIN_VALUE_BYTES } from "./spellings.ts";
