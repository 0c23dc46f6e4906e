import type { Logger } from 'pino';
import type { Limits } from '../../limits.ts';
import { repeated } from '../../repeated.ts';
import type { Owner } from '../records/record-lines.ts';
import { logShortage, type ShortageState, type SpoolSpace, shortageState } from './shortage-state.ts';
import type { Shortage, ShortageStore } from './shortage-store.ts';

interface Deps {
  /** The id of the spool. */
  id: string;
  spool: SpoolSpace;
  store: ShortageStore;
  limits: Limits;
  log: Logger;
}

/**
 * Detects that a spool has no room for bodies, and reports it to the operator's log at once and to the server, which notifies teams: once per
 * episode. An episode ends after a period with room. Each report contains the present state: a report that fails, since the database may lie on the
 * same disk, is retried once a second, and nothing queues.
 */
export function shortageReporter({ id, spool, store, limits, log }: Deps) {
  const stateOf = shortageState(limits.auditShortageSettleMs);
  const teams = new Set<string>();
  let current: ShortageState = { state: 'none', cause: 'backlog' };
  let since = new Date();
  /** The server may not know the present state yet. */
  let isChanged = false;
  /** The server may have an open report of this spool. */
  let isOpen = false;
  let renewedAt = 0;
  let isFailing = false;
  let isStopping = false;
  const reporting = repeated(limits.auditSyncMs, report);

  return { observe, affects, start: reporting.start, stop };

  /** An exchange of this owner was admitted without room for its bodies, or refused. */
  function affects({ team_id, protection }: Owner): void {
    if (spool.room !== 'full' && protection.bodies === 'none') return;
    if (!teams.has(team_id) && teams.size < limits.auditShortageTeams) {
      teams.add(team_id);
      isChanged = true;
    }
    observe();
  }

  function observe(): void {
    const before = current;
    const next = stateOf(spool);
    if (next.state === before.state && (next.state === 'none' || next.cause === before.cause)) return;
    current = next;
    isChanged = true;
    if (before.state === 'none') since = new Date();
    if (next.state === 'none') teams.clear();
    logShortage(log, { before, next, err: spool.diskError });
    void reporting.now();
  }

  /** Never rejects. */
  async function report(): Promise<void> {
    const { state, cause } = current;
    try {
      if (isStopping || state === 'none') await reportEnd();
      else if (isChanged) await save({ state, cause });
      else if (performance.now() - renewedAt >= limits.auditShortageRenewMs) {
        renewedAt = performance.now();
        // The server deletes the report of a gateway that was silent for long.
        if (!(await store.renew(id))) isChanged = true;
      }
      isFailing = false;
    } catch (err) {
      isChanged = true;
      if (!isFailing) log.warn({ err }, 'reporting the audit spool shortage failed; retrying every second');
      isFailing = true;
    }
  }

  async function save(shortage: Shortage): Promise<void> {
    isOpen = true;
    // A change that arrives during this save is saved by the next report.
    isChanged = false;
    await store.save(id, { ...shortage, since, team_ids: [...teams] });
    renewedAt = performance.now();
  }

  async function reportEnd(): Promise<void> {
    if (!isOpen) return;
    await store.end(id);
    isOpen = false;
  }

  /** A process that exits has no shortage any more: the next process reports its own. */
  async function stop(): Promise<void> {
    isStopping = true;
    await reporting.stop();
  }
}
