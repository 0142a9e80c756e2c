import type { Clock } from "../base/clock.ts";
import type { EventListener } from "../executor/index.ts";
import type { Model } from "../models/index.ts";
import type { Permissions } from "../permissions/index.ts";
import type { SandboxPort } from "../sandbox/index.ts";
import type { Tool } from "../tools/index.ts";

/** What a host says when it makes a runtime. */
export interface RuntimeOptions {
  /** Folder that the tools work in, which must be there; no file tool touches anything outside. */
  readonly workspace: string;
  readonly permissions: Permissions;
  /** Where the rules of `permissions` come from, as decisions and logs say; default `api`. */
  readonly rulesFrom?: "api" | "flag";
  /**
   * True: rules are read from files as well, and what is allowed for the workspace at a question is kept: `permissions.json` in the
   * configuration folder and in `.collet/` of the workspace, and the approvals in the state folder. A file that is there and cannot be used
   * is `invalid_config`, and nothing runs. Default: false, no file has a say.
   */
  readonly rulesFiles?: boolean;
  /** True: `permissions.mode` holds only where the user's own file names none. Default: false. */
  readonly modeIsDefault?: boolean;
  /**
   * What may be written at most, whatever rules and mode allow: a bounded write policy as JSON, as written or in the normal form that
   * `readWritePolicy` and `narrowWritePolicy` give. Default: there is none.
   */
  readonly writePolicy?: unknown;
  /**
   * True: sessions look and make a plan, and change nothing. The mode must be `read_only`, the model is told so, the log says it, and the
   * default tools are `readOnlyTools()`.
   */
  readonly plan?: boolean;
  /** Default: `codingTools()`. */
  readonly tools?: readonly Tool[];
  /** `provider/name` or a model value; needed by `session` only. Default there: that of the one provider whose key is set. */
  readonly model?: string | Model;
  /** Up to and including `/v1`. */
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the provider's key; default: the provider's own. */
  readonly apiKeyEnv?: string;
  /** How long the provider may be silent, in ms; default 120,000. Five times as long, when comments and pings are all that comes. */
  readonly idleTimeoutMs?: number;
  /** Default: `$COLLET_STATE_DIR`, else `$XDG_STATE_HOME/collet`, else `~/.local/state/collet`. */
  readonly stateDir?: string;
  /** Model requests in one turn at most; default 100. */
  readonly maxIterations?: number;
  /** Values of secrets by name, looked up before the environment. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Environment of the host; default: that of this process. Commands get a small part of it, tools none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** False: nothing is written to the state folder. Default true. */
  readonly log?: boolean;
  /** Default: the files and processes of this machine. `workspace` is then that of the sandbox. */
  readonly sandbox?: SandboxPort;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Called with every event, logged or streamed, in order. Must not throw. */
  readonly onEvent?: EventListener;
  /** Called with what a person should read before anything runs, such as which model was chosen for them. */
  readonly onNotice?: (text: string) => void;
}
