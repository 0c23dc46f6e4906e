import type { Route } from './route.ts';

/** The reason why a POST accepts no Idempotency-Key; undefined for a POST that accepts one. */
export function unrepeatable({ answer, download, stream }: Pick<Route, 'answer' | 'download' | 'stream'>): string | undefined {
  if (stream) return 'The answer is passed on as it comes and stored nowhere: a repeat asks again';
  if (download) return 'It reads and changes nothing, and a file is not stored: a repeat makes the file again';
  if (answer === 'secret') return 'The answer is secret or private and stored nowhere: a repeat acts again, and gives a new answer';
  return undefined;
}

/** Whether repeated requests with the same Idempotency-Key act once. */
export const takesIdempotencyKey = (route: Pick<Route, 'method' | 'answer' | 'download' | 'stream'>): boolean =>
  route.method === 'POST' && unrepeatable(route) === undefined;
