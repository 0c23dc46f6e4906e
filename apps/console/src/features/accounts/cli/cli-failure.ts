import { ApiError } from '@paddock/contract/errors';

/** What the dialog of a failed command-line login says. */
export interface CliFailure {
  title: string;
  message: string;
  solution: string;
  /** For whoever is asked for help. */
  details?: string;
  /** What trying again means: asking once more, or only closing the dialog. */
  again: 'create' | 'close' | 'reload';
}

export const loginRequired: CliFailure = {
  title: 'Login Required',
  message: 'Nobody is signed in here any more.',
  solution: 'Sign in, then authorize the command line.',
  again: 'close',
};

export const cliNotDetected: CliFailure = {
  title: 'CLI Not Detected',
  message: 'This page was opened without the address of a waiting command line.',
  solution: 'Run “paddock login” in your terminal and open the address that it prints.',
  again: 'reload',
};

export const callbackRefused = (given: string): CliFailure => ({
  title: 'Callback refused',
  message: 'A key may only be handed to a command line on this machine, and the callback is not such an address. No key was created.',
  solution: 'If you did not run “paddock login” yourself just now, close this page: somebody may have wanted your key.',
  details: `callback: ${given}`,
  again: 'reload',
});

/** Why no key could be created, by what the server answered. */
export function creationFailure(error: unknown, isOnline: boolean): CliFailure {
  const details = detailsOf(error);
  const status = error instanceof ApiError ? error.status : undefined;
  const of = (title: string, message: string, solution: string, again: CliFailure['again'] = 'create'): CliFailure => ({
    ...{ title, message, solution, again },
    ...(details ? { details } : {}),
  });
  if (status === 401)
    return of('Authentication failed', 'Your session may have expired.', 'Sign in again, then authorize the command line.', 'close');
  if (status === 403) return of('Permission denied', 'Your account may not create API keys.', 'Ask an administrator for the permission.');
  if (status === 500) return of('Server error', 'The server could not create the key.', 'Try again shortly.');
  if (status === 0 && !isOnline)
    return of('Connection Error', 'Your browser has no connection.', 'Connect to the network, then try again.');
  if (status === 0 || status === 404)
    return of(
      'Platform not reachable',
      'The server did not answer, or does not know this call.',
      'See whether Paddock runs at this address, then try again.',
    );
  if (error instanceof TypeError) return of('Connection Error', 'The connection broke.', 'Check your network, then try again.');
  return of('Failed to create API key', error instanceof Error ? error.message : 'The reason is not known.', 'Try again.');
}

function detailsOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : undefined;
  const request = error.request_id ? `, request ${error.request_id}` : '';
  return `${error.status} ${error.code}: ${error.message}${request}`;
}
