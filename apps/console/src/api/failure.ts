import { ApiError, errors } from '@paddock/contract/errors';

/** The server's own sentence if it gave one; else the given one, with the request's id where there is one. */
export function failureText(error: unknown, otherwise: string): string | undefined {
  if (!error) return undefined;
  if (!(error instanceof ApiError)) return otherwise;
  if (!saysNothing(error)) return error.message;
  return error.request_id ? `${otherwise} (request ${error.request_id})` : otherwise;
}

/** No answer came, or a server or proxy failed without saying of what. */
export const saysNothing = (error: ApiError) =>
  error.code === 'network' || (error.status >= 500 && (!error.has_detail || error.message === errors.internal.detail));

/** What the server found wrong with one field, or with something in it. */
export const fieldError = (error: unknown, path: string): string | undefined =>
  error instanceof ApiError ? error.errors?.find((each) => each.path === path || each.path.startsWith(`${path}.`))?.message : undefined;

/** Names the failed request in the server's log. */
export const requestId = (error: unknown): string | undefined => (error instanceof ApiError ? error.request_id : undefined);
