import { mkdirSync, rmdirSync } from "node:fs";
import type { LocalDisk } from "./local-place.ts";
import { quietly } from "./local-publish.ts";
import { at, type Folder } from "./local-tree.ts";
import { osCode, osProblem } from "./os-error.ts";
import { changedFailure, problemFailure } from "./problem.ts";
import type { Place } from "./walk.ts";

/** Missing folders on the way to a file: made one by one, each through the folder above, and taken away again when the write fails. */
export class MissingFolders {
  readonly #disk: LocalDisk;
  readonly #asked: string;
  readonly #made: { readonly above: Folder; readonly name: string }[] = [];
  readonly #open: Folder[] = [];

  constructor(disk: LocalDisk, asked: string) {
    this.#disk = disk;
    this.#asked = asked;
  }

  /** Makes what is missing; returns the file's own folder and name. Kinds: write_failed, changed_since_plan. */
  make(place: Place<Folder>): { readonly folder: Folder; readonly name: string } {
    const names = [...place.below];
    const name = names.pop();
    let folder = place.folder;
    if (folder === null || name === undefined) throw problemFailure("write_failed", this.#asked, { reason: "moved" });
    for (const missing of names) folder = this.#enter(folder, missing);
    return { folder, name };
  }

  #enter(above: Folder, name: string): Folder {
    writingOf(this.#asked, () => {
      try {
        mkdirSync(at(above, name));
        this.#made.push({ above, name });
      } catch (error) {
        // another call may have made it since the walk
        if (osCode(error) !== "EEXIST") throw error;
      }
    });
    const entered = this.#disk.tree.enter(above, name);
    if (entered.is === "problem") throw problemFailure("write_failed", this.#asked, entered.problem);
    // a link or nothing, where a folder was a moment ago
    if (entered.is !== "folder") throw changedFailure(this.#asked, null, undefined);
    this.#open.push(entered.folder);
    return entered.folder;
  }

  undo(): void {
    for (const { above, name } of this.#made.reverse()) {
      // a folder that someone else uses by now is not empty, and stays
      quietly(() => rmdirSync(at(above, name)));
    }
  }

  release(): void {
    for (const folder of this.#open) this.#disk.tree.release(folder);
  }
}

/** Runs a step that writes, and tells what the system says as `write_failed`. */
export function writingOf<T>(asked: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw osCode(error) === "" ? error : problemFailure("write_failed", asked, osProblem(error));
  }
}
