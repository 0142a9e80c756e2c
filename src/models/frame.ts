/** A JSON object of unknown members: frames and errors of others, each member looked at before it is used. */
export interface Frame {
  readonly [key: string]: unknown;
}

export function asFrame(value: unknown): Frame | null {
  return typeof value === "object" && value !== null ? (value as Frame) : null;
}
