import type { Survey } from "../sandbox/port.ts";
import { gitSettingThatRuns, isStandIn, type Look } from "../shell/index.ts";

/** What the reader of scripts asks about the disk, answered by what a plan may look at. */
export function lookOf(survey: Survey): Look {
  return {
    kind: (path) => survey.kind(path),
    names: (folder) => survey.names(folder),
    text: (path) => survey.text(path),
    tree: (folder) => survey.tree(folder),
    async program(spelled, cwd) {
      const { standing, places } = await survey.program(spelled, cwd);
      // which program a stand-in starts is chosen by files of the folder
      return standing === "trusted" && places.some(isStandIn) ? "other" : standing;
    },
    async gitRuns(folder) {
      const settings = await survey.gitSettings(folder);
      // outside of a repository some of its reads take any path
      if (settings === "no_repository") return "there is no repository";
      if (settings === "unknown") return "the settings of its repository cannot be told";
      return settings.map(({ text, of }) => gitSettingThatRuns(text, of)).find((setting) => setting !== null) ?? null;
    },
    gitTracked: (folder) => survey.gitTracked(folder),
    variables: survey.variables,
  };
}
