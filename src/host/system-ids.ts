import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";

/** Ids that no other process makes; a session's begins with the day and time, UTC, so that folders sort by it. */
export function systemIds(clock: Clock): Ids {
  return {
    session() {
      const [day = "", time = ""] = new Date(clock.now()).toISOString().split("T");
      return `${day.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${randomBytes(4).toString("hex")}`;
    },
    event: () => randomUUID(),
  };
}
