import type { ApiKey } from "../base/api-key.ts";
import { fail } from "../base/fail.ts";
import { type ModelId, PROVIDERS } from "../base/providers.ts";

/**
 * Where a model's requests go: the given URL, or the provider's public one. Goes up to and including `/v1`; http or https; without
 * credentials, query and fragment. Returned without a slash at its end. Fails with `invalid_args`.
 */
export function baseUrlOf({ provider, name }: ModelId, given: string | undefined): string {
  const text = given ?? PROVIDERS[provider].baseUrl;
  if (text === null) {
    const command = `collet run --model ${provider}/${name} --base-url http://127.0.0.1:11434/v1 "PROMPT"`;
    throw fail("invalid_args", `${provider} needs the URL of its server, up to and including /v1, for example: ${command}`, {
      reason: "no_base_url",
      next_actions: [command],
    });
  }
  const url = parse(text);
  const wrong = (reason: string, why: string) => fail("invalid_args", `the base URL ${why}`, { reason });
  // the URL itself stays out of these messages: what is wrong with it may be a password in it
  if (url === null) throw wrong("malformed_base_url", "is no URL; it looks like http://127.0.0.1:11434/v1");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw wrong("base_url_scheme", "has to begin with https:// or http://");
  if (url.username !== "" || url.password !== "") throw wrong("base_url_credentials", "must not hold a user name or password");
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(text)) throw wrong("base_url_query", "must not hold a query or fragment");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** A key goes over plain http to this machine only; anything else is `insecure_auth_transport`, before a single byte is sent. */
export function checkKeyTransport(baseUrl: string, key: ApiKey | null): void {
  const url = new URL(baseUrl);
  if (key === null || url.protocol === "https:" || isLoopback(url.hostname)) return;
  throw fail("insecure_auth_transport", `${key.name} would go over plain http to ${url.host}; use https, or a server on this machine`, {
    host: url.host,
    key: key.name,
    scheme: "http",
  });
}

/** As the URL parser writes hosts: `127.1` and `0x7f.1` are 127.0.0.1 by now. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
