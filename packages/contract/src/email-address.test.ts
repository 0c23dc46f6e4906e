import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isSameAddress, normalAddress } from './email-address.ts';

const oddities = [
  'İ',
  'ı',
  'I',
  'i',
  'ſ',
  'S',
  's',
  '\u212A',
  'k',
  'ß',
  'ẞ',
  'Σ',
  'ς',
  'σ',
  '\u0307',
  '\u0301',
  'é',
  'ａ',
  'Ａ',
  'Å',
  '\u212B',
  'ǅ',
  '𐐀',
  'ﬁ',
  'Ω',
  '\u2126',
];
const spelled = fc.string({ unit: fc.oneof(fc.constantFrom(...oddities), fc.string({ unit: 'binary', maxLength: 1 })), maxLength: 40 });

test('the normal form of an address is its own normal form, in whatever composition it was typed', () => {
  fc.assert(
    fc.property(spelled, (typed) => {
      const normal = normalAddress(typed);
      assert.equal(normalAddress(normal), normal);
      assert.equal(normalAddress(typed.normalize('NFD')), normal);
      assert.equal(normalAddress(typed.normalize('NFC')), normal);
    }),
    { numRuns: 5_000 },
  );
});

test('an address means the same account in whatever case it is typed, and nothing else becomes the same', () => {
  const same: [string, string][] = [
    ['Ada@Example.com', 'ada@EXAMPLE.COM'],
    [' ada@example.com', 'ada@example.com '],
    ['İda@example.com', 'ida@example.com'],
    ['\u212Aim@example.com', 'kim@example.com'],
    ['ẞ@example.com', 'ß@example.com'],
    ['ΟΔΟΣ@example.com', 'οδος@example.com'],
    ['ος@example.com', 'οσ@example.com'],
    ['É@example.com', 'e\u0301@example.com'],
    ['\u212Bsa@example.com', 'åsa@example.com'],
    ['𐐀@example.com', '𐐨@example.com'],
  ];
  const apart: [string, string][] = [
    ['ı@example.com', 'i@example.com'],
    ['ſ@example.com', 's@example.com'],
    ['ß@example.com', 'ss@example.com'],
    ['ａda@example.com', 'ada@example.com'],
    ['ﬁ@example.com', 'fi@example.com'],
    ['i\u0307@example.com', 'i@example.com'],
    ['é@example.com', 'e@example.com'],
  ];
  assert.deepEqual(
    same.filter(([one, other]) => !isSameAddress(one, other)),
    [],
  );
  assert.deepEqual(
    apart.filter(([one, other]) => isSameAddress(one, other)),
    [],
  );
});

test('no database that lowercases by Unicode takes two addresses for one that the normal form keeps apart', () => {
  // The lower case of PostgreSQL's own provider (one character for each), and of ICU (by the whole word).
  const asPostgres = (text: string) => Array.from(text, (one) => Array.from(one.toLowerCase())[0]).join('');
  fc.assert(
    fc.property(spelled, spelled, (one, other) => {
      for (const lower of [asPostgres, (text: string) => text.toLowerCase()])
        if (lower(one) === lower(other)) assert.equal(normalAddress(one), normalAddress(other));
    }),
    { numRuns: 2_000 },
  );
  for (const one of oddities)
    for (const other of oddities)
      for (const lower of [asPostgres, (text: string) => text.toLowerCase()])
        if (lower(`a${one}`) === lower(`a${other}`)) assert.equal(normalAddress(`a${one}`), normalAddress(`a${other}`));
});
