import type { Effect } from "../base/effect.ts";
import { type LiteralRedirection, NotUnderstood } from "./script.ts";

/** What a redirection does to a file, or over the network. `folder`: what relative targets are taken from, `null` when that is not known. */
export function redirectionEffects({ operator, descriptor, target }: LiteralRedirection, folder: string | null): readonly Effect[] {
  if (operator === ">&" || operator === "<&") {
    if (/^\d$/.test(target)) return [];
    throw new NotUnderstood(
      `\`${descriptor ?? ""}${operator}${target}\` is neither a copy of a descriptor nor a plain file; write \`&>\` for both outputs`,
    );
  }
  if (/^\/dev\/(?:null|tty|stdin|stdout|stderr|fd\/\d{1,3})$/.test(target)) return [];
  if (/^\/+dev\/+(?:tcp|udp)\//.test(target)) return [socketEffect(target)];
  const path = absolutePath(target, folder);
  const read: Effect = { kind: "file.read", sure: "open", path };
  const write: Effect = { kind: "file.write", sure: "open", path };
  if (operator === "<") return [read];
  return operator === "<>" ? [read, write] : [write];
}

/** `..` stays as it is: past a link it does not lead back, and only the sandbox can tell. */
function absolutePath(target: string, folder: string | null): string {
  if (target.startsWith("/")) return target;
  if (folder === null)
    throw new NotUnderstood(`a \`cd\` before it decides where ${target} lies; use an absolute path or the \`cwd\` argument`);
  return `${folder === "/" ? "" : folder}/${target.replace(/^(?:\.\/+)+/, "")}`;
}

/** Bash opens a socket for `/dev/tcp/HOST/PORT`. */
function socketEffect(target: string): Effect {
  const [, host, digits] = /^\/dev\/(?:tcp|udp)\/([^/]+)\/(\d{1,5})$/.exec(target) ?? [];
  if (host === undefined || digits === undefined) throw new NotUnderstood(`it redirects to ${target}, which may be a network address`);
  return { kind: "network", sure: "open", host, port: Number(digits) };
}
