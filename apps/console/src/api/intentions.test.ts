import { ApiError } from '@paddock/contract/errors';
import { expect, test } from 'vitest';
import { createIntentions } from './intentions.ts';

test('a second press of the same, while the first is under way, is no new intention', () => {
  const intentions = createIntentions();
  expect(intentions.begin({ id: 'dep_1' })).toBe(true);
  expect(intentions.begin({ id: 'dep_1' })).toBe(false);
  expect(intentions.begin({ id: 'dep_2' })).toBe(true);
});

test('a double click on what is done at once is one intention, a press a second later another', () => {
  let now = 0;
  const intentions = createIntentions(() => now);
  expect(intentions.begin('a')).toBe(true);
  const key = intentions.keyOf('a');
  intentions.settle('a');
  now = 300;
  expect(intentions.begin('a')).toBe(false);
  now = 1300;
  expect(intentions.begin('a')).toBe(true);
  expect(intentions.keyOf('a')).not.toBe(key);
});

test('the key outlives a lost answer and ends with a refusal', () => {
  const intentions = createIntentions();
  const keyAfter = (error?: unknown) => {
    expect(intentions.begin('a')).toBe(true);
    const key = intentions.keyOf('a');
    intentions.settle('a', error);
    return key;
  };
  const first = keyAfter(new ApiError('network'));
  expect(keyAfter(new ApiError('internal'))).toBe(first);
  expect(keyAfter(new ApiError('request_in_progress'))).toBe(first);
  expect(keyAfter(new ApiError('project_name_taken'))).toBe(first);
  expect(keyAfter(new ApiError('network'))).not.toBe(first);
});

test('a repeat that is refused before its key is looked at says nothing about the first try, whose key lives on', () => {
  for (const code of ['too_many_requests', 'not_signed_in', 'body_too_large'] as const) {
    const intentions = createIntentions();
    const keyAfter = (error?: unknown) => {
      expect(intentions.begin('a')).toBe(true);
      const key = intentions.keyOf('a');
      intentions.settle('a', error);
      return key;
    };
    // The same error is an ordinary refusal when it is the first response.
    const refused = keyAfter(new ApiError(code));
    const first = keyAfter(new ApiError('network'));
    expect(first).not.toBe(refused);
    expect(keyAfter(new ApiError(code))).toBe(first);
    expect(keyAfter(new ApiError(code))).toBe(first);
    expect(keyAfter(new ApiError('project_name_taken'))).toBe(first);
    expect(keyAfter()).not.toBe(first);
  }
});
