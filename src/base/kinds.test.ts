import { expect, test } from "vitest";
import { KINDS } from "./kinds.ts";

/** Scripts branch on these. A kind or status changes only with a breaking change. */
const STATUSES: Readonly<Record<number, string>> = {
  2: `
    invalid_args invalid_config model_not_supported no_prompt stdin_error unknown_tool unsupported_backend_capability
    unsupported_transport`,
  3: `
    bash_disabled outside_workspace permission_denied protected_path write_policy_denied`,
  4: `
    auth_read_failed auth_write_failed corrupt_auth device_auth_failed device_code_unsupported insecure_auth_transport
    no_account_id not_authenticated token_request_failed`,
  5: `
    corrupt_log_line ephemeral_not_loggable log_encode_failed log_read_failed log_write_failed resource_missing
    session_record_unavailable session_start_failed session_writer_active session_writer_ambiguous session_writer_lost
    session_writer_stale unsafe_state_path`,
  6: `
    backpressure changed_since_plan command_failed detached no_change no_match not_found not_unique read_failed tool_failed
    write_failed`,
  7: `
    context_overflow invalid_response network provider_http_error provider_refusal rate_limited stream_idle_timeout
    usage_limit_reached`,
  8: `
    budget_exceeded iteration_cap`,
  9: `
    suspended`,
  10: `
    outcome_unknown tool_result_record_failed`,
  70: `
    internal`,
  124: `
    timeout`,
  130: `
    cancelled`,
};

test("every kind has the exit status that is promised, and there is no other kind", () => {
  const promised = Object.entries(STATUSES).flatMap(([exit, kinds]) =>
    kinds
      .trim()
      .split(/\s+/)
      .map((kind) => [kind, Number(exit)]),
  );
  expect(Object.fromEntries(Object.entries(KINDS).map(([kind, { exit }]) => [kind, exit]))).toEqual(Object.fromEntries(promised));
});
