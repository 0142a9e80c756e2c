import type { JsonObject } from "../../base/json.ts";

export function bytesText(size: number): string {
  if (size < 1024) return counted(size, "byte");
  const [value, unit] = size < 1024 ** 2 ? [size / 1024, "KiB"] : size < 1024 ** 3 ? [size / 1024 ** 2, "MiB"] : [size / 1024 ** 3, "GiB"];
  return `${value.toFixed(1)} ${unit}`;
}

export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Tokens of a turn or session; "" where they were not told. */
export function tokensText({ input_tokens: input, output_tokens: output }: JsonObject): string {
  return typeof input === "number" && typeof output === "number" ? `${input} tokens in, ${output} out` : "";
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
