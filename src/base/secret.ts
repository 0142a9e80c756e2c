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
