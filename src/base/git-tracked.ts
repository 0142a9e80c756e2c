/** What a repository tracks of files that are to be looked out for. */
export interface GitTracked {
  /** Real path of the folder that was asked about, and of the top of the repository's work tree. */
  readonly folder: string;
  readonly top: string;
  /**
   * Those files by their names in the work tree, also of repositories inside it. `changed`: false when the file is surely as it was added. `real`:
   * where a link in the place of a folder leads to, in which the file is read by what goes through links.
   */
  readonly files: readonly { readonly path: string; readonly changed: boolean; readonly real?: string }[];
}
