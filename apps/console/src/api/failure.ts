import { ApiError } from '@paddock/contract/errors';

/** The server's own sentence if it gave one, else the given one. */
export function failureText(error: unknown, otherwise: string): string | undefined {
  if (!error) return undefined;
  return error instanceof ApiError && error.code !== 'network' ? error.message : otherwise;
}

/** What the server found wrong with one field, or with something in it. */
export const fieldError = (error: unknown, path: string): string | undefined =>
  error instanceof ApiError ? error.errors?.find((each) => each.path === path || each.path.startsWith(`${path}.`))?.message : undefined;

/** Names the failed request in the server's log. */
export const requestId = (error: unknown): string | undefined => (error instanceof ApiError ? error.request_id : undefined);
