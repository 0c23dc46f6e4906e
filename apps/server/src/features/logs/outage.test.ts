import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../log.ts';
import { logFeed } from './feed.ts';
import { createReaderAuth } from './reader-auth.ts';
import type { LogStore } from './store.ts';

const errors = {
  outage: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  restart: Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
  fault: new TypeError("Cannot read properties of undefined (reading 'number')"),
  statement: Object.assign(new Error('column "numbr" does not exist'), { code: '42703' }),
};

/** The lines in the server's log after the work fails with this error. */
async function told(error: Error, work: (fail: () => Promise<never>, log: ReturnType<typeof createLog>) => () => void): Promise<string[]> {
  const lines: string[] = [];
  const log = createLog('error', { write: (line: string) => void lines.push(line) });
  let met = false;
  const stop = work(async () => {
    met = true;
    throw error;
  }, log);
  for (let tries = 0; tries < 400 && !met; tries++) await sleep(25);
  await sleep(50);
  stop();
  assert.ok(met);
  return lines;
}

const feeding: Parameters<typeof told>[1] = (fail, log) => {
  const feed = logFeed({ store: { after: fail } as unknown as LogStore, changes: { on: () => () => undefined } as never, log });
  feed.follow('dep_1', 0, { send: () => undefined, buffered: () => 0, end: () => undefined, tooSlow: () => undefined });
  return feed.close;
};
const checking: Parameters<typeof told>[1] = (fail, log) => {
  const checks = createReaderAuth(fail, log);
  checks.add({}, { session_id: 'ses_1', key_id: null }, () => undefined);
  return checks.close;
};

for (const [what, work] of [['live logs', feeding] as const, ['the check of their readers', checking] as const])
  test(`a fault in ${what} is in the server's log, and an outage of the database is not taken for one`, async () => {
    for (const kind of ['fault', 'statement'] as const) {
      const lines = await told(errors[kind], work);
      assert.ok(lines.length > 0 && lines.every((line) => line.includes(JSON.stringify(errors[kind].message).slice(1, -1))), kind);
    }
    for (const kind of ['outage', 'restart'] as const) assert.deepEqual(await told(errors[kind], work), [], kind);
  });
