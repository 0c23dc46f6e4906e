import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../db/connect.ts';
import { type Copy, type TableShape, tableCopyStore } from './table-copy-store.ts';

/** A lock that blocks others is awaited only briefly (`lockMs` of the store), with this many attempts: about four minutes in total. */
const maxTries = 120;
const maxPauseMs = 2_000;
/** Maximum rounds of applying changes before the swap, and the number of changes small enough for the swap itself. */
const maxRounds = 20;
const fewChanges = 1_000;

/**
 * Replaces a table by a copy of its rows, so that no file contains removed data. Readers and writers continue: a trigger records changes during the
 * copy, which are applied to it, and the exclusive lock is held only for the swap. Resolves to false if the table cannot be copied; throws if locks
 * were not available.
 */
export async function replaceTable(sql: Sql, name: string, signal: AbortSignal): Promise<boolean> {
  const store = tableCopyStore(sql);
  const shape = await store.shape(name);
  if (!shape) return true; // retention has dropped the table
  if (!shape.is_copyable) return false;
  const copy: Copy = copyNames(name);
  try {
    await retryWhileLocked(() => store.begin(shape, copy), signal);
    await store.fill(shape, copy);
    await retryWhileLocked(async () => {
      await takeOverChanges(store, shape, copy);
      await store.swap(shape, copy);
    }, signal);
    return true;
  } catch (error) {
    // The trigger must be removed, even when this server is about to shut down.
    await retryWhileLocked(() => store.drop(name, copy), AbortSignal.timeout(60_000));
    if ((error as { code?: string }).code === '42P01') return true; // dropped by retention during the copy
    throw error;
  }
}

function copyNames(name: string): Copy {
  const table = `${name}_copy_${randomBytes(4).toString('hex')}`;
  return { table, keys: `${table}_keys`, taken: `${table}_taken` };
}

async function takeOverChanges(store: ReturnType<typeof tableCopyStore>, shape: TableShape, copy: Copy): Promise<void> {
  for (let round = 1; round <= maxRounds; round++) if ((await store.takeOver(shape, copy)) < fewChanges) return;
}

/** Retries while a lock is not available at once. */
export async function retryWhileLocked(work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let tried = 1; ; tried++)
    try {
      await work();
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (tried === maxTries || !busyCodes.has(code ?? '')) throw error;
      await sleep(Math.min(tried * 100, maxPauseMs), undefined, { signal });
    }
}

/** Lock not available, statement timeout, deadlock. */
const busyCodes = new Set(['55P03', '57014', '40P01']);
