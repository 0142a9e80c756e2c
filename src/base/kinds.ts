/** What Collet knows about one kind of failure. */
export interface KindSpec {
  readonly origin: "tool" | "turn" | "log" | "provider" | "auth" | "cli" | "collet";
  /** Who can put it right: the model by another call, the user, the host program, or us. */
  readonly fixedBy: "model" | "user" | "host" | "collet";
  /** True when the very same call may succeed later. */
  readonly retryable: boolean;
  /** Exit status of the command line when it ends on this kind. */
  readonly exit: number;
  /** True for the kinds that Collet added to the vocabulary of the published contract. */
  readonly added?: true;
  /** One sentence, shown by `collet kinds` and in docs/kinds.md. */
  readonly means: string;
}

const tool = { origin: "tool", fixedBy: "model", retryable: false, exit: 6 } as const;
const denied = { origin: "tool", fixedBy: "user", retryable: false, exit: 3 } as const;
const turn = { origin: "turn", fixedBy: "user", retryable: false } as const;
const log = { origin: "log", fixedBy: "user", retryable: false, exit: 5 } as const;
const provider = { origin: "provider", fixedBy: "user", retryable: false, exit: 7 } as const;
const auth = { origin: "auth", fixedBy: "user", retryable: false, exit: 4 } as const;
const usage = { origin: "cli", fixedBy: "user", retryable: false, exit: 2 } as const;

/**
 * Every way in which a call, turn or command can fail. Kinds are public: adding one is a deliberate change, renaming or removing one a
 * breaking one. Callers branch on the kind, never on the message.
 */
