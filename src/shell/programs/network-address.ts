/** Where a URL leads, when that is plain to see. */
import type { Address } from "../doing.ts";
import type { UnknownWord } from "../word.ts";

/** Ports of the schemes that programs in the table of programs know. Source: the IANA registries of schemes and ports. */
const PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ws: 80,
  wss: 443,
  ftp: 21,
  ftps: 990,
  ssh: 22,
  sftp: 22,
  scp: 22,
  "git+ssh": 22,
  "ssh+git": 22,
  git: 9418,
  rsync: 873,
};

/** Host and port of a URL with a scheme; `null` when it has none, a scheme without a known port, or a host that two readers may read in two ways. */
export function addressOfUrl(url: string): Address | null {
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(url) ?? [];
  const port = PORTS[scheme.toLowerCase()];
  // a backslash ends the host for some, and not for others
  if (port === undefined || /[\\\s\p{C}]/u.test(url)) return null;
  return addressOfAuthority(authority, port);
}

/**
 * What a URL begins with whose end is not known, up to the end of its host, or what each of several words begins with, all of the same host;
 * `null`: the host is not known.
 */
export function urlStart({ prefix, single, below }: UnknownWord): string | null {
  const [known] = /^https?:\/\/[^/?#{}[\]]+[/?#]/i.exec(prefix) ?? [];
  if (known === undefined) return null;
  return single || below?.every((start) => `${start}/`.startsWith(known)) ? known : null;
}

/** The same for what stands where a URL has its host: `user@host:port`. */
export function addressOfAuthority(authority: string, defaultPort: number): Address | null {
  const [, name = "", port] =
    /^(?:[^@[\]]*@)?(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?)(?::(\d{1,5}))?$/i.exec(authority) ?? [];
  const number = port === undefined ? defaultPort : Number(port);
  if (name === "" || number > 65535) return null;
  return { host: name.replace(/^\[|\]$|\.$/g, "").toLowerCase(), port: number };
}

/** What stands before the colon of `user@host:path`, brackets included; `null` for a path, such as `./a:b`. Linear, unlike a pattern for it. */
export function hostOfCopy(place: string): string | null {
  const bracket = place.indexOf("[");
  const isBracketed = bracket !== -1 && !/[/:]/.test(place.slice(0, bracket));
  const colon = place.indexOf(":", isBracketed ? place.indexOf("]", bracket) + 1 : 0);
  const host = place.slice(0, colon);
  return colon <= 0 || host.includes("/") ? null : host;
}
