import type { Survey } from "../sandbox/port.ts";
import { gitSettingThatRuns, type Look } from "../shell/index.ts";

/** What the reader of scripts asks about the disk, answered by what a plan may look at. */
export function lookOf(survey: Survey): Look {
  return {
    kind: (path) => survey.kind(path),
    names: (folder) => survey.names(folder),
    tree: (folder) => survey.tree(folder),
    program: (spelled, cwd) => survey.program(spelled, cwd),
    async gitRuns(folder) {
      const texts = await survey.gitSettings(folder);
      if (texts === null) return "the settings of its repository cannot be read";
      return texts.map(gitSettingThatRuns).find((setting) => setting !== null) ?? null;
    },
    variables: survey.variables,
  };
}
