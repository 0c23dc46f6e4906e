import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseDriver, DatabaseState } from '@paddock/database-driver';
import type { Reserve } from '../../../disk/reserve.ts';
import type { Log } from '../../../log.ts';
import type { DatabaseAlert, DatabaseAlerts } from '../backups/backup-tasks.ts';
import type { LiveDatabase, ManagedRow, Task } from '../rows.ts';
import { typeLabel } from '../type-labels.ts';
import type { Step } from './next-step.ts';
import type { NodeDatabases, RestartAgents } from './node-store.ts';
import type { LogToAgents } from './task-runner.ts';

/** Start timeout: creating a cluster takes a second, crash recovery rarely more than a minute. */
const startMs = 120_000;
const backoffMs = (failures: number) => Math.min(60_000, 1000 * 2 ** (failures - 1));
/** Failed starts in a row after which the team gets an alert. */
const alertAfter = 3;

export interface StepParts {
  store: NodeDatabases;
  driver: DatabaseDriver;
  toDatabaseSpec: (row: ManagedRow) => LiveDatabase['spec'];
  runTask: (task: Task, of: { row: ManagedRow; live: LiveDatabase | undefined }, closing: AbortSignal) => Promise<void>;
  renew: RestartAgents;
  tell: LogToAgents;
  alerts: DatabaseAlerts;
  /** Backups are here, a folder for each database. */
  backupsDir: string;
  reserve: Reserve;
  log: Log;
}

/** A step to run, and the state that it was decided from. */
interface Next {
  step: Step;
  row: ManagedRow;
  state: DatabaseState | undefined;
  task: Task | undefined;
}

/** Runs the steps of this node's databases, and tracks which ones run. */
export function createStepRunner({ store, driver, toDatabaseSpec, runTask, renew, tell, alerts, backupsDir, reserve, log }: StepParts) {
  const live = new Map<string, LiveDatabase>();
  const failures = new Map<string, { count: number; due: number }>();
  /** Databases that stopped unexpectedly, until they run again. */
  const fallen = new Map<string, { at: number; reason: string }>();

  return {
    /** Running databases, with addresses and credentials. */
    live,
    /** A start failed recently and its retry is not due yet. */
    isPausing: (id: string) => (failures.get(id)?.due ?? 0) > performance.now(),
    endPause: (id: string) => failures.delete(id),
    take,
  };

  async function take({ step, row, state, task }: Next, signal: AbortSignal) {
    if (step === 'start') return await start(row, state, signal);
    if (step === 'stop' || step === 'remove') fallen.delete(row.id);
    if (step === 'remove') return await remove(row);
    if (step === 'task' && task) return await executeTask(task, row, signal);
    if (step === 'stop') {
      live.delete(row.id);
      await driver.stop(row.id);
    }
    await store.status(row.id, 'stopped', null);
    await alerts.clear(row.team_id, { rule: 'database_failed', database_id: row.id });
  }

  async function start(row: ManagedRow, state: DatabaseState | undefined, signal: AbortSignal) {
    const spec = toDatabaseSpec(row);
    if (state?.state === 'exited' && row.status === 'available') await recordUnexpectedStop(row, state.reason ?? 'nobody knows why');
    const address = await driver
      .start(spec, AbortSignal.any([signal, AbortSignal.timeout(startMs)]))
      .catch((error: unknown) => (signal.aborted ? undefined : recordStartFailure(row, error)));
    if (!address) return;
    // failpoint: database-started
    const { moved } = await store.available(row, address, renew);
    const now = await store.one(row.id);
    if (now) live.set(row.id, { row: now, spec, address });
    failures.delete(row.id);
    await alerts.clear(row.team_id, { rule: 'database_failed', database_id: row.id });
    const name = `The ${typeLabel[row.type]} database`;
    const fall = fallen.get(row.id);
    fallen.delete(row.id);
    if (fall) {
      const ms = Math.round(performance.now() - fall.at);
      await tell(row, 'warning', `${name} stopped unexpectedly (${fall.reason}) and was started again after ${ms} ms`);
    }
    if (moved) await tell(row, 'warning', `${name} answers at another port than before; the agent starts anew with its new address`);
  }

  async function recordStartFailure(row: ManagedRow, error: unknown): Promise<undefined> {
    const count = (failures.get(row.id)?.count ?? 0) + 1;
    failures.set(row.id, { count, due: performance.now() + backoffMs(count) });
    log.error({ err: error, database: row.id, failures: count }, 'database start failed; retrying');
    const why = (error as Error).message.slice(0, 500);
    await store.status(row.id, 'failed', why);
    if (count < alertAfter) return;
    await alerts.raise(row.team_id, doesNotStart(row, why));
  }

  async function recordUnexpectedStop(row: ManagedRow, reason: string) {
    const bare = withinSentence(reason);
    fallen.set(row.id, { at: performance.now(), reason: bare });
    log.warn({ database: row.id, reason }, 'database server stopped unexpectedly; restarting');
    await store.status(row.id, 'provisioning', `It stopped unexpectedly (${bare}) and is started again.`);
  }

  /** Restarts the database afterwards with a fresh row: a restore may have moved it, a rotation has changed its password. */
  async function executeTask(task: Task, row: ManagedRow, signal: AbortSignal) {
    const known = live.get(row.id);
    await runTask(task, { row, live: known && { ...known, row } }, signal);
    live.delete(row.id);
    const now = signal.aborted ? undefined : await store.one(row.id);
    if (now?.wanted === 'running') await start({ ...now, port: row.port }, undefined, signal);
  }

  async function remove(row: ManagedRow) {
    live.delete(row.id);
    await driver.remove(row.id);
    // failpoint: database-removed
    await rm(join(backupsDir, row.id), { recursive: true, force: true });
    await reserve.withRoom('removal', () => store.removed(row.id));
    failures.delete(row.id);
    fallen.delete(row.id);
  }
}

/** Output from before a kill explains nothing, so only the signal is reported. */
function withinSentence(reason: string): string {
  const short = reason.replace(/^(It was ended by SIG\w+);.*$/s, '$1').replace(/\.$/, '');
  return `${short.slice(0, 1).toLowerCase()}${short.slice(1)}`;
}

const doesNotStart = (row: ManagedRow, why: string): DatabaseAlert => ({
  rule: 'database_failed',
  severity: 'critical',
  database_id: row.id,
  project_id: row.project_id,
  lasting: true,
  title: `A ${typeLabel[row.type]} database does not start`,
  // A database that has never run has no backup.
  message: `The ${typeLabel[row.type]} database does not start, and is tried again about once a minute. ${row.port === null ? '' : 'If it goes on, restore a backup over it. '}${why}`,
});
