import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerValue } from './header-value.ts';

const head =
  'GET /?accept: text/html HTTP/1.1\r\nHost: a\r\nAccept: \t text/plain \t\r\nX-Accept: no\r\nEmpty:\r\nACCEPT:image/png\r\nLast: end';

test('a header is found in any case, without the blanks around it, several joined by commas', () => {
  assert.equal(headerValue(head, 'host'), 'a');
  assert.equal(headerValue(head, 'accept'), 'text/plain,image/png');
  assert.equal(headerValue(head, 'x-accept'), 'no');
  assert.equal(headerValue(head, 'last'), 'end');
});

test('an empty header is not a missing one', () => {
  assert.equal(headerValue(head, 'empty'), '');
  assert.equal(headerValue(head, 'none'), undefined);
  assert.equal(headerValue('GET / HTTP/1.1', 'host'), undefined);
});

test('neither the request line nor a longer or shorter name is taken for the header', () => {
  assert.equal(headerValue('host: HTTP/1.1\r\nHos: a\r\nHosts: b\r\n', 'host'), undefined);
  assert.equal(headerValue('GET / HTTP/1.1\r\nA: host: b', 'host'), undefined);
});
