import { test } from 'node:test';
import { type Row, table } from '../row.ts';
import { openArena } from './arena.ts';
import { tryLifecycle } from './lifecycle.ts';
import { tryReach } from './reach.ts';
import { tryResources } from './resources.ts';
import { trySecrets } from './secrets.ts';

/** Every attempt of list D that an agent makes, on a whole platform. `windowMs`: how long each attack on a resource goes on; `long`: all of them. */
export async function attackByAgents(form: { windowMs: number; long: boolean }): Promise<Row[]> {
  const arena = await openArena();
  const rows = await trySecrets(arena);
  rows.push(...(await tryReach(arena)));
  if (form.long) return [...rows, ...(await tryResources(arena, form)), ...(await tryLifecycle(arena))];
  // At the same time, to save it; what neighbours notice is measured by the long form.
  rows.push(...(await Promise.all([tryResources(arena, form), tryLifecycle(arena)])).flat());
  return rows;
}

if (import.meta.main) {
  test('hostile agents', async () => {
    const begun = performance.now();
    const rows = await attackByAgents({ windowMs: Number(process.argv[2] ?? 6000), long: process.argv[3] !== 'short' });
    console.log(table(`Hostile agents (${((performance.now() - begun) / 1000).toFixed(0)} s)`, rows));
  });
}
