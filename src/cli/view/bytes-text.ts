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

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
