import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '@paddock/audit';
import * as fc from 'fast-check';
import { createBlanking } from './blanking.ts';
import { isSecretName, secretValues } from './secret-values.ts';

const secret = 'Hunter2&"ä/Ω+correct';
const blanking = createBlanking([secret, 'Zx81Zx81Zx81Zx81']);
const base64 = (text: string) => Buffer.from(text).toString('base64');

for (const [form, text] of Object.entries({
  'as it stands': `key=${secret};`,
  'as a string of JSON': JSON.stringify({ key: secret }),
  'as a part of an address': `?key=${encodeURIComponent(secret)}&x`,
  'as a field of a form': new URLSearchParams({ key: 'Zx81Zx81Zx81Zx81' }).toString(),
  'in HTML': '<p>Hunter2&amp;"ä/Ω+correct</p>',
  'in Base64': base64(secret),
  'in Base64 after one byte': base64(`u${secret}`),
  'in Base64 after two bytes, as a login': base64(`u:${secret}and more`),
  'in Base64 for addresses': Buffer.from(`ada:${secret}`).toString('base64url'),
  'as a credential of telemetry': `x-paddock-otlp=dep_0197f3c2-7e1a-7cc0-b1de-6b1f0a2c9e11.${'a'.repeat(43)}`,
}))
  test(`a secret is blanked ${form}`, () => {
    const blanked = blanking.text(text);
    assert.match(blanked, /\*\*\*/);
    for (const part of [secret.slice(0, 12), base64(secret).slice(6, 18), 'aaaaaaaa', 'Zx81']) assert.ok(!blanked.includes(part), blanked);
  });

test('the login in an address of a database is blanked, also where a library leaves out its middle', () => {
  const { text } = createBlanking(['redis://default:one-two-three-four@127.0.0.1:6379/0']);
  assert.equal(text("input_value='redis://default:one-t...our@127.0.0.1:6379/0'"), "input_value='redis://***@127.0.0.1:6379/0'");
  assert.equal(text('to postgresql+asyncpg://desk:pw@db.example.com/desk'), 'to postgresql+asyncpg://***@db.example.com/desk');
  assert.equal(text('to redis://default:one-two-three-four@127.0.0.1:6379/0'), 'to ***', 'a known one is blanked whole');
  assert.equal(text('to redis://127.0.0.1:6379/0, ada@example.com'), 'to redis://127.0.0.1:6379/0, ada@example.com');
});

test('text without a secret stays as it is', () => {
  const text = 'INFO Hunter2 is a word, dep_0197 a deployment, Zx81 a computer';
  assert.equal(blanking.text(text), text);
  assert.deepEqual(blanking.json({ a: [1, null, true, text] }), { a: [1, null, true, text] });
});

test('of two secrets, one of which begins with the other, the longer one is blanked whole', () => {
  assert.equal(createBlanking(['secret-value', 'secret-value-longer']).text('secret-value-longer secret-value'), '*** ***');
});

test('names, strings and numbers of a document are blanked', () => {
  const { json } = createBlanking(['1234567890', 'named-secret-1']);
  assert.deepEqual(json({ 'named-secret-1': 1234567890, deep: [{ text: 'is 1234567890' }] }), { '***': '***', deep: [{ text: 'is ***' }] });
});

