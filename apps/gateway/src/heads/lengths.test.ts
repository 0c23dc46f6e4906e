import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../limits.ts';
import { AnswerHead, readAnswerHead } from './answer-head.ts';
import { RequestHead, readRequestHead } from './request-head.ts';
import { visitorHead } from './visitor-head.ts';

const request = new RequestHead();
const answer = new AnswerHead();
const ofRequest = (line: string) => readRequestHead(`POST / HTTP/1.1\r\nHost: a.localhost\r\n${line}`, limits, request) || request.length;
const ofAnswer = (line: string) => readAnswerHead(`HTTP/1.1 200 OK\r\n${line}`, { limits, host: 'a.localhost' }, answer) || answer.length;

test('a length is read if every reader takes it for the same, and refused otherwise', () => {
  for (const value of ['0', '7', '10', '123456789012345', '  3  ']) {
    assert.equal(ofRequest(`Content-Length: ${value}`), Number(value));
    assert.equal(ofAnswer(`Content-Length: ${value}`), Number(value));
  }
  for (const value of ['', '00', '03', '+3', '-3', '3,3', '3 3', '3_0', '0x3', '3.0', '\t3', '3\t', '1234567890123456', '\xb2']) {
    assert.equal(ofRequest(`Content-Length: ${value}`), 'request_invalid', value);
    assert.equal(ofAnswer(`Content-Length: ${value}`), 'unclear Content-Length', value);
  }
});

test('a coding is read if it is chunked and nothing but blanks stands beside it', () => {
  for (const value of ['chunked', 'CHUNKED', '  chunked ']) {
    assert.deepEqual([ofRequest(`Transfer-Encoding: ${value}`), request.isChunked], [-1, true]);
    assert.deepEqual([ofAnswer(`Transfer-Encoding: ${value}`), answer.isChunked], [-1, true]);
  }
  for (const value of ['\tchunked', 'chunked\t', 'chunked,', ', chunked', 'chunked, chunked', 'chunke', '']) {
    assert.equal(ofRequest(`Transfer-Encoding: ${value}`), 'request_invalid', value);
    assert.equal(ofAnswer(`Transfer-Encoding: ${value}`), 'unclear Transfer-Encoding', value);
  }
});

test('a status line without a reason keeps the blank that belongs to it', () => {
  for (const line of ['HTTP/1.1 200', 'HTTP/1.0 200 ']) {
    assert.equal(readAnswerHead(`${line}\r\nContent-Length: 0`, { limits, host: 'a' }, answer), '');
    assert.match(visitorHead(answer, { isChunked: false, requestId: 'r', traceId: 't', connection: undefined }), /^HTTP\/1\.1 200 \r\n/);
  }
});
