/** A folder to look into: an absolute real path, and the names that lead on from there, on which no link is followed. */
export interface EvidenceFolder {
  readonly base: string;
  readonly names: readonly string[];
}

/** What stands at a name; of a link the link itself. `absent` also when a folder on the way is not there or is none. */
export type EvidenceEntry =
  | { readonly is: "absent" | "folder" | "other" | "unreadable" }
  | {
      readonly is: "file";
      /** Changes when the file does, unless that is within one tick of the file system's clock. */
      readonly witness: string;
      readonly size_bytes: number;
      readonly mode: number;
    }
  | { readonly is: "link"; readonly target: string };

/** What is put back at a name: a file, a link, a folder, whatever is in it; `null`: nothing, so what stands there is taken away. */
export type EvidenceState = { readonly bytes: Uint8Array; readonly mode: number } | { readonly target: string } | "folder" | null;

/**
 * Small guarded files, looked at and put back beside what tools may touch, inside the roots and outside: for the evidence guard alone. No
 * link below a base is followed, nothing is waited for, and what the disk holds is no reason to throw.
 */
export interface EvidencePort {
  /** Real git folders of the workspace as it is now: `.git`, or where that leads, and the common one. */
  gitFolders(): Promise<readonly string[]>;
  /** One entry for each name. */
  look(folder: EvidenceFolder, leaves: readonly string[]): Promise<readonly EvidenceEntry[]>;
  /** Names in the folder in code-unit order, at most so many; `[]` when it is none. */
  list(folder: EvidenceFolder, most: number): Promise<readonly string[]>;
  /** The regular file there; `null` when there is none, or it cannot be read, or is larger. */
  read(folder: EvidenceFolder, leaf: string, maxBytes: number): Promise<Uint8Array | null>;
  /**
   * Makes the name be what it was, in one step. What stands there is replaced or removed; a folder, or a file with `aside`, is given
   * another name beside it instead, which is returned. Folders on the way that are missing are made, and a link or file where there was a
   * folder gives way. Kind: write_failed.
   */
  putBack(
    folder: EvidenceFolder,
    leaf: string,
    was: EvidenceState,
    options?: { readonly aside: boolean },
  ): Promise<{ readonly aside: string | null }>;
}
