import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { emptyDatabase } from '../../test/postgres.ts';
import { arrayLiteral } from './array-literal.ts';
import { connect } from './connect.ts';

test('PostgreSQL reads each text of an array as it was given, whatever it consists of', async (t) => {
  const { url, drop } = await emptyDatabase();
  const sql = connect(url, { max: 1, name: 'test' });
  t.after(async () => {
    await sql.end();
    await drop();
  });
  const read = async (values: readonly (string | null)[]) => {
    const [row] = await sql<[{ texts: (string | null)[] }]>`select to_json(${arrayLiteral(values)}::text[]) as texts`;
    return row.texts;
  };
  const odd = [
    '',
    ' ',
    'null',
    'NULL',
    '{',
    '}',
    ',',
    '"',
    '\\',
    '\\"',
    '$&',
    '\n\r\t',
    "'",
    'a,b',
    '{"a":"\\"b"}',
    null,
    '\u{1F600}',
    '***',
  ];
  assert.deepEqual(await read(odd), odd);
  for (const one of odd) assert.deepEqual(await read([one]), [one]);
  assert.deepEqual(await read([]), []);
  // PostgreSQL's text cannot contain NUL.
  const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
      assert.deepEqual(await read(values), values);
    }),
    { numRuns: 200 },
  );
});
