import { ApiError } from '@paddock/contract/errors';
import { expect, test } from 'vitest';
import { creationFailure } from './cli-failure.ts';

test.each([
  [new ApiError('not_signed_in'), true, 'Authentication failed', /session may have expired/],
  [new ApiError('origin_refused'), true, 'Permission denied', /administrator/],
  [new ApiError('internal'), true, 'Server error', /Try again shortly/],
  [new ApiError('network'), true, 'Platform not reachable', /try again/],
  [new ApiError('route_not_found'), true, 'Platform not reachable', /try again/],
  [new ApiError('network'), false, 'Connection Error', /network/],
  [new TypeError('Failed to fetch'), true, 'Connection Error', /network/],
  [new ApiError('too_many_requests'), true, 'Failed to create API key', /Try again/],
  [new Error('?'), true, 'Failed to create API key', /Try again/],
])('%s is told in the words of the product', (error, isOnline, title, says) => {
  const failure = creationFailure(error, isOnline);
  expect(failure.title).toBe(title);
  expect(`${failure.message} ${failure.solution}`).toMatch(says);
});