test('a secret in a document is found in whatever form the document is written, by itself or in a longer text', () => {
  const secrets = ['plain-secret-1', 'with "quotes" and \\', 'two\nlines-of-it', 'Ω≈ç√∫˜µ≤≥', '1234567890'];
  const { text, json } = createBlanking(secrets);
  const each = (value: Json): Json => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return secrets.some((one) => String(value).includes(one)) ? '***' : value;
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(each);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), each(inner)]));
  };
  const word = fc.oneof(fc.constantFrom(...secrets, 'plain-secret', '","', '\\'), fc.string({ maxLength: 4 }));
  const words = fc.array(word, { maxLength: 3 }).map((some) => some.join(''));
  const { tree } = fc.letrec<{ tree: Json; leaf: Json }>((tie) => ({
    leaf: fc.oneof(words, fc.constantFrom(1234567890, 7, null, true)),
    tree: fc.oneof(
      { maxDepth: 3 },
      tie('leaf'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(words, tie('tree'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      assert.deepEqual(json(value), each(value));
    }),
    { numRuns: 2_000 },
  );
});

test('a secret of several thousand characters is one blank', () => {
  const long = Array.from({ length: 3_000 }, (_, at) => String.fromCharCode(97 + ((at * at) % 26))).join('');
  assert.equal(createBlanking([long]).text(`<${long}>`), '<***>');
});

test('a secret that a cut has shortened is blanked at the cut', () => {
  const { beginning, ending } = createBlanking(['abcdefghijklmnop']);
  assert.equal(beginning('text abcdefghij'), 'text ***');
  assert.equal(ending('hijklmnop text'), '*** text');
  assert.equal(beginning('text abc'), 'text abc');
});

test('a variable is secret by its name, its shape, or a part of its address', () => {
  const random = 'q8Zr1mN0vB7tKx3LpW5s';
  const table: [string, string, string[]][] = [
    ['API_KEY', 'plain-value', ['plain-value']],
    ['openaiApiKey', 'plain-value', ['plain-value']],
    ['SECRET_KEY_BASE', 'plain-value', ['plain-value']],
    ['STRIPE_TOKEN_2', 'plain-value', ['plain-value']],
    ['DB_PASSWORD', 'hunter2', ['hunter2']],
    ['DB_PASSWORD', 'postgres', []],
    ['DB_PASSWORD', '123456', []],
    ['PIN', '12345678', ['12345678']],
    ['NEXT_PUBLIC_API_KEY', 'plain-value', []],
    ['TOKEN_LIMIT', '100000000', []],
    ['MAX_TOKENS', '100000000', []],
    ['MODEL', 'anthropic.claude-3-5-sonnet-20241022-v2:0', []],
    ['LOG_LEVEL', 'information', []],
    ['REGION', 'us-east-1', []],
    ['TENANT', '0197f3c2-7e1a-7cc0-b1de-6b1f0a2c9e11', []],
    ['ANYTHING', `sk-${random}`, [`sk-${random}`]],
    ['ANYTHING', random, [random]],
    ['SITE', 'https://example.com/docs/page', []],
    ['DATABASE_URL', 'postgresql://app:p%40ss-word@db.example.com:5432/app', ['p%40ss-word', 'p@ss-word']],
    ['CALLBACK', 'https://example.com/x?api_key=plain-value&page=2', ['plain-value']],
    ['HOOK', `https://hooks.example.com/T1/${random}`, [random]],
    ['SENTRY', `https://${'0123456789abcdef'.repeat(2)}@example.com/1`, ['0123456789abcdef'.repeat(2)]],
    ['ACCOUNT', JSON.stringify({ type: 'service', private_key: 'line one of a key' }), ['line one of a key']],
  ];
  for (const [key, value, secrets] of table) assert.deepEqual(secretValues([{ key, value }]), secrets, `${key}=${value}`);
  assert.ok(isSecretName('AWS_SECRET_ACCESS_KEY') && !isSecretName('MONKEY') && !isSecretName('KEYBOARD'));
});

test('each line of a private key is a secret, since output is stored line by line', () => {
  const lines = ['q8Zr1mN0vB7tKx3LpW5s', 'w9Yr1mN0vB7tKx3LpW5t'];
  const value = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----`;
  const { text } = createBlanking(secretValues([{ key: 'CERT', value }]));
  assert.deepEqual(value.split('\n').map(text), ['-----BEGIN PRIVATE KEY-----', '***', '***', '-----END PRIVATE KEY-----']);
});
