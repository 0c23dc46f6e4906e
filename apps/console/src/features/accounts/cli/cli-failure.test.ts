import { parseAnswer } from '@paddock/client/answer';
import { ApiError } from '@paddock/contract/errors';
import { expect, test } from 'vitest';
import { creationFailure } from './cli-failure.ts';

/** The error for a response that a proxy sent. */
function answerOf(status: number, text: string): unknown {
  try {
    return parseAnswer({ status, header: () => null, text });
  } catch (error) {
    return error;
  }
}

test.each([
  { error: new ApiError('not_signed_in'), isOnline: true, title: 'Authentication failed', says: /session may have expired/ },
  { error: new ApiError('origin_refused'), isOnline: true, title: 'Permission denied', says: /administrator/ },
  { error: new ApiError('internal'), isOnline: true, title: 'Server error', says: /Try again shortly/ },
  { error: new ApiError('network'), isOnline: true, title: 'Platform not reachable', says: /try again/ },
  { error: new ApiError('route_not_found'), isOnline: true, title: 'Platform not reachable', says: /try again/ },
  { error: answerOf(404, '<h1>Not Found</h1>'), isOnline: true, title: 'Platform not reachable', says: /try again/ },
  { error: answerOf(403, ''), isOnline: true, title: 'Permission denied', says: /administrator/ },
  { error: new ApiError('network'), isOnline: false, title: 'Connection Error', says: /network/ },
  { error: new TypeError('Failed to fetch'), isOnline: true, title: 'Connection Error', says: /network/ },
  { error: new ApiError('too_many_requests'), isOnline: true, title: 'Failed to create API key', says: /Try again/ },
  { error: new Error('?'), isOnline: true, title: 'Failed to create API key', says: /Try again/ },
])('$error is told in the words of the product', ({ error, isOnline, title, says }) => {
  const failure = creationFailure(error, isOnline);
  expect(failure.title).toBe(title);
  expect(`${failure.message} ${failure.solution}`).toMatch(says);
});
