import { billingErrors } from './errors-billing.ts';
import { governanceErrors } from './errors-governance.ts';
/**
 * Every error that a caller can receive. The code is stable, the detail may be reworded. `detail` is the default sentence for the user; a
 * throw may give a more exact one.
 */
export const errors = {
  input_invalid: { status: 422, title: 'Invalid input', detail: 'Some fields are missing or wrong.' },
  request_invalid: { status: 400, title: 'Invalid request', detail: 'The request is not valid HTTP/1.1, or it is ambiguous.' },
  json_invalid: { status: 400, title: 'Invalid JSON', detail: 'The request body is not valid JSON.' },
  body_too_large: { status: 413, title: 'Too large', detail: 'The request body is larger than this call accepts.' },
  media_type_unsupported: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'Send JSON (Content-Type: application/json), or multipart/form-data for a file upload.',
  },
  upload_invalid: { status: 400, title: 'Invalid upload', detail: 'The upload is not a complete multipart form.' },
  archive_invalid: { status: 400, title: 'Invalid archive', detail: 'The file is not a ZIP archive that can be deployed.' },
  archive_too_large: { status: 413, title: 'Archive too large', detail: 'The ZIP file is larger than 250 MB.' },
  not_signed_in: { status: 401, title: 'Not signed in', detail: 'Sign in to continue.' },
  credentials_wrong: { status: 401, title: 'Sign-in failed', detail: 'The e-mail address or the password is wrong.' },
  second_factor_required: {
    status: 401,
    title: 'Code required',
    detail: 'This account uses two-factor sign-in. Enter the code from your authenticator app.',
  },
  second_factor_wrong: { status: 401, title: 'Wrong code', detail: 'The code is wrong or was already used.' },
  oauth_state_invalid: { status: 400, title: 'Invalid state', detail: 'Invalid OAuth state (CSRF protection)' },
  provider_refused: { status: 400, title: 'Not accepted', detail: 'The provider did not confirm this sign-in. Start again.' },
  provider_email_missing: {
    status: 400,
    title: 'No e-mail address',
    detail: 'The provider did not share a usable e-mail address. Add one to your account there and allow Paddock to read it.',
  },
  provider_unavailable: {
    status: 502,
    title: 'Provider unavailable',
    detail: 'The provider is not responding correctly. Try again in a moment, or sign in another way.',
  },
  password_wrong: { status: 403, title: 'Wrong password', detail: 'The current password is wrong.' },
  code_wrong: { status: 403, title: 'Wrong code', detail: 'The code is wrong or was already used.' },
  sign_in_again: {
    status: 403,
    title: 'Sign in again',
    detail: 'This account has no password. Sign out and in again, then do this within 10 minutes.',
  },
  scope_missing: { status: 403, title: 'Scope missing', detail: 'This API key lacks a scope that the call needs.' },
  session_needed: { status: 403, title: 'Sign-in required', detail: 'API keys are not allowed to do this. Sign in instead.' },
  origin_refused: { status: 403, title: 'Origin refused', detail: 'This page may not open a connection here.' },
  route_not_found: { status: 404, title: 'Not found', detail: 'There is no such call. The list of calls is at /docs.' },
  method_not_allowed: { status: 405, title: 'Method not allowed', detail: 'This address does not accept that method.' },
  project_not_found: { status: 404, title: 'Not found', detail: 'There is no such project.' },
  deployment_not_found: { status: 404, title: 'Not found', detail: 'There is no such deployment.' },
  variables_too_large: {
    status: 409,
    title: 'Too many variables',
    detail: 'An environment can have at most 500 variables, and 512 KiB of names and values in total. Nothing was set.',
  },
  variable_not_found: { status: 404, title: 'Not found', detail: 'There is no such variable in this environment.' },
  identity_not_found: { status: 404, title: 'Not found', detail: 'This provider is not linked to your account.' },
  session_not_found: { status: 404, title: 'Not found', detail: 'There is no such session.' },
  sample_not_found: { status: 404, title: 'Not found', detail: 'There is no sample agent with that name.' },
  api_key_not_found: { status: 404, title: 'Not found', detail: 'There is no such API key.' },
  api_key_exceeds_own: {
    status: 403,
    title: 'Exceeds this key',
    detail: 'An API key can only create or rotate keys with no more permissions than its own.',
  },
  email_taken: { status: 409, title: 'Already registered', detail: 'An account with this e-mail address already exists. Sign in instead.' },
  provider_not_configured: { status: 409, title: 'Not configured', detail: 'This provider is not configured on this installation.' },
  account_not_linked: {
    status: 409,
    title: 'Sign in first',
    detail: 'An account with this e-mail address already exists. Sign in with its password first, then link the provider in the settings.',
  },
  identity_taken: { status: 409, title: 'Linked elsewhere', detail: 'This account at the provider is linked to another Paddock account.' },
  provider_linked: { status: 409, title: 'Already linked', detail: 'Another account at this provider is already linked. Unlink it first.' },
  last_way_in: {
    status: 409,
    title: 'Only way in',
    detail: 'This is the only way to sign in to your account. Set a password or link another provider first.',
  },
  link_invalid: {
    status: 410,
    title: 'Link no longer valid',
    detail: 'This link was already used, has expired, or was replaced by a newer one. Request a new one.',
  },
  second_factor_on: { status: 409, title: 'Already on', detail: 'Two-factor sign-in is already on.' },
  second_factor_off: { status: 409, title: 'Not on', detail: 'Two-factor sign-in is not on.' },
  project_name_taken: { status: 409, title: 'Name taken', detail: 'You already have a project with this name.' },
  api_key_revoked: { status: 409, title: 'Already revoked', detail: 'This API key is already revoked. Create a new one.' },
  api_keys_too_many: {
    status: 409,
    title: 'Too many API keys',
    detail: 'Your team has reached its limit of active API keys. Revoke one that is no longer used.',
  },
  secret_shown_once: {
    status: 409,
    title: 'Already created',
    detail:
      'This request was already carried out. The key or channel was created, but its secret was shown only once and cannot be shown again: revoke the API key and create another one, or replace the secret of the channel.',
  },
  deployment_not_active: { status: 409, title: 'Not active', detail: 'Only an active deployment can be stopped or restarted.' },
  deployment_not_cancellable: {
    status: 409,
    title: 'Too late to cancel',
    detail: 'Only a queued or building deployment can be cancelled.',
  },
  deployment_cannot_answer: {
    status: 409,
    title: 'Cannot receive requests',
    detail: 'Only an active deployment that listens on a port can receive requests.',
  },
  gateway_unreachable: {
    status: 503,
    title: 'Gateway unreachable',
    detail: 'This server cannot reach the gateway that forwards requests to agents.',
  },
  sbom_missing: {
    status: 409,
    title: 'Nothing built',
    detail: 'Nothing was built for this deployment, or its packages have not been read yet. Deploy it again.',
  },
  nothing_to_compare: {
    status: 409,
    title: 'Nothing to compare with',
    detail: 'Nothing served the environment before this deployment. Name another deployment to compare it with.',
  },
  source_gone: { status: 409, title: 'Code no longer stored', detail: 'The code of this deployment is no longer stored. Upload it again.' },
  database_mode_unavailable: {
    status: 409,
    title: 'Managed databases unavailable',
    detail:
      'Managed databases are not available on this installation. Choose "byo" and enter the URLs of your own databases, or choose "none".',
  },
  database_not_found: { status: 404, title: 'Not found', detail: 'There is no such database.' },
  backup_not_found: { status: 404, title: 'Not found', detail: 'This database has no such backup.' },
  trace_not_found: {
    status: 404,
    title: 'Not found',
    detail: 'There is no such trace. It may not have been recorded, or it is older than 7 days.',
  },
  audit_log_not_found: { status: 404, title: 'Not found', detail: 'There is no such audit record.' },
  data_subject_request_not_found: { status: 404, title: 'Not found', detail: 'There is no such request.' },
  data_subject_preview_missing: {
    status: 409,
    title: 'Find first',
    detail: 'Find these identifiers first: erasing requires a completed find request with the same identifiers from the last hour.',
  },
  data_subject_count_unconfirmed: {
    status: 409,
    title: 'Confirm the count',
    detail: 'These identifiers match more than 5 % of what is stored. Nothing was erased: confirm the count to continue.',
  },
  data_subject_requests_waiting: {
    status: 409,
    title: 'Requests are waiting',
    detail: 'Ten requests about people’s data are waiting or running. Try again when one is done.',
  },
  plan_limit_reached: {
    status: 402, // not 409: only a larger plan or lower usage makes the call succeed
    title: 'Plan limit reached',
    detail: 'Your team has reached a limit of its plan. Switch to a larger plan in Billing (/billing).',
  },
  budgets_too_many: {
    status: 409,
    title: 'Too many budgets',
    detail: 'Your team has reached its limit of 100 budgets. Remove one that is no longer needed.',
  },
  ...billingErrors,
  ...governanceErrors,
  alert_not_found: { status: 404, title: 'Not found', detail: 'There is no such alert.' },
  channel_not_found: { status: 404, title: 'Not found', detail: 'There is no such channel.' },
  delivery_not_found: { status: 404, title: 'Not found', detail: 'This channel has no such delivery.' },
  channels_too_many: {
    status: 409,
    title: 'Too many channels',
    detail: 'Your team has reached its channel limit. Delete one that is no longer needed.',
  },
  channel_address_refused: {
    status: 422,
    title: 'Address refused',
    detail: 'Paddock does not send messages to this address. To allow private networks, the operator can set PADDOCK_EGRESS_ALLOW.',
  },
  channel_not_signed: {
    status: 409,
    title: 'Not signed',
    detail: 'Messages to a Slack channel are not signed: the address itself is the secret.',
  },
  alert_resolved: { status: 409, title: 'Already resolved', detail: 'The alert is already resolved, so it cannot be snoozed.' },
  channel_off: { status: 409, title: 'Switched off', detail: 'The channel is switched off. Switch it on first.' },
  delivery_done: {
    status: 409,
    title: 'Nothing to retry',
    detail: 'This message was already delivered, or it is being sent right now.',
  },
  database_taken: {
    status: 409,
    title: 'Already exists',
    detail: 'This environment already has a database of this type. Change its address, or delete it first.',
  },
  database_not_managed: { status: 409, title: 'Not managed', detail: 'This database is your own; Paddock does not run it.' },
  database_not_byo: { status: 409, title: 'Managed', detail: 'The address of a managed database cannot be set.' },
  database_not_ready: {
    status: 409,
    title: 'Not available',
    detail: 'The database is not available right now. Start it, or wait a moment.',
  },
  database_address_refused: {
    status: 422,
    title: 'Address refused',
    detail: 'Agents may not reach this address. To allow private networks, the operator can set PADDOCK_EGRESS_ALLOW.',
  },
  backups_too_many: {
    status: 409,
    title: 'Too many backups',
    detail: 'This database has reached its limit of manual backups. Delete one first.',
  },
  backup_not_available: { status: 409, title: 'Not available', detail: 'This backup is incomplete, so it cannot be restored.' },
  export_unavailable: {
    status: 409,
    title: 'No pg_dump',
    detail:
      'SQL export needs pg_dump 18 or later on the server (Debian, Ubuntu: apt-get install postgresql-client-18). Backups work without it.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Idempotency key reused',
    detail: 'This Idempotency-Key was used for a different request. Use a new key.',
  },
  request_in_progress: {
    status: 409,
    title: 'In progress',
    detail: 'A request with this Idempotency-Key is still in progress. Try again in a moment.',
  },
  too_many_attempts: { status: 429, title: 'Too many attempts', detail: 'Too many failed attempts. Wait a moment and try again.' },
  too_many_requests: { status: 429, title: 'Too many requests', detail: 'Too many requests. Wait a moment and try again.' },
  cursor_invalid: { status: 400, title: 'Invalid cursor', detail: 'The cursor does not belong to this list. Start again without it.' },
  disk_full: { status: 507, title: 'Disk full', detail: 'The server does not have enough free disk space. Nothing was changed.' },
  unavailable: { status: 503, title: 'Temporarily unavailable', detail: 'The service is temporarily unavailable. Try again in a moment.' },
  internal: {
    status: 500,
    title: 'Internal error',
    detail: 'Something went wrong on the server. The request id helps the operator find the cause.',
  },
} as const satisfies Record<string, { status: number; title: string; detail: string }>;

export type ErrorCode = keyof typeof errors;

export interface FieldError {
  path: string;
  message: string;
}

/** The wire form of an error: `application/problem+json`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** A code of this table, or of a newer server's. */
  code: string;
  errors?: FieldError[];
  request_id?: string;
}

export class ApiError extends Error {
  readonly code: ErrorCode | 'network';
  readonly status: number;
  /** The message describes this failure, instead of the default text of its code. */
  readonly has_detail: boolean;
  readonly errors: FieldError[] | undefined;
  readonly retry_after_s: number | undefined;
  readonly request_id: string | undefined;

  /** The client creates `network` (status 0) when there was no response. It also passes the `status` of a response with an unknown code. */
  constructor(
    code: ErrorCode | 'network',
    more: { detail?: string; errors?: FieldError[]; retry_after_s?: number; request_id?: string; status?: number; cause?: unknown } = {},
  ) {
    super(more.detail ?? (code === 'network' ? 'The server cannot be reached.' : errors[code].detail), { cause: more.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = more.status ?? (code === 'network' ? 0 : errors[code].status);
    this.has_detail = more.detail !== undefined;
    this.errors = more.errors;
    this.retry_after_s = more.retry_after_s;
    this.request_id = more.request_id;
  }
}
