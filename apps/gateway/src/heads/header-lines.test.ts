import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROKEN, END, HeaderLines } from './header-lines.ts';
import { CONNECTION, CONTENT_LENGTH, DROP, HOST, KEEP, nameTable } from './names.ts';

const names: [string, number][] = [
  ['host', HOST],
  ['content-length', CONTENT_LENGTH],
  ['connection', CONNECTION],
  ['x-real-ip', DROP],
];
const request = nameTable(names, ['x-forwarded', 'paddock-'], true);
const answer = nameTable(names, ['x-accel-'], false);

function read(text: string, table = request): { meanings: number[]; values: string[] } {
  const lines = new HeaderLines(table);
  lines.start(text, 0);
  const meanings: number[] = [];
  const values: string[] = [];
  for (;;) {
    const meaning = lines.advance();
    meanings.push(meaning);
    if (meaning === END || meaning === BROKEN) return { meanings, values };
    values.push(lines.value());
  }
}

const meaningOf = (name: string, table = request) => read(`${name}: x`, table).meanings[0];

function lineOf(line: string): HeaderLines {
  const lines = new HeaderLines(request);
  lines.start(line, 0);
  lines.advance();
  return lines;
}

test('each line has its meaning and its value without the blanks around it', () => {
  const { meanings, values } = read('Host: a\r\nX: \t b  c\t \r\nEmpty:\r\nBlank:  \r\ncontent-LENGTH:5');
  assert.deepEqual(meanings, [HOST, KEEP, KEEP, KEEP, CONTENT_LENGTH, END]);
  assert.deepEqual(values, ['a', 'b  c', '', '', '5']);
});

test('a head without lines has none', () => {
  assert.deepEqual(read('').meanings, [END]);
});

for (const [name, text] of [
  ['a folded line', 'A: b\r\n c: d'],
  ['a blank before the colon', 'A : b'],
  ['a tab before the colon', 'A\t: b'],
  ['no name', ': b'],
  ['no colon', 'abc'],
  ['no colon before the next line', 'abc\r\nA: b'],
  ['a bare line feed', 'A: b\nC: d'],
  ['a bare carriage return', 'A: b\rC: d'],
  ['a bare carriage return before a blank', 'A: b\r C: d'],
  ['a carriage return at the end', 'A: b\r'],
  ['an empty line', 'A: b\r\n\r\nC: d'],
] as const) {
  test(`a head is broken by ${name}`, () => assert.equal(read(text).meanings.at(-1), BROKEN));
}

test('names are made of the characters of a token, values of all but control characters', () => {
  const isToken = (text: string) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]$/.test(text);
  for (let byte = 0; byte < 256; byte++) {
    const text = String.fromCharCode(byte);
    const isName = read(`a${text}b: c`).meanings[0] !== BROKEN;
    // A colon ends the name, and the rest is the value.
    assert.equal(isName, isToken(text) || text === ':', `name with byte ${byte}`);
    const isValue = read(`a: b${text}c`).meanings[0] !== BROKEN;
    assert.equal(isValue, byte === 9 || (byte >= 32 && byte !== 127), `value with byte ${byte}`);
  }
});

test('a name counts in any case, and by its whole length', () => {
  for (const name of ['host', 'Host', 'HOST', 'hOsT']) assert.equal(meaningOf(name), HOST);
  for (const name of ['hos', 'hosts', 'xhost', 'host-', 'content_lengt']) assert.equal(meaningOf(name), KEEP);
  for (const name of ['x-forwarded', 'X-Forwarded-For', 'X-FORWARDED-ANYTHING', 'Paddock-Team']) assert.equal(meaningOf(name), DROP);
  for (const name of ['x-forward', 'forwarded-x', 'paddock']) assert.equal(meaningOf(name), KEEP);
});

test('to an agent a name with an underscore is its twin with a dash: it never passes beside it', () => {
  for (const name of ['content_length', 'Content_Length', 'X_Real_IP', 'x_real-ip', 'x_forwarded_for', 'PADDOCK_TEAM'])
    assert.equal(meaningOf(name), DROP, name);
  for (const name of ['x_y', '_', 'user_id']) assert.equal(meaningOf(name), KEEP, name);
  for (const name of ['content_length', 'x_accel_redirect']) assert.equal(meaningOf(name, answer), KEEP, name);
});

test('names with the same hash are told apart', () => {
  // In the hash each character weighs 31 times the next one, and '~' is 31 above '_', so both names have the same hash.
  const table = nameTable([['ba~', DROP]], [], false);
  assert.equal(meaningOf('ba~', table), DROP);
  assert.equal(meaningOf('bb_', table), KEEP);
});

test('a length is a whole number in at most 15 digits, without zeros before it', () => {
  for (const [text, number] of [
    ['0', 0],
    ['7', 7],
    ['00012', -1],
    ['999999999999999', 999_999_999_999_999],
    ['1000000000000000', -1],
    ['', -1],
    ['+1', -1],
    ['-1', -1],
    ['1 2', -1],
    ['1,1', -1],
    ['0x1', -1],
    ['1.0', -1],
  ] as const)
    assert.equal(lineOf(`content-length: ${text}`).number(), number, text);
});

test('only the word chunked means chunks, and a tab beside it is seen', () => {
  for (const text of ['chunked', 'Chunked', 'CHUNKED']) assert.equal(lineOf(`te: ${text}`).isChunked(), true);
  for (const text of ['chunke', 'xchunked', 'chunked,', 'chunked, chunked', 'identity', ''])
    assert.equal(lineOf(`te: ${text}`).isChunked(), false);
  assert.equal(lineOf('te:\tchunked\r\nA: b').hasTab(), true);
  assert.equal(lineOf('te: chunked\t\r\nA: b').hasTab(), true);
  assert.equal(lineOf('te: chunked\r\nA:\tb').hasTab(), false);
});
