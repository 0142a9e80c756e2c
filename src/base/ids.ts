/** Where identities come from: an argument, so that tests have the same ones each time. */
export interface Ids {
  /** `20261130-153401-k3f9x2ab`: sorts by time, can be typed, and is a safe file name. */
  session(): string;
  /** Unique over all events of all sessions. */
  event(): string;
}
