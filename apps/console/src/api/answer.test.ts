import { parseAnswer } from '@paddock/client/answer';
import { ApiError } from '@paddock/contract/errors';
import { expect, test } from 'vitest';

const headers = (given: Record<string, string>) => (name: string) => given[name] ?? null;
const failure = (status: number, given: Record<string, string>, text: string) => {
  try {
    parseAnswer({ status, header: headers(given), text });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The answer was taken for a success.');
};

test('an empty answer is null, a download is its file', () => {
  expect(parseAnswer({ status: 204, header: headers({}), text: '' })).toBeNull();
  expect(parseAnswer({ status: 200, header: headers({}), text: '', file: 'one\ntwo' })).toBe('one\ntwo');
});

test('a problem document becomes the error it describes', () => {
  const problem = { code: 'input_invalid', detail: 'Wrong.', errors: [{ path: 'name', message: 'Too long' }], request_id: 'req_1' };
  const error = failure(422, { 'content-type': 'application/problem+json', 'retry-after': '7' }, JSON.stringify(problem));
  expect(error).toMatchObject({
    code: 'input_invalid',
    status: 422,
    message: 'Wrong.',
    errors: problem.errors,
    request_id: 'req_1',
    retry_after_s: 7,
  });
});

test("a proxy's page and a code that is newer than this console are still errors with a sentence", () => {
  expect(failure(502, { 'content-type': 'text/html', 'x-request-id': 'req_2' }, '<h1>Bad gateway')).toMatchObject({
    code: 'unavailable',
    request_id: 'req_2',
  });
  expect(failure(418, { 'content-type': 'application/problem+json' }, '{"code":"teapot","detail":"Short and stout."}')).toMatchObject({
    code: 'internal',
    message: 'Short and stout.',
  });
  expect(failure(500, { 'content-type': 'application/json' }, '{"cut of').message).not.toBe('');
});

test('a size that a proxy refuses is told as the limit of the proxy, not as one of Paddock', () => {
  const nginx = failure(413, { 'content-type': 'text/html' }, '<h1>413 Request Entity Too Large</h1>');
  expect(nginx.message).toMatch(/^A proxy in front of Paddock .*client_max_body_size/);
  const own = failure(
    413,
    { 'content-type': 'application/problem+json' },
    '{"code":"archive_too_large","detail":"The ZIP file is larger than 250 MB."}',
  );
  expect(own.message).toBe('The ZIP file is larger than 250 MB.');
});

test('a success that cannot be read is an error, not an empty list', () => {
  expect(failure(200, {}, '<html>').code).toBe('internal');
});
