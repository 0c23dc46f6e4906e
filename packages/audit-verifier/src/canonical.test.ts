import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonical } from './canonical.ts';
import { sha256 } from './hashes.ts';
import { parseLine } from './parse-line.ts';

const double = (bits: string) => Buffer.from(bits, 'hex').readDoubleBE();

test('numbers are written as appendix B of RFC 8785 lists them', () => {
  const vectors = {
    '0000000000000000': '0',
    '8000000000000000': '0',
    '0000000000000001': '5e-324',
    '8000000000000001': '-5e-324',
    '7fefffffffffffff': '1.7976931348623157e+308',
    ffefffffffffffff: '-1.7976931348623157e+308',
    '4340000000000000': '9007199254740992',
    c340000000000000: '-9007199254740992',
    '4430000000000000': '295147905179352830000',
    '44b52d02c7e14af5': '9.999999999999997e+22',
    '44b52d02c7e14af6': '1e+23',
    '44b52d02c7e14af7': '1.0000000000000001e+23',
    '444b1ae4d6e2ef4e': '999999999999999700000',
    '444b1ae4d6e2ef4f': '999999999999999900000',
    '444b1ae4d6e2ef50': '1e+21',
    '3eb0c6f7a0b5ed8c': '9.999999999999997e-7',
    '3eb0c6f7a0b5ed8d': '0.000001',
    '41b3de4355555553': '333333333.3333332',
    '41b3de4355555554': '333333333.33333325',
    '41b3de4355555555': '333333333.3333333',
    '41b3de4355555556': '333333333.3333334',
    '41b3de4355555557': '333333333.33333343',
    becbf647612f3696: '-0.0000033333333333333333',
    '43143ff3c1cb0959': '1424953923781206.2',
  };
  for (const [bits, written] of Object.entries(vectors)) assert.equal(canonical(double(bits)), written, bits);
  for (const bits of ['7fffffffffffffff', '7ff0000000000000']) assert.throws(() => canonical(double(bits)), { name: 'Malformed' }, bits);
});

test('the sample of RFC 8785, 3.2.2, becomes the bytes of 3.2.4', () => {
  // Two numbers and the escapes are written differently in the RFC, which reads any JSON.
  const sample = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  };
  const text =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}';
  assert.equal(canonical(sample), text);
  const hex =
    '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d';
  assert.equal(Buffer.from(canonical(sample)).toString('hex'), hex);
});

test('names are sorted by UTF-16 code units, as in RFC 8785, 3.2.3', () => {
  const sample = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  assert.equal(
    canonical(sample),
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
  // Numeric names come first in every JavaScript object, but "10" sorts before "9".
  assert.equal(canonical({ b: 1, 9: 1, 10: 1, a: {} }), '{"10":1,"9":1,"a":{},"b":1}');
});

test('texts are escaped as little as JSON allows', () => {
  assert.equal(canonical('\b\t\n\f\r"\\/\u0000\u001f\u007f\u2028é'), '"\\b\\t\\n\\f\\r\\"\\\\/\\u0000\\u001f\u007f\u2028é"');
  for (const half of ['\ud83d', 'a\ude00', '\ude00\ud83d']) assert.throws(() => canonical(half), { name: 'Malformed' });
  assert.throws(() => canonical({ ['\ud83d']: 1 }), { name: 'Malformed' });
});

test('a line is refused where two readers could understand two values', () => {
  const bad = [
    '{"a":1,"a":1}',
    '{"a":{"b":1,"c":2,"b":3}}',
    '{"a":[{"b":1,"\\u0062":2}]}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":1.0}',
    '{"a":1e2}',
    '{"a":-0}',
    '{"a":1e400}',
    '{"a":0.1000000000000000055}',
    '{"a":9007199254740993}',
    `{"a":${'9'.repeat(100_000)}}`,
    '{"a":NaN}',
    '[1]',
    'null',
    '"a"',
    '',
    '{',
    '{"a":1}}',
    '{"a":1} {}',
    '{"a":"',
    '{"a":"\\',
    '{"a":"\t"}',
    `{"a":${'['.repeat(1001)}${']'.repeat(1001)}}`,
    '{"a":'.repeat(100_000),
  ];
  for (const text of bad) assert.throws(() => parseLine(Buffer.from(text)), { name: 'Malformed' }, text.slice(0, 60));
  for (const bytes of [[0xff], [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d], [0xed, 0xa0, 0x80]])
    assert.throws(() => parseLine(Buffer.from(bytes)), { name: 'Malformed' });
});

test('names that every object of JavaScript has are names like others', () => {
  const text = '{"__proto__":{"constructor":1},"hasOwnProperty":[],"toString":null}';
  assert.equal(canonical(parseLine(Buffer.from(text))), text);
  assert.equal(({} as { constructor: unknown }).constructor, Object);
  const deep = `{"a":${'['.repeat(999)}${']'.repeat(999)}}`;
  assert.equal(canonical(parseLine(Buffer.from(deep))), deep);
});

test('SHA-256 joins bytes and texts', () => {
  assert.equal(sha256('a', Buffer.from('bc')).toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
