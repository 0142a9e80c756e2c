/** What a call will do. Plain JSON: hashed, logged, shown and decided over as it is. */

/** A regular file as it is or will be on disk. `null` in its place means: there is no file. */
export type FileVersion = {
  readonly sha256: string;
  readonly size_bytes: number;
  /** Permission bits, such as 0o644. */
  readonly mode: number;
};

/**
 * How much the effect says.
 * `exact`: these very bytes or this very read, and nothing else; the executor refuses anything else.
 * `declared`: the tool's author says so; nothing enforces it.
 * `open`: at least this; the program may do more.
 */
export type Certainty = "exact" | "declared" | "open";

/**
 * Paths are absolute and real (links resolved). Those of a file tool are inside a root of the sandbox; those of a command may lie outside.
 * `also`: guarded paths that are the same file by another name (a hard link), found by the sandbox, so that `decide` stays pure.
 * `tree`: the path and everything below it.
 */
export type FileEffect = { readonly also?: readonly string[] } & (
  | { readonly kind: "file.read"; readonly sure: Certainty; readonly path: string; readonly tree?: true }
  | {
      readonly kind: "file.write";
      readonly sure: "exact";
      readonly path: string;
      readonly before: FileVersion | null;
      readonly after: FileVersion;
      /** Unified diff for people, bounded; never the source of what is written. */
      readonly diff: string;
    }
  | { readonly kind: "file.write"; readonly sure: "declared" | "open"; readonly path: string; readonly tree?: true }
  | { readonly kind: "file.delete"; readonly sure: "exact"; readonly path: string; readonly before: FileVersion }
  | { readonly kind: "file.delete"; readonly sure: "declared" | "open"; readonly path: string; readonly tree?: true }
);

/** A program that runs. */
export type CommandEffect = {
  readonly kind: "command";
  /** `declared`: the program is known to have only the effects listed beside it. `open`: it may do anything. */
  readonly sure: "declared" | "open";
  /** Decoded words of one simple command; the first is the program as written. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /**
   * Indexes of words in `argv`, ascending, whose value is only known when it runs: they stand there as written, and each may become no word
   * or several.
   */
  readonly dynamic?: readonly number[];
  /**
   * Where the program leads, worked out by the executor when the call is planned: the links that stand in its place one after the other, and
   * last the file itself, all in real folders. `null`: it cannot be told. Absent for a bare name that the PATH for commands does not have,
   * such as that of a builtin.
   */
  readonly program?: readonly string[] | null;
  /** These literal words are the whole script that starts it: nothing is joined, redirected, assigned or expanded. */
  readonly alone?: true;
};

/** A connection to a host: name or address as written, port from 0 to 65535. */
export type NetworkEffect = {
  readonly kind: "network";
  readonly sure: "declared" | "open";
  readonly host: string;
  readonly port: number;
};

/** Another agent, by name, that is given work. */
export type AgentEffect = { readonly kind: "agent"; readonly sure: "declared" | "open"; readonly name: string };

/**
 * Nothing is known: a tool without declared effects, or a command that cannot be parsed. `commands`: what is not known is which commands
 * run, so rules that forbid a command speak of it.
 */
export type UnknownEffect = { readonly kind: "unknown"; readonly sure: "open"; readonly reason: string; readonly commands?: true };

/** One thing that a call does. A permission is decided over these, and over nothing else. */
export type Effect = FileEffect | CommandEffect | NetworkEffect | AgentEffect | UnknownEffect;
