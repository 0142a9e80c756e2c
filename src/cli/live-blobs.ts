import path from "node:path";
import { type BlobRef, blobTexts, workspaceKey } from "../log/index.ts";
import type { Place } from "./place.ts";

/** The folder of a session of this place, whether it is there or not. */
export function sessionDirOf({ stateDir, workspace }: Place, sessionId: string): string {
  return path.join(stateDir, "workspaces", workspaceKey(workspace), "sessions", sessionId);
}

/** For a live view: the texts that a session's events refer to, which lie beside its log. `sessionId` may become known later. */
export function liveBlobs(place: Place, sessionId: () => string | null): (ref: BlobRef) => string | undefined {
  return (ref) => {
    const id = sessionId();
    // what is gone in the moment is shown as a reference, and told by `sessions show`
    return id === null ? undefined : blobTexts(sessionDirOf(place, id), () => {})(ref);
  };
}
