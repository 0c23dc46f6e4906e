import { parseAnswer } from '@paddock/client/answer';
import { ApiError } from '@paddock/contract/errors';
import { expect, test } from 'vitest';
import { failureText } from './failure.ts';

const otherwise = 'Failed to create project';
const answered = (status: number, given: Record<string, string>, text: string) => {
  try {
    parseAnswer({ status, header: (name) => given[name] ?? null, text });
  } catch (error) {
    return failureText(error, otherwise);
  }
  throw new Error('The answer was taken for a success.');
};
const json = { 'content-type': 'application/problem+json' };

test('a failure of the server without a word of its own reads as the page has it, with the id of the request where there is one', () => {
  const broke = { code: 'internal', detail: new ApiError('internal').message, request_id: 'req_1' };
  expect(answered(500, json, JSON.stringify(broke))).toBe('Failed to create project (request req_1)');
  expect(answered(502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>')).toBe(otherwise);
  expect(answered(503, { 'x-request-id': 'req_2' }, '')).toBe('Failed to create project (request req_2)');
  expect(failureText(new ApiError('network'), otherwise)).toBe(otherwise);
});

test('what the server says of a failure is shown as it says it', () => {
  expect(answered(507, json, '{"code":"disk_full","detail":"The disk is full: free 2 GB."}')).toBe('The disk is full: free 2 GB.');
  expect(answered(409, json, '{"code":"project_name_taken","detail":"Taken."}')).toBe('Taken.');
  expect(failureText(new ApiError('project_not_found'), otherwise)).toBe('There is no such project.');
  expect(failureText(undefined, otherwise)).toBeUndefined();
});
