import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanner } from './scanner.ts';

const maxWaiting = 16;
const task = {
  text: `${'a '.repeat(20_000)}ada.lovelace@example.com`,
  format: 'text' as const,
  types: ['Email' as const],
  tokenised: [],
  tokenKey: undefined,
  values: [],
};

test('a team whose long bodies take all the places for them keeps no body of another team from being read', async () => {
  const scanning = scanner({ inlineLength: 1_000, scanMs: 20_000, maxWaiting });
  try {
    const order: string[] = [];
    const read = async (team_id: string) => {
      const scanned = await scanning.of(team_id).scanned(task);
      if (scanned) order.push(team_id);
      return scanned;
    };
    const greedy = Array.from({ length: 2 * maxWaiting }, () => read('greedy'));
    assert.ok(await read('neighbour'), 'read');
    const readBefore = order.indexOf('neighbour');
    assert.ok(readBefore <= 2, `${readBefore} bodies of the greedy team were read before`);
    const results = await Promise.all(greedy);
    assert.ok(results.includes(undefined), 'the greedy team sent more than it may at once');
    assert.ok(await read('greedy'), 'places are given back');
  } finally {
    scanning.close();
  }
});
