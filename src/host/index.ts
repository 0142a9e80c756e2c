export { chooseModel } from "./choose-model.ts";
export { hostOf } from "./host.ts";
export { type OpenSession, openSession } from "./open-session.ts";
export type { RuntimeOptions } from "./runtime-options.ts";
export { workspaceOf } from "./workspace.ts";
