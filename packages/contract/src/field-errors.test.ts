import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { joinFieldErrors, readFields } from './field-errors.ts';
import { page, timestamp } from './lists.ts';

const schema = z.strictObject({
  ...page.shape,
  name: z.string().min(1).max(5),
  count: z.number().int().min(2).max(1_000),
  ratio: z.number().gt(0).lt(1),
  is_on: z.boolean(),
  type: z.enum(['a', 'b']),
  kind: z.literal('only'),
  tags: z.array(z.string()).min(1).max(2),
  pairs: z.array(z.strictObject({ key: z.string() })).min(2),
  code: z.string().length(4),
  at: timestamp,
  on: z.iso.date(),
  step: z.number().multipleOf(5),
  rules: z.record(z.enum(['x']), z.object({ y: z.string() })),
  own: z.string().regex(/^[a-z]*$/, 'Small letters alone'),
  plain: z.string().regex(/^[a-z]*$/),
});
const good = {
  ...{ name: 'n', count: 2, ratio: 0.5, is_on: true, type: 'a', kind: 'only', tags: ['t'], pairs: [{ key: 'k' }, { key: 'l' }] },
  ...{ code: '1234', at: '2026-11-01T00:00:00.000Z', on: '2026-11-01', step: 5, rules: { x: { y: '' } }, own: '', plain: '' },
};

const table: [field: string, value: unknown, path: string, message: string][] = [
  ['limit', '0', 'limit', 'limit must be at least 1'],
  ['limit', '501', 'limit', 'limit must be at most 500'],
  ['limit', 'many', 'limit', 'limit must be a number'],
  ['name', undefined, 'name', 'name is required'],
  ['name', 7, 'name', 'name must be text'],
  ['name', null, 'name', 'name must be text'],
  ['name', '', 'name', 'name cannot be empty'],
  ['name', 'longer', 'name', 'name must have at most 5 characters'],
  ['count', 2.5, 'count', 'count must be a whole number'],
  ['count', 1_001, 'count', 'count must be at most 1000'],
  ['ratio', 0, 'ratio', 'ratio must be greater than 0'],
  ['ratio', 1, 'ratio', 'ratio must be less than 1'],
  ['is_on', 'yes', 'is_on', 'is_on must be true or false'],
  ['type', 'c', 'type', 'type must be one of a, b'],
  ['type', undefined, 'type', 'type is required'],
  ['kind', 'other', 'kind', 'kind must be only'],
  ['tags', 't', 'tags', 'tags must be a list'],
  ['tags', [], 'tags', 'tags cannot be empty'],
  ['tags', ['t', 'u', 'v'], 'tags', 'tags must have at most 2 items'],
  ['tags', ['t', 1], 'tags.1', 'tags.1 must be text'],
  ['pairs', [{ key: 'k' }], 'pairs', 'pairs must have at least 2 items'],
  ['pairs', [{ key: 'k' }, {}], 'pairs.1.key', 'pairs.1.key is required'],
  ['pairs', [{ key: 'k' }, { key: 'l', other: 1 }], 'pairs.1.other', 'pairs.1.other is not a known field'],
  ['code', '123', 'code', 'code must have exactly 4 characters'],
  ['at', 'now', 'at', 'at must be a time in UTC such as 2026-11-01T00:00:00.000Z'],
  ['on', 'today', 'on', 'on must be a date such as 2026-11-01'],
  ['step', 7, 'step', 'step must be a multiple of 5'],
  ['rules', 7, 'rules', 'rules must be an object'],
  ['rules', {}, 'rules.x', 'rules.x is required'],
  ['own', 'A', 'own', 'Small letters alone'],
  ['plain', 'A', 'plain', 'plain must be in the right form'],
  ['other', 1, 'other', 'other is not a known field'],
];

for (const [field, value, path, message] of table)
  test(`${field} ${JSON.stringify(value)}: "${message}"`, () => {
    assert.deepEqual(readFields(schema, { ...good, [field]: value }), { errors: [{ path, message }] });
  });

test('right fields are given back as the schema reads them', () => {
  assert.deepEqual(readFields(schema, good), { data: { limit: 50, ...good } });
});

test('of thousands of unknown fields twenty are named, by the beginning of their names', () => {
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}`.padEnd(1_000, 'x'), 1]));
  const read = readFields(z.strictObject({}), unknown);
  assert.ok('errors' in read);
  assert.equal(read.errors.length, 20);
  assert.ok(read.errors.every(({ path }) => path.length === 100));
});

test('the sentences make one line, in which a field is named once', () => {
  const read = readFields(schema, { ...good, name: '', own: 'A' });
  assert.ok('errors' in read);
  assert.equal(joinFieldErrors(read.errors), 'name cannot be empty; own: Small letters alone');
});

test('something that is no object is told as such', () => {
  assert.deepEqual(readFields(schema, 7), { errors: [{ path: '', message: 'The input must be an object' }] });
});
