import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseState } from '@paddock/database-driver';
import type { Changes } from '../../../db/changes.ts';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import type { LiveDatabase, ManagedRow, Task } from '../rows.ts';
import { nextStep } from './next-step.ts';
import { createStepRunner, type StepParts } from './run-step.ts';
import { createStepPool } from './step-pool.ts';

/** Reconcile interval; notifications wake the loop at once. */
const everyMs = 1_000;
const tidyMs = 60_000;

export interface ReconcilerDeps extends StepParts {
  changes: Changes;
  /** Whether a server is a scratch instance for testing a backup, which has no row. */
  isScratch?: (id: string) => boolean;
}
export type Reconciler = ReturnType<typeof startReconciler>;

/**
 * Reconciles this node's databases with their rows and runs their tasks: several databases at a time, one step at a time for each. A server
 * without a row is stopped and never deleted: the platform's database may be the wrong one.
 */
export function startReconciler(parts: ReconcilerDeps) {
  const { store, driver, changes, reserve, log, isScratch = () => false } = parts;
  const closing = new AbortController();
  const eachRow = createIsolatedLoop(log, 'database reconcile', { reserve });
  const steps = createStepRunner(parts);
  const { live } = steps;
  const underWay = createStepPool({ closing: closing.signal, log, onDone: () => loop.nudge() });
  const strays = new Set<string>();
  const tidy = throttle(() => driver.tidy());
  let isSettled = false;
  let paused = false;
  const unlisten = changes.on('databases', (id) => {
    steps.endPause(id); // a user requested a change
    loop.nudge();
  });

  async function reconcile() {
    if (!isSettled) await store.settleMachine();
    isSettled = true;
    if (paused) return;
    const chores = { claim: store.claim, dropUnmade: store.dropUnmade };
    await eachRow(Object.entries(chores), String, ([, chore]) => chore());
    // A step that ends meanwhile makes the list older than the row: that database waits for the next turn.
    const before = underWay.ids();
    const states = new Map((await driver.list()).map((one) => [one.id, one]));
    const rows = await store.mine();
    const tasks = new Map((await store.openTasks()).map((task) => [task.database_id, task]));
    for (const row of rows) reconcileDatabase(row, states.get(row.id), tasks.get(row.id));
    const known = new Set(rows.map((row) => row.id));
    for (const id of live.keys()) if (!known.has(id) && !underWay.has(id)) live.delete(id);
    await stopUnknownServers(states, new Set([...known, ...before]));
    await tidy();

    /** Begins the next step of a database, if there is one. */
    function reconcileDatabase(row: ManagedRow, state: DatabaseState | undefined, task: Task | undefined) {
      const known = live.get(row.id);
      if (known && !underWay.has(row.id)) known.row = row; // its limits may have changed
      if (row.wanted === 'deleted') underWay.cutUnless(row.id, 'remove'); // a backup may take long and is no longer wanted
      if (before.has(row.id) || paused || underWay.isResting(row.id)) return;
      const step = nextStep(row, {
        state: state?.state,
        isKnown: known !== undefined,
        hasTask: task !== undefined,
        isRescue: task?.of_failed === true,
        isPausing: steps.isPausing(row.id),
      });
      if (state?.state !== 'running') live.delete(row.id);
      if (step !== 'nothing' && underWay.hasRoom({ step, team_id: row.team_id }))
        underWay.begin(row, step, (signal) => steps.take({ step, row, state, task }, signal));
    }
  }

  async function stopUnknownServers(states: Map<string, DatabaseState>, known: Set<string>) {
    for (const { id, state } of states.values()) {
      if (known.has(id) || underWay.has(id) || isScratch(id) || state !== 'running') continue;
      if (!strays.has(id)) log.warn({ database: id }, 'unknown database server stopped; its data is kept');
      strays.add(id);
      underWay.begin({ id, team_id: '' }, 'stop', () => driver.stop(id));
    }
  }

  const loop = startLoop(reconcile, { closing: closing.signal, log });
  return {
    /** Running databases, with addresses and credentials. */
    live: (): LiveDatabase[] => [...live.values()],
    isLive: (id: string) => live.has(id),
    /** A step is in progress, which may interrupt the database for a moment. */
    isBusy: underWay.has,
    /** Stops all databases at shutdown; the next start brings them up again. Steps in progress are cancelled first. */
    async endAll() {
      paused = true;
      closing.abort();
      await Promise.all([loop.ended, underWay.over()]);
      const running = (await driver.list()).filter((one) => one.state === 'running');
      live.clear();
      await Promise.all(running.map((one) => driver.stop(one.id)));
      await store.ended();
    },
    /** Closes the loop; databases keep running. Waits until steps in progress are cancelled. */
    async close() {
      unlisten();
      closing.abort();
      await loop.ended;
      await underWay.over();
    },
  };
}

/** Reconciles once a second and after each nudge, until `closing`. */
function startLoop(reconcile: () => Promise<void>, { closing, log }: { closing: AbortSignal; log: Log }) {
  let wake: () => void = () => undefined;
  let nudged = false;

  async function run() {
    let failed = false;
    while (!closing.aborted) {
      nudged = false;
      try {
        await reconcile();
        failed = false;
      } catch (error) {
        // Logged once: every turn fails while the platform's database is away.
        if (!closing.aborted && !failed) log.warn({ err: error }, 'database reconcile failed; retrying');
        failed = true;
      }
      if (!nudged || failed) await pause();
    }
  }

  async function pause() {
    const woken = new AbortController();
    wake = () => woken.abort();
    if (nudged) await sleep(everyMs, undefined, { signal: closing }).catch(() => 'stopping');
    else await sleep(everyMs, undefined, { signal: AbortSignal.any([closing, woken.signal]) }).catch(() => 'woken');
  }

  return {
    ended: run(),
    nudge() {
      nudged = true;
      wake();
    },
  };
}

/** Runs the work at most once a minute, however often it is called. */
function throttle(work: () => Promise<unknown>) {
  let done = performance.now();
  return async () => {
    if (performance.now() - done <= tidyMs) return;
    done = performance.now();
    await work();
  };
}
