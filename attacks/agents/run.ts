import { test } from 'node:test';
import { type Row, table } from '../row.ts';
import { openArena } from './arena.ts';
import { tryReach } from './reach.ts';
import { tryResources } from './resources.ts';
import { trySecrets } from './secrets.ts';

/** Every attempt of list D that an agent makes, on a whole platform. `windowMs`: how long each attack on a resource goes on. */
export async function attackByAgents(windowMs: number): Promise<Row[]> {
  const arena = await openArena();
  const rows = await trySecrets(arena);
  rows.push(...(await tryReach(arena)));
  rows.push(...(await tryResources(arena, windowMs)));
  return rows;
}

if (import.meta.main) {
  test('hostile agents', async () => {
    const begun = performance.now();
    const rows = await attackByAgents(Number(process.argv[2] ?? 6000));
    console.log(table(`Hostile agents (${((performance.now() - begun) / 1000).toFixed(0)} s)`, rows));
  });
}
