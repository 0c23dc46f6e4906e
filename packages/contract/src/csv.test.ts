import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvRow } from './csv.ts';

const one = (cell: Parameters<typeof csvRow>[0][number]) => csvRow([cell]).slice(0, -2);

test('no text is a formula in a spreadsheet, whatever stands before its first letter', () => {
  for (const text of ['=1+1', '+1', '-1', '@x', ' =1', '\u00a0=1', '\ufeff=1', '\u200b@x', '\u202e-1', '＝1', '＋1', '－1', '＠x', '\tx'])
    assert.equal(one(text), `'${text}`, JSON.stringify(text));
  for (const text of ['\r=1', '\n@x', '\rx']) assert.equal(one(text), `"'${text}"`, JSON.stringify(text));
});

test('numbers keep their sign, ordinary texts stay as they are, and nothing is an empty cell', () => {
  assert.equal(csvRow([-3, 0.5, { figure: '-0.50' }, 'a-b', "it's", '', null, undefined]), "-3,0.5,-0.50,a-b,it's,,,\r\n");
});

test('commas, quotes and line ends stay within their cell', () => {
  assert.equal(csvRow(['a,b', 'a "b"', 'a\r\nb', '="x",1']), '"a,b","a ""b""","a\r\nb","\'=""x"",1"\r\n');
});
