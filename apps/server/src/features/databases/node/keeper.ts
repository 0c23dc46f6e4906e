import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseDriver, DatabaseState } from '@paddock/database-driver';
import type { Changes } from '../../../db/changes.ts';
import type { Reserve } from '../../../disk/reserve.ts';
import { eachOf } from '../../../jobs/each.ts';
import type { Log } from '../../../log.ts';
import type { DatabaseAlerts } from '../backups/backup-tasks.ts';
import { nameOf } from '../names.ts';
import type { LiveDatabase, ManagedRow, Task } from '../rows.ts';
import { decide, type Step } from './decide.ts';
import type { NodeDatabases, Renew } from './node-store.ts';
import type { Tell } from './task-queue.ts';

/** How often one looks; notices wake it at once. */
const everyMs = 1_000;
/** So many databases at once, so that a start of everything does not take the machine from its agents. */
const atOnce = 4;
/** Besides these: a backup may take long, and a database that has stopped must not wait for it. */
const tasksAtOnce = 2;
/** For a start: making a cluster takes a second, mending one after a crash rarely more than a minute. */
const startMs = 120_000;
const backoffMs = (failures: number) => Math.min(60_000, 1000 * 2 ** (failures - 1));
/** A start that fails so many times in a row is not over in a moment: the team is told. */
const alertAfter = 3;
const stumbleMs = 5_000;
const tidyMs = 60_000;

export interface KeeperParts {
  store: NodeDatabases;
  driver: DatabaseDriver;
  specOf: (row: ManagedRow) => LiveDatabase['spec'];
  runTask: (task: Task, row: ManagedRow, live: LiveDatabase | undefined, closing: AbortSignal) => Promise<void>;
  renew: Renew;
  tell: Tell;
  alerts: DatabaseAlerts;
  /** Where backups lie, a folder for each database. */
  backupsDir: string;
  changes: Changes;
  reserve: Reserve;
  log: Log;
}
export type Keeper = ReturnType<typeof startKeeper>;

/**
 * Closes the gap between what rows say of this node's databases and what runs, and carries their tasks out: several databases at a time, one thing
 * at a time for each. What runs without a row is stopped and never deleted: the platform's database may be the wrong one.
 */
