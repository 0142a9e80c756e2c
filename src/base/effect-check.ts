import type { JsonObject, JsonValue } from "./json.ts";

const CERTAINTIES = ["exact", "declared", "open"];

/** What is wrong with an effect that a tool's author made; `null` when it has the shape of its kind. */
export function effectProblem(effect: JsonValue): string | null {
  if (typeof effect !== "object" || effect === null || Array.isArray(effect)) return "each is an object";
  const { kind, sure, path, argv, cwd, host, port, name, reason } = effect as JsonObject;
  const isText = (value: unknown): boolean => typeof value === "string";
  if (!CERTAINTIES.includes(sure as string)) return `sure is one of ${CERTAINTIES.join(", ")}`;
  switch (kind) {
    case "file.read":
    case "file.write":
    case "file.delete":
      if (!isText(path)) return `${kind} needs its path`;
      return sure === "exact" && kind !== "file.read" ? exactProblem(effect as JsonObject) : null;
    case "command":
      return Array.isArray(argv) && argv.length > 0 && argv.every(isText) && isText(cwd)
        ? null
        : "command needs argv, a list of words, and cwd";
    case "network":
      return isText(host) && Number.isInteger(port) ? null : "network needs host and port";
    case "agent":
      return isText(name) ? null : "agent needs its name";
    case "unknown":
      return isText(reason) ? null : "unknown needs its reason";
    default:
      return `there is no effect of kind ${JSON.stringify(kind ?? null)}`;
  }
}

function exactProblem({ kind, before, after, diff }: JsonObject): string | null {
  if (!isVersion(before) && !(before === null && kind === "file.write")) return `an exact ${String(kind)} needs the version before`;
  if (kind === "file.write" && !(isVersion(after) && typeof diff === "string"))
    return "an exact file.write needs the version after, and its diff";
  return null;
}

function isVersion(value: JsonValue | undefined): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { sha256, size_bytes, mode } = value as JsonObject;
  return typeof sha256 === "string" && Number.isInteger(size_bytes) && Number.isInteger(mode);
}
