import { outsideFailure, problemFailure } from "./problem.ts";

/** A path as text, taken apart and not yet looked up. Empty parts and `.` are gone; `..` stays, since only links decide what it means. */
export interface PathText {
  readonly absolute: boolean;
  readonly parts: readonly string[];
  /** It ends in `/`, `.` or `..`, so that it can only mean a folder. */
  readonly mustBeFolder: boolean;
}

/** Linux's PATH_MAX. */
const MAX_PATH_BYTES = 4096;

/** Takes a path or a link's target apart. */
export function splitPath(text: string): PathText {
  const parts = text.split("/");
  const last = parts.at(-1);
  return {
    absolute: text.startsWith("/"),
    parts: parts.filter((part) => part !== "" && part !== "."),
    mustBeFolder: last === "" || last === "." || last === "..",
  };
}

/**
 * Takes apart a path that a model or a person gave. Refused are what no file system can hold, and text that is no Unicode: the system
 * would get another name than the rules were asked about.
 * @param kind what a bad path fails as; its reason is `invalid_path` or `name_too_long`.
 */
export function validPath(asked: string, kind: "read_failed" | "write_failed"): PathText {
  const wrong = asked === "" ? "empty" : asked.includes("\0") ? "nul" : /\p{Surrogate}/u.test(asked) ? "not_unicode" : null;
  if (wrong !== null) throw problemFailure(kind, asked, { reason: "invalid_path", more: { why: wrong } });
  if (byteLength(asked) > MAX_PATH_BYTES) throw problemFailure(kind, asked, { reason: "name_too_long" });
  return splitPath(asked);
}

/** As `validPath`, and a leading `~`, `~/` or `~user` is `outside_workspace`. */
export function confinedPath(asked: string, kind: "read_failed" | "write_failed"): PathText {
  if (asked.startsWith("~")) throw outsideFailure(asked, "home");
  return validPath(asked, kind);
}

/** Bytes of the text in UTF-8, as file systems count. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

const encoder = new TextEncoder();

/** The absolute path of some parts. */
export function joinPath(parts: readonly string[]): string {
  return `/${parts.join("/")}`;
}
