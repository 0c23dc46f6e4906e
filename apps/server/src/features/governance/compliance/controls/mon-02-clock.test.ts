import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foundBy, runControl, statusOf } from '../../../../../test/controls.ts';
import { startApi } from '../../../../../test/server.ts';
import { connect } from '../../../../db/connect.ts';
import { clockControl } from './mon-02-clock.ts';

test('a clock that is off by more than a second is found, and passes once it is set', async (t) => {
  const { sql } = await startApi(t);
  let off = 5_000;
  const control = clockControl({ sql, now: () => Date.now() + off });
  const [found] = await foundBy(control, '');
  assert.match(
    found?.finding ?? '',
    /^The clock of PostgreSQL is (4\d{3}|5\d{3}) ms behind the clock of this server, give or take \d+ ms\.$/,
  );
  assert.match(found?.fix?.text ?? '', /NTP/);
  off = 0;
  assert.equal(await statusOf(control, ''), 'passed');
});

test('a PostgreSQL that does not answer is not verified', async (t) => {
  const { databaseUrl } = await startApi(t);
  const gone = connect(databaseUrl, { max: 1 });
  await gone.end();
  const { resources } = await runControl(clockControl({ sql: gone, now: Date.now }), '');
  assert.deepEqual(
    resources.map(({ status, finding }) => [status, finding]),
    [['unverified', 'PostgreSQL did not answer, so its clock was not read.']],
  );
});
