import { test } from 'node:test';
import { type Row, table } from '../row.ts';
import { openArena } from './arena.ts';
import { tryLifecycle } from './lifecycle.ts';
import { tryReach } from './reach.ts';
import { tryResources } from './resources.ts';
import { trySecrets } from './secrets.ts';

/** Runs the attempts of list D that agents make, on a whole platform. `windowMs`: duration of each attack on a resource; `long`: all attempts. */
export async function attackByAgents(form: { windowMs: number; long: boolean }): Promise<Row[]> {
  const arena = await openArena();
  try {
    const rows = [...(await trySecrets(arena)), ...(await tryReach(arena))];
    if (form.long) return [...rows, ...(await tryResources(arena, form)), ...(await tryLifecycle(arena))];
    // Concurrent, to save time; the long form measures the effect on neighbours.
    return [...rows, ...(await Promise.all([tryResources(arena, form), tryLifecycle(arena)])).flat()];
  } catch (error) {
    throw new Error(`An attempt could not be made; the server said:\n${arena.paddock.output()}`, { cause: error });
  }
}

if (import.meta.main) {
  test('hostile agents', async () => {
    const begun = performance.now();
    const rows = await attackByAgents({ windowMs: Number(process.argv[2] ?? 6000), long: process.argv[3] !== 'short' });
    console.log(table(`Hostile agents (${((performance.now() - begun) / 1000).toFixed(0)} s)`, rows));
  });
}