export const KINDS = {
  invalid_args: { ...tool, exit: 2, means: "The arguments do not fit the tool's parameters, or a flag of the command line does not." },
  unknown_tool: { ...tool, exit: 2, means: "No tool of this name is in the set; the nearest names are in the details." },
  outside_workspace: { ...denied, fixedBy: "model", means: "A path lies outside every root that the sandbox may touch." },
  protected_path: { ...denied, means: "A guarded path (state, configuration, repository internals, secrets) that no rule names." },
  not_found: { ...tool, means: "There is no file, session or item of this name." },
  resource_missing: { ...log, means: "A blob that the log refers to is gone or altered." },
  no_match: { ...tool, means: "The text to replace is not in the file." },
  not_unique: { ...tool, means: "The text to replace occurs more than once." },
  read_failed: { ...tool, means: "The file exists and cannot be read: wrong type, no right, or an error of the disk." },
  write_failed: { ...tool, means: "The file cannot be written: wrong type, no right, no space, or an error of the disk." },
  command_failed: { ...tool, means: "A process could not be started. A process that ran and exited non-zero is no failure." },
  timeout: { ...tool, retryable: true, exit: 124, means: "The time limit ran out; what was printed until then is in the details." },
  permission_denied: { ...denied, means: "The rules, the mode or a person said no; the details name the rule and its source." },
  write_policy_denied: { ...denied, means: "The bounded write policy forbids this write; it ends the turn." },
  bash_disabled: {
    ...denied,
    fixedBy: "model",
    means: "There is no shell here, or not for this: sandbox, write policy or a read-only tool.",
  },
  detached: { ...tool, means: "A background job or child that the log knows and this process no longer holds." },
  backpressure: {
    ...tool,
    retryable: true,
    means: "A queue is full: too many commands at once, or events of a run that nobody took in time.",
  },
  iteration_cap: { ...turn, exit: 8, means: "The model still asked for tools when the turn's last iteration was used." },
  tool_result_record_failed: {
    ...turn,
    exit: 10,
    means: "The call ran and its result could not be recorded: its outcome is to be taken as unknown.",
  },
  session_record_unavailable: { ...turn, exit: 5, means: "The runtime or session was closed while a call still had to record." },
  unsafe_state_path: { ...log, means: "The state folder or a part of it is a link, belongs to another user, or is open to others." },
  corrupt_log_line: { ...log, means: "A line of the log is no event; the details give its number." },
  ephemeral_not_loggable: { ...log, fixedBy: "host", means: "A log or import holds an event that is only ever streamed." },
  log_encode_failed: { ...log, fixedBy: "collet", means: "An event cannot be written as JSON." },
  log_read_failed: { ...log, means: "The log cannot be read from disk." },
  log_write_failed: { ...log, means: "The log cannot be written to disk: no space, no right, or an error of the disk." },
  session_writer_active: { ...log, retryable: true, means: "Another process writes this session." },
  session_writer_stale: { ...log, means: "The writer of this session gives no sign of life; it can be taken over." },
  session_writer_ambiguous: { ...log, means: "It cannot be told whether the writer of this session lives." },
  session_writer_lost: { ...log, means: "This process is no longer the writer of the session." },
  provider_http_error: { ...provider, retryable: true, means: "The provider answered with an HTTP error." },
  model_not_supported: { ...provider, exit: 2, means: "The provider does not know the model, or Collet does not know the provider." },
  usage_limit_reached: { ...provider, means: "The account's quota is used up." },
  rate_limited: { ...provider, retryable: true, means: "The provider asks to slow down." },
  network: { ...provider, retryable: true, means: "The provider could not be reached, or the connection broke." },
  provider_refusal: { ...provider, fixedBy: "model", means: "The model or its provider refused to answer." },
  unsupported_transport: { ...provider, exit: 2, means: "The backend does not offer the transport that was asked for." },
  unsupported_backend_capability: { ...provider, exit: 2, means: "The backend cannot do what the request needs." },
  context_overflow: { ...provider, means: "The request is larger than the model's context." },
  stream_idle_timeout: { ...provider, retryable: true, means: "The provider's stream went silent for too long." },
  not_authenticated: { ...auth, means: "There is no credential for the provider, or it was refused." },
  insecure_auth_transport: { ...auth, means: "A credential would go over plain http to a host that is not this machine." },
  token_request_failed: { ...auth, retryable: true, means: "The token endpoint refused or failed." },
  no_account_id: { ...auth, means: "The login's token names no account." },
  invalid_response: { ...auth, exit: 7, retryable: true, means: "The answer of a provider or token endpoint breaks its protocol." },
  corrupt_auth: { ...auth, means: "The stored credentials are not what Collet writes." },
  auth_read_failed: { ...auth, means: "The stored credentials cannot be read." },
  auth_write_failed: { ...auth, means: "The credentials cannot be stored." },
  device_auth_failed: { ...auth, means: "The device login was refused or failed." },
  device_code_unsupported: { ...auth, means: "The provider offers no device login." },
  session_start_failed: { ...auth, exit: 5, means: "A session's folder cannot be made." },
  no_prompt: { ...usage, means: "There is nothing to do: no prompt in the arguments and none piped in." },
  stdin_error: { ...usage, means: "Standard input cannot be read." },

  tool_failed: { ...tool, added: true, fixedBy: "host", means: "A tool threw, or returned what is not JSON; the turn goes on." },
  cancelled: { ...turn, added: true, exit: 130, means: "The call or turn was interrupted before its end." },
  changed_since_plan: { ...tool, added: true, retryable: true, means: "A file is no longer what the plan read; nothing was written." },
  no_change: { ...tool, added: true, means: "The edit would leave the file as it is." },
  suspended: { ...turn, added: true, exit: 9, retryable: true, means: "The turn waits for an answer and can be resumed." },
  budget_exceeded: { ...turn, added: true, exit: 8, means: "A budget of the turn or session is used up." },
  outcome_unknown: { ...turn, added: true, exit: 10, means: "A call was interrupted and nobody can tell whether it took effect." },
  invalid_config: { ...usage, added: true, means: "A settings, policy or rule file cannot be used; the details give path and line." },
  internal: { origin: "collet", fixedBy: "collet", retryable: false, exit: 70, added: true, means: "A fault in Collet itself." },
} as const satisfies Record<string, KindSpec>;

/** The name of one kind of failure; see `KINDS`. */
export type Kind = keyof typeof KINDS;

/** Whether the text is the name of a kind that this version knows. */
export function isKind(value: string): value is Kind {
  return Object.hasOwn(KINDS, value);
}
