const mark: unique symbol = Symbol("collet.secret");

/** A secret by name: what stands in options, plans and logs. Its value is resolved when a process starts, and never before. */
export interface SecretRef {
  readonly [mark]: true;
  readonly name: string;
}

/**
 * Refers to a secret: `env: { GH_TOKEN: secret("GH_TOKEN") }`. By default the value comes from the environment variable of that name of
 * the process that hosts the runtime. The value is redacted wherever it would be shown, logged or sent to a model.
 */
export function secret(name: string): SecretRef {
  if (name === "") throw new TypeError("secret(): the name is empty");
  return Object.freeze({ [mark]: true as const, name });
}

export function isSecretRef(value: unknown): value is SecretRef {
  return typeof value === "object" && value !== null && mark in value;
}

/** What stands in the place of the value of the secret `name`; letters, digits and `_.:/@-` only, at most 64, whatever the name holds. */
export function secretMark(name: string): string {
  return `[secret:${name.replace(/[^A-Za-z0-9_.:/@-]/g, "_").slice(0, 64) || "_"}]`;
}
