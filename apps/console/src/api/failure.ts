import { ApiError, errors } from '@paddock/contract/errors';

/** The server's error message if it sent one; else the given message, with the request id if there is one. */
export function failureText(error: unknown, otherwise: string): string | undefined {
  if (!error) return undefined;
  if (!(error instanceof ApiError)) return otherwise;
  if (!saysNothing(error)) return error.message;
  return error.request_id ? `${otherwise} (request ${error.request_id})` : otherwise;
}

/** Whether there was no response, or a server or proxy failed without giving a reason. */
export const saysNothing = (error: ApiError) =>
  error.code === 'network' || (error.status >= 500 && (!error.has_detail || error.message === errors.internal.detail));

/** The server's validation message for a field, or for something inside it. */
export const fieldError = (error: unknown, path: string): string | undefined =>
  error instanceof ApiError ? error.errors?.find((each) => each.path === path || each.path.startsWith(`${path}.`))?.message : undefined;

/** Names the failed request in the server's log. */
export const requestId = (error: unknown): string | undefined => (error instanceof ApiError ? error.request_id : undefined);
