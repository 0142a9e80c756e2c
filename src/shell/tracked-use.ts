import type { Word } from "./word.ts";

/**
 * Content of files that its repository tracks, as a read of git shows it. Absent words: all of them, but what is said of `here` and
 * `objectsOnly`. Which of the files are secrets is looked up; those that it reaches count as read.
 */
export interface TrackedUse {
  /** Pathspecs: it shows no more than these name. */
  readonly paths?: readonly Word[];
  /** Each a pathspec when something of that name is there, and else a revision. */
  readonly perhaps?: readonly Word[];
  readonly revisions?: readonly Word[];
  /** Paths in revisions, such as `a` in `HEAD:a`: from the top of the work tree, or with `./` or `../` from the folder. */
  readonly objects?: readonly string[];
  /** Without paths it shows what lies below the folder, and not all that is tracked. */
  readonly here?: true;
  /** A revision may name the content of a file, which is shown whatever the paths are. */
  readonly blobs?: true;
  /** Nothing but what revisions and `objects` name is shown, and of a commit no content. */
  readonly objectsOnly?: true;
  /** Without revisions it shows only files that are not as they were added. */
  readonly changes?: true;
  /** It shows all, whatever the words say. */
  readonly all?: true;
}
