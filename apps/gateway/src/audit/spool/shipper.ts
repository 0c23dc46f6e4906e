import type { Logger } from 'pino';
import type { Limits } from '../../limits.ts';
import { createBatchShipper, type SpoolCursor } from './batch-shipper.ts';
import { adoptOrphans, type OrphanSpool } from './orphan-spools.ts';
import type { Spool } from './spool.ts';
import type { spoolStore } from './spool-store.ts';

interface HandingInParts {
  id: string;
  spool: Spool;
  /** The folder of all spools. */
  root: string;
  store: ReturnType<typeof spoolStore> & { endShortage: (spool_id: string) => Promise<unknown> };
  limits: Limits;
  log: Logger;
}

/** Submits the records of this process, and of processes that have ended. */
export function createShipper({ id, spool, root, store, limits, log }: HandingInParts) {
  const { ship } = createBatchShipper({ submit: store.handIn, maxRecords: limits.auditBatch, maxBytes: limits.auditBatchBytes, log });
  const cargo: SpoolCursor = { id, segments: spool.segments, handedIn: 0, offset: 0, drop: (segment) => spool.drop(segment) };
  const leftovers = new Map<string, OrphanSpool>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  let isAway = false;

  return { submit, isManyWaiting: () => !isAway && waiting() >= limits.auditBatch, isEmpty: () => waiting() === 0 };

  function waiting(): number {
    return spool.last - cargo.handedIn;
  }

  /** Never rejects. After a failure, new records do not trigger another attempt. */
  async function submit(): Promise<void> {
    try {
      // Records that arrive meanwhile join a later batch.
      for (const until = spool.last; cargo.handedIn < until; ) if ((await ship(cargo)) === 0) break;
      await handInLeftovers();
      if (isFailing) log.info('audit records are submitted again');
      isFailing = false;
      isAway = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'audit records cannot be submitted; they stay in the spool');
      isFailing = true;
      isAway = true;
    }
  }

  async function handInLeftovers(): Promise<void> {
    look();
    for (const [name, leftover] of leftovers) {
      while ((await ship(leftover)) > 0) if (waiting() >= limits.auditBatch) return;
      // The process has ended and cannot report that its shortage is over.
      await store.endShortage(name);
      leftover.remove();
      leftovers.delete(name);
      log.info({ spool: name }, 'audit records of an ended process submitted');
    }
    count();
  }

  function look(): void {
    if (performance.now() - lookedAt < limits.auditAdoptMs) return;
    lookedAt = performance.now();
    for (const leftover of adoptOrphans(root, { held: new Set([id, ...leftovers.keys()]), log })) leftovers.set(leftover.id, leftover);
    count();
  }

  function count(): void {
    spool.othersBytes = [...leftovers.values()].reduce((sum, one) => sum + one.bytes(), 0);
  }
}
