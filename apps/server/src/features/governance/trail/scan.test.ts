import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../../../test/server.ts';

test('a text is scanned as it stands, with JSON understood, and nothing of it is stored', async (t) => {
  const { person, sql } = await startApi(t);
  const { api } = await person();
  const text = '{"ssn": 536228726, "note": "caf\u00e9 \u{1f600} ada@example.com"}';
  const { findings, redacted } = await api.governance.scan({ text });
  assert.deepEqual(
    findings.map(({ type, start, end }) => [type, text.slice(start, end)]),
    [
      ['SSN', '536228726'],
      ['Email', 'ada@example.com'],
    ],
  );
  assert.equal(redacted, '{"ssn": [SSN], "note": "caf\u00e9 \u{1f600} [EMAIL]"}');
  const [{ hours }] = await sql<[{ hours: number }]>`select count(*)::int as hours from pii_hours`;
  assert.equal(hours, 0);
});

test('the longest text that may be scanned is found through to its end', async (t) => {
  const { person } = await startApi(t);
  const { api } = await person();
  const text = `${'4111 1111 1111 1112 '.repeat(4_990)} ada@example.com`;
  const { findings } = await api.governance.scan({ text });
  assert.equal(findings.at(-1)?.end, text.length);
});
