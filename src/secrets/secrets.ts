import { fail } from "../base/fail.ts";
import type { SecretRef } from "../base/secret.ts";
import type { Redactor } from "./redactor.ts";

/** A place where values of secrets are kept. */
export interface SecretSource {
  /** Said in errors: `environment`. */
  readonly name: string;
  /** `undefined`: it has no such secret. An empty value counts as none. */
  get(secret: string): string | undefined | Promise<string | undefined>;
}

/** The environment of the host, taken as it is at each use. */
export function environmentSource(env: Readonly<Record<string, string | undefined>>): SecretSource {
  return { name: "environment", get: (secret) => (Object.hasOwn(env, secret) ? env[secret] : undefined) };
}

/** Values that the host program gives. */
export function staticSource(values: Readonly<Record<string, string>>): SecretSource {
  return { name: "static", get: (secret) => (Object.hasOwn(values, secret) ? values[secret] : undefined) };
}

export interface Secrets {
  /**
   * The values of these secrets by name, from the first source that has each. All of them are known to the redactor before any is given
   * out. Kind: invalid_config (`reason: "secret_missing"`, names, sources; never a value).
   */
  resolve(refs: readonly SecretRef[]): Promise<Readonly<Record<string, string>>>;
}

export interface SecretsOptions {
  /** The first that has a secret gives it. */
  readonly sources: readonly SecretSource[];
  readonly redactor: Redactor;
  /** Called once with the name of each secret whose value is shorter than 8 bytes, so that it is not redacted. */
  readonly onUnredacted?: (name: string) => void;
}

export function createSecrets({ sources, redactor, onUnredacted }: SecretsOptions): Secrets {
  const told = new Set<string>();
  return {
    async resolve(refs) {
      const found = await Promise.all(
        refs.map(async ({ name }): Promise<[string, string | undefined]> => [name, await first(sources, name)]),
      );
      const missing = found.flatMap(([name, value]) => (value === undefined ? [name] : []));
      if (missing.length > 0) {
        throw fail("invalid_config", `no value for the secret ${missing.join(", ")}`, {
          reason: "secret_missing",
          names: missing,
          sources: sources.map((source) => source.name),
        });
      }
      const values = found.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
      for (const [name, value] of values) {
        if (redactor.add(name, value) || told.has(name)) continue;
        told.add(name);
        onUnredacted?.(name);
      }
      return Object.fromEntries(values);
    },
  };
}

async function first(sources: readonly SecretSource[], name: string): Promise<string | undefined> {
  for (const source of sources) {
    const value = await source.get(name);
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}
