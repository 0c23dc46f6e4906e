import type { Logger } from 'pino';
import type { Limits } from '../../limits.ts';
import { repeated } from '../../repeated.ts';
import type { Owner } from '../records/record-lines.ts';
import type { Spool } from '../spool/spool.ts';
import type { Shortage, ShortageStore } from './shortage-store.ts';

interface Deps {
  /** The id of the spool. */
  id: string;
  spool: Pick<Spool, 'room' | 'isDiskFull' | 'diskError'>;
  store: ShortageStore;
  limits: Limits;
  log: Logger;
}

type State = Shortage['state'] | 'none';

/**
 * Notices that a spool has no room for bodies, and reports it to the operator's log at once and to the server, which notifies teams. Space comes and goes
 * on a full disk while records are handed in, so an episode ends only after a time with room. What is reported is the present state: a report that fails,
 * for the database may lie on the same disk, is repeated once a second and nothing queues.
 */
export function shortageReporter({ id, spool, store, limits, log }: Deps) {
  const { auditShortageSettleMs: settleMs, auditShortageTeams: maxTeams, auditShortageRenewMs: renewMs } = limits;
  const teams = new Set<string>();
  /** When each was observed last, by performance.now(). */
  const seenAt = { short: Number.NEGATIVE_INFINITY, unrecorded: Number.NEGATIVE_INFINITY, disk: Number.NEGATIVE_INFINITY };
  let state: State = 'none';
  let cause: Shortage['cause'] = 'backlog';
  let since = new Date();
  let isChanged = false;
  /** A report may have reached the server. */
  let isOpen = false;
  let savedAt = 0;
  let isFailing = false;
  const reporting = repeated(limits.auditSyncMs, report);

  return { observe, affects, start: reporting.start, stop };

  /** An exchange of this owner was let in, or refused, while there was no room for its bodies. */
  function affects({ team_id, protection }: Owner): void {
    if (spool.room !== 'full' && protection.bodies === 'none') return;
    if (!teams.has(team_id) && teams.size < maxTeams) {
      teams.add(team_id);
      isChanged = true;
    }
    observe();
  }

  function observe(): void {
    const now = performance.now();
    const { room } = spool;
    if (room !== 'roomy') seenAt.short = now;
    if (room === 'full') seenAt.unrecorded = now;
    if (spool.isDiskFull) seenAt.disk = now;
    const next = stateAt(now);
    const nextCause = now - seenAt.disk < settleMs ? 'disk' : 'backlog';
    const isDiskNew = nextCause === 'disk' && (cause !== 'disk' || state === 'none');
    if (next === state && nextCause === cause) return;
    if (state === 'none') since = new Date();
    if (next === 'none') teams.clear();
    logChange(next, isDiskNew);
    state = next;
    cause = nextCause;
    isChanged = true;
    void reporting.now();
  }

  function stateAt(now: number): State {
    if (now - seenAt.unrecorded < settleMs) return 'unrecorded';
    return now - seenAt.short < settleMs ? 'without_bodies' : 'none';
  }

  function logChange(next: State, isDiskNew: boolean): void {
    if (isDiskNew)
      log.error(
        { err: spool.diskError },
        'disk of the audit spool is full: records are written without bodies, into space that was held ahead; free space on this disk',
      );
    else if (state === 'none')
      log.error('audit spool is more than half full: records are written without bodies until the database has taken in what waits');
    if (next === state) return;
    if (next === 'unrecorded')
      log.error("audit spool has no room left: each project's setting decides whether requests are refused or served without a record");
    if (next === 'without_bodies' && state === 'unrecorded') log.warn('audit spool has room for records without bodies again');
    if (next === 'none') log.info('audit spool has room again: records have bodies');
  }

  /** Never rejects. */
  async function report(): Promise<void> {
    try {
      if (state !== 'none') await reportOpen(state);
      else if (isOpen) {
        await store.end(id);
        isOpen = state !== 'none';
      }
      isFailing = false;
    } catch (err) {
      isChanged = true;
      if (!isFailing) log.warn({ err }, 'shortage of the audit spool cannot be reported to the server; it is tried again every second');
      isFailing = true;
    }
  }

  async function reportOpen(now: Shortage['state']): Promise<void> {
    if (!isChanged && performance.now() - savedAt < renewMs) return;
    isOpen = true;
    const isKnown = !isChanged && (await store.renew(id));
    isChanged = false;
    if (!isKnown) await store.save(id, { cause, state: now, since, team_ids: [...teams] });
    savedAt = performance.now();
  }

  /** The spool of a process that ends is nobody's shortage any more: the next process reports its own. */
  async function stop(): Promise<void> {
    state = 'none';
    await reporting.stop();
  }
}
