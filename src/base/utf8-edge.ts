const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** The largest end up to `end` that splits no UTF-8 character of `bytes`; in bytes that are no UTF-8 at most 3 less. */
export function characterEnd(bytes: Uint8Array, end: number): number {
  let lead = end - 1;
  while (lead > 0 && lead > end - 4 && isContinuation(bytes[lead])) lead--;
  const byte = bytes[lead] ?? 0;
  const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead >= 0 && lead + size > end ? lead : end;
}

/** The smallest start from `start` on that splits no UTF-8 character of `bytes`; in bytes that are no UTF-8 at most 3 more. */
export function characterStart(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < start + 3 && isContinuation(bytes[at])) at++;
  return at;
}
