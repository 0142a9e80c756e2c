import { accessSync, constants, realpathSync, statSync } from "node:fs";
import type { LocalDisk } from "./local-place.ts";
import { localReading } from "./local-read.ts";
import { localResolve } from "./local-resolve.ts";
import { descriptorTree, hasDescriptorPaths, pathTree } from "./local-tree.ts";
import { localWriting } from "./local-write.ts";
import { osCode, osProblem } from "./os-error.ts";
import type { SandboxPort } from "./port.ts";
import { notFoundFailure, problemFailure } from "./problem.ts";

export interface LocalFilesOptions {
  /** Absolute path of the folder that the file tools are confined to; may be a link to it. */
  readonly workspace: string;
  /** Further folders, absolute, that may be read and listed and not written. Asked at each use; they need not exist yet. */
  readonly readOnlyRoots?: () => readonly string[];
  /** What a leading `~` means in `resolve`; `null` when it is unknown. */
  readonly home: string | null;
  /** Guarded files that may exist, absolute: what a file with more than one link is compared with. */
  readonly guarded?: () => readonly string[];
  /**
   * `descriptors`: walk from a descriptor of the root (Linux with `/proc`; the default where it works). `paths`: look, open, compare. The
   * second is weaker: a program that exchanges a folder for a link at the right moment can have a file made outside.
   */
  readonly walk?: "descriptors" | "paths";
}

export type LocalFiles = Omit<SandboxPort, "exec" | "kind" | "processes">;

/**
 * The files of this machine. Methods never leave the roots, never let the system follow a link, and never wait on a pipe or device.
 * Kinds: not_found, read_failed (the workspace is no folder that can be read).
 */
export function localFiles(options: LocalFilesOptions): LocalFiles {
  const workspace = realFolder(options.workspace);
  const { readOnlyRoots = () => [], guarded = () => [] } = options;
  const known = new Map<string, string>();
  // once found, a root stays where it was: a link that is turned later leads nowhere
  const realRoot = (path: string): string => {
    const real = known.get(path) ?? realPath(path);
    if (real !== null) known.set(path, real);
    return real ?? path;
  };
  const byDescriptor = options.walk !== "paths" && hasDescriptorPaths(workspace);
  const disk: LocalDisk = {
    // macOS folds case and keeps it
    tree: byDescriptor ? descriptorTree : pathTree({ trueNames: process.platform === "darwin" }),
    roots: () => [{ path: workspace, writable: true }, ...readOnlyRoots().map((path) => ({ path: realRoot(path), writable: false }))],
    guarded,
  };
  return {
    workspace,
    newFileMode: 0o666 & ~process.umask(),
    ...localReading(disk),
    ...localWriting(disk),
    resolve: localResolve({ disk, home: options.home }),
  };
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    // not there yet
    return null;
  }
}

function realFolder(workspace: string): string {
  if (!workspace.startsWith("/")) throw problemFailure("read_failed", workspace, { reason: "invalid_path", more: { why: "not_absolute" } });
  let isFolder: boolean;
  let real: string;
  try {
    real = realpathSync.native(workspace);
    isFolder = statSync(real).isDirectory();
    accessSync(real, constants.R_OK | constants.X_OK);
  } catch (error) {
    throw osCode(error) === "ENOENT" ? notFoundFailure(workspace) : problemFailure("read_failed", workspace, osProblem(error));
  }
  if (!isFolder) throw problemFailure("read_failed", workspace, { reason: "not_a_directory" });
  return real;
}
