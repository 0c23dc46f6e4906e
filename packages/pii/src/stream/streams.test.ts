import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { mask } from '../mask.ts';
import { maskStream } from './mask-stream.ts';
import type { StreamOptions } from './stream.ts';

const filler = ' and then nothing of interest happens for a while, so the line goes on with plain words until the next sentence begins.';
const values = [
  'Write to john.doe@example.com today.',
  'Call me at +1 (212) 555-0147 ext. 12 or 030 12345678.',
  'My SSN is 123-45-6789, the other one 219 09 9999.',
  'The card 4111 1111 1111 1111 expires in 12/27.',
  'From 192.168.17.4 and 2001:db8::8a2e:370:7334 came requests.',
  'She was born on March 12th, 1985, he am 3. Mai 1990 geboren.',
  'Order 123-45-6789 of version 1.2.3.4 was sent at 2024-05-11T10:30:45Z.',
];

const cutAt = (text: string, places: number[]) => {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
};

function streamed(pieces: string[], options: StreamOptions): string {
  const stream = maskStream(options);
  return pieces.map((piece) => stream.push(piece)).join('') + stream.end();
}

const texts = fc.array(fc.constantFrom(...values, filler, '\n'), { maxLength: 12 }).map((parts) => parts.join(' '));
const places = fc.array(fc.nat(4000), { maxLength: 40 });

test('a text masked in pieces is the text masked as a whole, wherever it is cut', () => {
  fc.assert(
    fc.property(texts, places, (text, at) => {
      assert.equal(streamed(cutAt(text, at), { format: 'text' }), mask(text, { format: 'text' }).text);
    }),
    { numRuns: 150, seed: 7 },
  );
});

const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
const contentOf = (stream: string) =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => (JSON.parse(line.slice(6)) as { choices: [{ delta: { content: string } }] }).choices[0].delta.content)
    .join('');

test('a value that a model streams in many small events is masked, and each event stays valid JSON', () => {
  fc.assert(
    fc.property(texts, places, places, (text, parts, at) => {
      const body = `${cutAt(text, parts).map(chunk).join('')}data: [DONE]\n\n`;
      const masked = streamed(cutAt(body, at), { format: 'events' });
      assert.equal(contentOf(masked), mask(text, { format: 'text' }).text);
      assert.equal(masked.split('\n').length, body.split('\n').length, 'no event is lost');
    }),
    { numRuns: 150, seed: 7 },
  );
});

test('texts of several choices in one stream are not mixed up', () => {
  const event = (index: number, content: string) => `data: ${JSON.stringify({ choices: [{ index, delta: { content } }] })}\n\n`;
  const body =
    event(0, 'mail john.') +
    event(1, 'mail ada@') +
    event(0, 'doe@exam') +
    event(1, 'example.org') +
    event(0, 'ple.com') +
    'data: [DONE]\n\n';
  const masked = streamed([body], { format: 'events' });
  assert.ok(!/john|doe|ada|example/.test(masked), masked);
  assert.equal(masked.match(/\[EMAIL\]/g)?.length, 2);
});

test('arguments of a tool that come in parts are masked', () => {
  const event = (partial_json: string) =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json } })}\n\n`;
  const masked = streamed([event('{"email": "ada@exa'), event('mple.org", "ssn": "123-4'), event('5-6789"}')], { format: 'events' });
  assert.ok(!/ada|6789|123-4/.test(masked), masked);
});

test('events are passed on when what they hold is decided, at the latest with the end of the text', () => {
  const stream = maskStream({ format: 'events' });
  const early = Array.from({ length: 100 }, () => stream.push(chunk('word '))).join('');
  assert.ok(contentOf(early).length >= 5 * 100 - 200, 'the tail alone is held back');
  assert.equal(stream.push(': a comment\n'), '');
  assert.equal(contentOf(early + stream.push('data: [DONE]\n\n')).length, 500);
});

test('a stream says how many values it has masked', () => {
  const stream = maskStream({ format: 'text' });
  stream.push(values.join(' '));
  stream.end();
  assert.deepEqual(stream.findings, { Email: 1, Phone: 2, SSN: 2, 'Credit Card': 1, 'IP Address': 2, 'Date of Birth': 2 });
});

test('a stream without line ends or without an end to its event is masked and not kept for ever', () => {
  const endless = `data: {"text":"${'ada@example.org '.repeat(100_000)}`;
  const stream = maskStream({ format: 'events' });
  const out: string[] = [];
  for (let at = 0; at < endless.length; at += 5000) out.push(stream.push(endless.slice(at, at + 5000)));
  assert.ok(out.join('').length > 500_000, 'most is passed on before the end');
  assert.ok(!`${out.join('')}${stream.end()}`.includes('ada@'));
});
