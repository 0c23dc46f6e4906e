import assert from 'node:assert/strict';
import { until } from '../../apps/server/test/platform.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { dieAt, sharedWorld } from '../world.ts';

/** kill -9 of the server while it stores agents' output (F8). In the short size each kill happens while an agent logs a counter (I5). */
const moments: [point: string, when: string, long?: 'long'][] = [
  ['lines-read', 'when lines are read and not stored'],
  ['offsets-moved', 'in the middle of the transaction that stores lines', 'long'],
  ['lines-stored', 'when lines are stored and nobody was told'],
];

export const faults: Fault[] = moments.map(([point, when, long]) => ({
  id: `server-killed-${point}`,
  fault: `kill -9 of the server ${when}`,
  expected: 'agents go on, and what they wrote meanwhile is in the log once and in order',
  long: long !== undefined,
  failpoints: [point],
  async run() {
    const world = await sharedWorld();
    const count = async () =>
      (
        await world.sql<
          { n: number }[]
        >`select count(*)::int as n from log_lines where deployment_id = ${world.steady.id} and source = 'agent'`
      )[0]!.n;
    const before = await count();
    await dieAt(world, { point, after: 3 }, async () => undefined);
    const during = await count();
    await until('more lines are stored', async () => (await count()) > during + 20);
    const steady = await checkInvariants(world);
    const after = await count();
    assert.ok(after > before);
    return `${after - before} lines came through the death, each once; ${steady}`;
  },
}));
