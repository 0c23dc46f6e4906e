import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../../log.ts';
import { createStepPool } from './step-pool.ts';

for (const step of ['task', 'start'] as const) {
  test(`a team with as many steps under way (${step}) as it may have keeps no database of another team waiting`, async () => {
    const closing = new AbortController();
    const ended = Promise.withResolvers<void>();
    const underWay = createStepPool({ closing: closing.signal, log: createLog('silent'), onDone: () => undefined });
    let count = 0;
    while (underWay.hasRoom({ step, team_id: 'greedy' }) && count < 20)
      underWay.begin({ id: `db ${++count}`, team_id: 'greedy' }, step, () => ended.promise);
    assert.ok(count < 20, 'a team has a limit');
    assert.equal(underWay.hasRoom({ step, team_id: 'neighbour' }), true);
    ended.resolve();
    await underWay.over();
    assert.equal(underWay.hasRoom({ step, team_id: 'greedy' }), true);
  });
}
