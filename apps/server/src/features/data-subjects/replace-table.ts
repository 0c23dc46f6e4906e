import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../db/connect.ts';
import { type Copy, type TableShape, tableCopyStore } from './table-copy-store.ts';

/** A lock that others would wait behind is waited for so briefly (`lockMs` of the store), and tried so often: some four minutes in all. */
const maxTries = 120;
const maxPauseMs = 2_000;
/** Rounds of taking over changes before the swap, and how few are left to it. */
const maxRounds = 20;
const fewChanges = 1_000;

/**
 * Replaces a table by a copy of its rows, so that no file holds what was removed. Readers and writers go on: changes that happen during the copy are noted by
 * a trigger and taken over, and the exclusive lock is held for the swap alone. Resolves to false where the table cannot be copied; throws if locks were not
 * to be had.
 */
export async function replaceTable(sql: Sql, name: string, signal: AbortSignal): Promise<boolean> {
  const store = tableCopyStore(sql);
  const shape = await store.shape(name);
  if (!shape) return true; // retention dropped it meanwhile
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
    // The trigger must not go on noting, also when this server is about to end.
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

/** Tries again while a lock is not to be had at once. */
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
