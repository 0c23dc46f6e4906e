import type { ErrorCode } from './errors.ts';

/** Facts for developers beside the sentence of an error, as `/docs/errors` shows them. */
export const errorNotes: { readonly [code in ErrorCode]?: string } = {
  input_invalid: '`errors` names the fields that are missing, unknown or wrong.',
  request_invalid: 'Two HTTP servers could parse the request differently.',
  json_invalid: 'An empty body with a JSON content type is not valid JSON either.',
  body_too_large: 'JSON bodies are limited to 1 MiB unless the call states another limit.',
  upload_invalid: 'The form is incomplete, sent nothing for 60 seconds, or has the file in the wrong field.',
  archive_invalid: 'The file is not a ZIP archive. Other faults of an archive are found by the build, and the deployment ends as `failed`.',
  not_signed_in: 'The token is missing, unknown, revoked or expired.',
  second_factor_required: 'The password or the provider was accepted. Repeat the call with the code.',
  oauth_state_invalid: 'The state is unknown, already used, older than 10 minutes, or belongs to another sign-in.',
  provider_unavailable: 'The provider did not respond within 9 seconds, sent an invalid response, or rejected this installation.',
  second_factor_off: 'A setup that was not completed within an hour has to be started again.',
  sign_in_again: 'The session must have been started within the last 10 minutes.',
  scope_missing: 'The problem names the missing scope.',
  origin_refused: 'A page from another origin tried to open a live log.',
  method_not_allowed: 'The header `Allow` lists the accepted methods.',
  api_keys_too_many: 'A team can have at most 100 active keys.',
  api_key_exceeds_own:
    'The new key may not have scopes that this key lacks, live longer, be live if this is a test key, or belong to someone else.',
  sample_not_found: 'A sample is a folder of `examples/`.',
  plan_limit_reached: 'The problem names the limit and the plan that raises it.',
  provider_not_configured: 'The problem names the missing settings.',
  policy_refused: 'The problem names the policy and the rule.',
  access_review_undecided: 'The problem says how many entries are undecided.',
  channels_too_many: 'A team can have at most 10 channels.',
  backups_too_many: 'A database can have at most 10 manual backups.',
  deployment_cannot_answer: 'The problem says what to do.',
  database_mode_unavailable: 'The problem says why.',
  database_not_ready: 'It is stopped, starting, restoring or failed.',
  too_many_attempts: 'The header `Retry-After` gives the seconds to wait.',
  too_many_requests:
    'The API key exceeded its rate limit, or too many live logs, searches, exports, tests or requests to agents are running at once. The header `Retry-After` gives the seconds to wait.',
  disk_full: 'You can still delete, stop and sign in.',
  unavailable: 'The header `Retry-After` gives the seconds to wait.',
  internal: 'The server log has the cause under the same request id.',
};
