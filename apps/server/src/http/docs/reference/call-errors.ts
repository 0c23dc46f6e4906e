import { type ErrorCode, errors, type Route, takesIdempotencyKey } from '@paddock/contract';

/** Errors that every call may return. */
export const everyCallsErrors: ErrorCode[] = ['input_invalid', 'request_invalid', 'internal', 'unavailable'];

/** Further errors of a call: by its access, its body and its handler. */
export function listErrors(route: Route): ErrorCode[] {
  const codes = [...ofAccess(route.access), ...ofBody(route), ...(route.errors ?? [])];
  return [...new Set(codes)].sort((a, b) => errors[a].status - errors[b].status);
}

function ofAccess(access: Route['access']): ErrorCode[] {
  if (access === 'public') return [];
  if (access === 'session') return ['not_signed_in', 'session_needed', 'policy_refused', 'too_many_requests'];
  if (access === 'any') return ['not_signed_in', 'policy_refused', 'too_many_requests'];
  return ['not_signed_in', 'scope_missing', 'policy_refused', 'too_many_requests'];
}

function ofBody(route: Route): ErrorCode[] {
  const { method, file, answer } = route;
  if (method === 'GET') return [];
  if (method === 'DELETE') return ['disk_full'];
  const codes: ErrorCode[] = ['media_type_unsupported', 'disk_full'];
  if (file) codes.push('upload_invalid', 'archive_invalid', 'archive_too_large');
  else codes.push('json_invalid', 'body_too_large');
  if (takesIdempotencyKey(route)) codes.push('idempotency_key_reused', 'request_in_progress');
  if (answer === 'shown-once') codes.push('secret_shown_once');
  return codes;
}
