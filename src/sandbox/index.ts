/** The door of the sandbox: the port behind which files and processes live, and its adapters. */
export { gitFoldersOf } from "./git-folders.ts";
export { withHostLock } from "./host-lock.ts";
export { type LocalSandbox, type LocalSandboxOptions, localSandbox } from "./local.ts";
export { localEvidence } from "./local-evidence.ts";
export { type MemorySandbox, type MemorySandboxOptions, memorySandbox } from "./memory.ts";
export {
  type Access,
  type CommandGround,
  type CommandRun,
  type ConfinedBy,
  type DirectoryEntry,
  type ExecEnd,
  type ExecRequest,
  type FileContent,
  type FileStat,
  type FileStream,
  type Gate,
  type GitSettings,
  type Location,
  MAX_WHOLE_FILE_BYTES,
  type ProgramSurvey,
  type ReadSandbox,
  type Sandbox,
  type SandboxPort,
  type Survey,
  type WantedFiles,
} from "./port.ts";
