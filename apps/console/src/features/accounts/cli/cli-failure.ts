import { ApiError } from '@paddock/contract/errors';

/** The text of the dialog for a failed command-line login. */
export interface CliFailure {
  title: string;
  message: string;
  solution: string;
  /** Details for the person who is asked for help. */
  details?: string;
  /** The effect of "try again": create the key again, only close the dialog, or reload the page. */
  again: 'create' | 'close' | 'reload';
}

export const loginRequired: CliFailure = {
  title: 'Login Required',
  message: 'You are no longer signed in.',
  solution: 'Sign in, then authorize the command line.',
  again: 'close',
};

export const cliNotDetected: CliFailure = {
  title: 'CLI Not Detected',
  message: 'This page was opened without a callback address from the command line.',
  solution: 'Run “paddock login” in your terminal and open the address it prints.',
  again: 'reload',
};

export const callbackRefused = (given: string): CliFailure => ({
  title: 'Callback refused',
  message: 'A key can only be sent to a command line on this machine, but the callback is not a valid local address. No key was created.',
  solution: 'If you did not run “paddock login” yourself just now, close this page: someone may be trying to get your key.',
  details: `callback: ${given}`,
  again: 'reload',
});

/** Why no key could be created, derived from the server's response. */
export function creationFailure(error: unknown, isOnline: boolean): CliFailure {
  const details = formatErrorDetails(error);
  const status = error instanceof ApiError ? error.status : undefined;
  const failure = { again: 'create', ...(details ? { details } : {}) } as const;
  if (status === 401)
    return {
      ...failure,
      title: 'Authentication failed',
      message: 'Your session may have expired.',
      solution: 'Sign in again, then authorize the command line.',
      again: 'close',
    };
  if (status === 403)
    return {
      ...failure,
      title: 'Permission denied',
      message: 'Your account is not allowed to create API keys.',
      solution: 'Ask an administrator for the permission.',
    };
  if (status === 500)
    return { ...failure, title: 'Server error', message: 'The server could not create the key.', solution: 'Try again shortly.' };
  if (status === 0 && !isOnline)
    return {
      ...failure,
      title: 'Connection Error',
      message: 'Your browser is offline.',
      solution: 'Connect to the network, then try again.',
    };
  if (status === 0 || status === 404)
    return {
      ...failure,
      title: 'Platform not reachable',
      message: 'The server did not respond, or does not support this request.',
      solution: 'Check that Paddock is running at this address, then try again.',
    };
  if (error instanceof TypeError)
    return { ...failure, title: 'Connection Error', message: 'The connection was lost.', solution: 'Check your network, then try again.' };
  return {
    ...failure,
    title: 'Failed to create API key',
    message: error instanceof Error ? error.message : 'The cause is unknown.',
    solution: 'Try again.',
  };
}

function formatErrorDetails(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : undefined;
  const request = error.request_id ? `, request ${error.request_id}` : '';
  return `${error.status} ${error.code}: ${error.message}${request}`;
}