export function startKeeper({ store, driver, specOf, runTask, renew, tell, alerts, backupsDir, changes, reserve, log }: KeeperParts) {
  const closing = new AbortController();
  const eachRow = eachOf(log, 'looking after a database', { reserve });
  const busy = new Map<string, { step: Step; done: Promise<void>; cut: AbortController }>();
  const live = new Map<string, LiveDatabase>();
  const failures = new Map<string, { count: number; due: number }>();
  /** Those that stopped though nobody asked them to, until they are up again. */
  const fallen = new Map<string, { at: number; reason: string }>();
  /** Those that could not be settled for another reason, such as a platform's database that is away: until when they rest. */
  const stumbled = new Map<string, number>();
  const strays = new Set<string>();
  let tidied = performance.now();
  let wake: () => void = () => undefined;
  let nudged = false;
  let paused = false;
  const unlisten = changes.on('databases', (id) => {
    failures.delete(id); // somebody wants it anew: a pause is over
    nudged = true;
    wake();
  });

  async function turn() {
    const chores = { claim: store.claim, dropUnmade: store.dropUnmade };
    await eachRow(Object.entries(chores), String, ([, chore]) => chore());
    // What ends meanwhile is older in the list than in its row: it is looked at in the next turn.
    const underWay = new Set(busy.keys());
    const states = new Map((await driver.list()).map((one) => [one.id, one]));
    const [rows, tasks] = [await store.mine(), new Map((await store.openTasks()).map((task) => [task.database_id, task]))];
    for (const row of rows) {
      const known = live.get(row.id);
      if (known && !busy.has(row.id)) known.row = row; // its limits may have changed
      const now = busy.get(row.id);
      if (row.wanted === 'deleted' && now?.step !== 'remove') now?.cut.abort(); // a backup may take long, and nobody wants it any more
      if (underWay.has(row.id) || paused || (stumbled.get(row.id) ?? 0) > performance.now()) continue;
      const [state, task] = [states.get(row.id), tasks.get(row.id)];
      const isPausing = (failures.get(row.id)?.due ?? 0) > performance.now();
      const step = decide(row, {
        state: state?.state,
        isKnown: known !== undefined,
        hasTask: task !== undefined,
        isRescue: task?.of_failed === true,
        isPausing,
      });
      if (state?.state !== 'running') live.delete(row.id);
      if (step !== 'nothing' && hasRoom(step)) begin(row.id, step, (signal) => take(step, row, state, task, signal));
    }
    const known = new Set(rows.map((row) => row.id));
    for (const id of live.keys()) if (!known.has(id) && !busy.has(id)) live.delete(id);
    await stopStrays(states, new Set([...known, ...underWay]));
    if (performance.now() - tidied > tidyMs) {
      tidied = performance.now();
      await driver.tidy();
    }
  }

  function hasRoom(step: Step): boolean {
    const tasks = [...busy.values()].filter((one) => one.step === 'task').length;
    return step === 'task' ? tasks < tasksAtOnce : busy.size - tasks < atOnce;
  }

  function begin(id: string, step: Step, work: (signal: AbortSignal) => Promise<void>) {
    const cut = new AbortController();
    const signal = AbortSignal.any([closing.signal, cut.signal]);
    const done = work(signal)
      .then(
        () => {
          nudged = true;
        },
        (error: unknown) => {
          stumbled.set(id, performance.now() + stumbleMs);
          if (!signal.aborted) log.warn({ err: error, database: id }, 'a database could not be settled; tried again');
        },
      )
      .finally(() => {
        busy.delete(id);
        if (nudged) wake();
      });
    busy.set(id, { step, done, cut });
  }

  async function take(step: Step, row: ManagedRow, state: DatabaseState | undefined, task: Task | undefined, signal: AbortSignal) {
    if (step === 'start') return await start(row, state, signal);
    if (step === 'stop' || step === 'remove') fallen.delete(row.id);
    if (step === 'remove') return await remove(row);
    if (step === 'task' && task) return await carryOut(task, row, signal);
    if (step === 'stop') {
      live.delete(row.id);
      await driver.stop(row.id);
    }
    await store.status(row.id, 'stopped', null);
    await alerts.clear(row.team_id, { rule: 'database_failed', database_id: row.id });
  }

  async function start(row: ManagedRow, state: DatabaseState | undefined, signal: AbortSignal) {
    const spec = specOf(row);
    if (state?.state === 'exited' && row.status === 'available') await noteFall(row, state.reason ?? 'nobody knows why');
    const address = await driver
      .start(spec, AbortSignal.any([signal, AbortSignal.timeout(startMs)]))
      .catch((error: unknown) => (signal.aborted ? undefined : noteFailure(row, error)));
    if (!address) return;
    // failpoint: database-started
    const { moved } = await store.available(row, address, renew);
    const now = await store.one(row.id);
    if (now) live.set(row.id, { row: now, spec, address });
    failures.delete(row.id);
    await alerts.clear(row.team_id, { rule: 'database_failed', database_id: row.id });
    const name = `The ${nameOf[row.type]} database`;
    const fall = fallen.get(row.id);
    fallen.delete(row.id);
    if (fall) {
      const ms = Math.round(performance.now() - fall.at);
      await tell(row, 'warning', `${name} stopped unexpectedly (${fall.reason}) and was started again after ${ms} ms`);
    }
    if (moved) await tell(row, 'warning', `${name} answers at another port than before; the agent starts anew with its new address`);
  }

  async function noteFailure(row: ManagedRow, error: unknown): Promise<undefined> {
    const count = (failures.get(row.id)?.count ?? 0) + 1;
    failures.set(row.id, { count, due: performance.now() + backoffMs(count) });
    log.error({ err: error, database: row.id, failures: count }, 'a database could not be started; tried again');
    const why = (error as Error).message.slice(0, 500);
    await store.status(row.id, 'failed', why);
    if (count < alertAfter) return;
    await alerts.raise(row.team_id, {
      ...{ rule: 'database_failed', severity: 'critical', database_id: row.id, project_id: row.project_id, lasting: true },
      title: `A ${nameOf[row.type]} database does not start`,
      // One that has never run has no backup.
      message: `The ${nameOf[row.type]} database does not start, and is tried again about once a minute. ${row.port === null ? '' : 'If it goes on, restore a backup over it. '}${why}`,
    });
  }

  async function noteFall(row: ManagedRow, reason: string) {
    // It stands within a sentence. What a server said before somebody killed it explains nothing.
    const short = reason.replace(/^(It was ended by SIG\w+);.*$/s, '$1').replace(/\.$/, '');
    const bare = `${short.slice(0, 1).toLowerCase()}${short.slice(1)}`;
    fallen.set(row.id, { at: performance.now(), reason: bare });
    log.warn({ database: row.id, reason }, 'a database server stopped unexpectedly and is started again');
    await store.status(row.id, 'provisioning', `It stopped unexpectedly (${bare}) and is started again.`);
  }

  /** Afterwards one looks anew: a restore may have moved it, a rotation has changed how it is spoken to. */
  async function carryOut(task: Task, row: ManagedRow, signal: AbortSignal) {
    const known = live.get(row.id);
    await runTask(task, row, known && { ...known, row }, signal);
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
    for (const each of [failures, fallen, stumbled]) each.delete(row.id);
  }

  async function stopStrays(states: Map<string, DatabaseState>, known: Set<string>) {
    for (const { id, state } of states.values()) {
      if (known.has(id) || busy.has(id) || state !== 'running') continue;
      if (!strays.has(id))
        log.warn({ database: id }, 'a database server runs here that the platform does not know: it is stopped, and its data stays');
      strays.add(id);
      begin(id, 'stop', () => driver.stop(id));
    }
  }

  async function loop() {
    let isFirst = true;
    let failed = false;
    while (!closing.signal.aborted) {
      nudged = false;
      try {
        if (isFirst) await store.settleMachine();
        isFirst = false;
        if (!paused) await turn();
        failed = false;
      } catch (error) {
        // Said once: while the platform's database is away every turn fails.
        if (!closing.signal.aborted && !failed) log.warn({ err: error }, 'looking after databases failed; tried again');
        failed = true;
      }
      if (!nudged || failed) await pause();
    }
  }
  async function pause() {
    const woken = new AbortController();
    wake = () => woken.abort();
    if (nudged) await sleep(everyMs, undefined, { signal: closing.signal }).catch(() => 'stopping');
    else await sleep(everyMs, undefined, { signal: AbortSignal.any([closing.signal, woken.signal]) }).catch(() => 'woken');
  }

  const looping = loop();
  return {
    /** What runs here, ready to be spoken to. */
    live: (): LiveDatabase[] => [...live.values()],
    isLive: (id: string) => live.has(id),
    /** Something is being done with it, which may take it away for a moment. */
    isBusy: (id: string) => busy.has(id),
    /** Ends all databases with the server; the next start brings them up again. What is under way is cut short first. */
    async endAll() {
      paused = true;
      closing.abort();
      await Promise.all([looping, ...[...busy.values()].map(({ done }) => done)]);
      const running = (await driver.list()).filter((one) => one.state === 'running');
      live.clear();
      await Promise.all(running.map((one) => driver.stop(one.id)));
      await store.ended();
    },
    /** Databases go on. Waits for what is under way to be cut short. */
    async close() {
      unlisten();
      closing.abort();
      wake();
      await looping;
      await Promise.all([...busy.values()].map(({ done }) => done));
    },
  };
}
