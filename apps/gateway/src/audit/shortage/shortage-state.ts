import type { Logger } from 'pino';
import type { Spool } from '../spool/spool.ts';
import type { Shortage } from './shortage-store.ts';

export type SpoolSpace = Pick<Spool, 'room' | 'isDiskFull' | 'diskError'>;
export type ShortageState = Pick<Shortage, 'cause'> & { state: Shortage['state'] | 'none' };

/** The worst state observed within `settleMs`: free space fluctuates on a full disk while records are submitted. */
export function shortageState(settleMs: number): (spool: SpoolSpace) => ShortageState {
  const seenAt = { short: Number.NEGATIVE_INFINITY, unrecorded: Number.NEGATIVE_INFINITY, disk: Number.NEGATIVE_INFINITY };
  return ({ room, isDiskFull }) => {
    const now = performance.now();
    if (room !== 'roomy') seenAt.short = now;
    if (room === 'full') seenAt.unrecorded = now;
    if (isDiskFull) seenAt.disk = now;
    const isRecent = (at: number) => now - at < settleMs;
    const cause = isRecent(seenAt.disk) ? 'disk' : 'backlog';
    if (isRecent(seenAt.unrecorded)) return { state: 'unrecorded', cause };
    return { state: isRecent(seenAt.short) ? 'without_bodies' : 'none', cause };
  };
}

/** Logs the begin, change or end of a shortage for the operator. */
export function logShortage(log: Logger, { before, next, err }: { before: ShortageState; next: ShortageState; err: unknown }): void {
  const begins = before.state === 'none';
  if (next.cause === 'disk' && (begins || before.cause !== 'disk'))
    log.error({ err }, 'disk of the audit spool is full: records are written without bodies, into reserved space; free space on this disk');
  else if (begins)
    log.error('audit spool is more than half full: records are written without bodies until the database has accepted the waiting ones');
  if (next.state === before.state) return;
  if (next.state === 'unrecorded')
    log.error("audit spool has no room left: each project's setting decides whether requests are refused or served without a record");
  if (next.state === 'without_bodies' && !begins) log.warn('audit spool has room for records without bodies again');
  if (next.state === 'none') log.info('audit spool has room again: records have bodies');
}
