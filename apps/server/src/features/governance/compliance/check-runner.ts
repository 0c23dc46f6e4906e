import { type ControlId, controls as facts } from '@paddock/contract';
import type { Log } from '../../../log.ts';
import type { CheckScheduleStore } from './check-schedule-store.ts';
import type { Control } from './control.ts';
import type { createControlRunner } from './control-runner.ts';
import { controlsOf } from './framework-status.ts';
import type { ResultStore } from './result-store.ts';
import type { ClaimedRun, RunClaimStore } from './run-claim-store.ts';

interface Deps {
  controls: readonly Control[];
  runs: RunClaimStore;
  turns: Pick<CheckScheduleStore, 'postpone'>;
  results: Pick<ResultStore, 'isCheckedSince'>;
  runControl: ReturnType<typeof createControlRunner>;
  /** Names this process among all servers. */
  owner: string;
  log: Log;
}

/** The controls that a check of a framework runs, in order: those that are implemented. */
export const controlsToRun = (controls: readonly Control[], framework: ClaimedRun['framework']): Control[] => {
  const own = new Set<ControlId>(controlsOf(framework));
  return controls.filter(({ id }) => own.has(id));
};

/**
 * Runs requested checks one after the other, after the request got its response. One server owns a check; if that server dies, another one
 * resumes it where it stopped.
 */
export function createCheckRunner({ controls, runs, turns, results, runControl, owner, log }: Deps) {
  const closing = new AbortController();
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    await runs.endOld();
    while (!closing.signal.aborted) {
      const run = await runs.claim(owner);
      if (!run) return;
      await checkAll(run);
    }
  }

  async function checkAll(run: ClaimedRun): Promise<void> {
    const steps = controlsToRun(controls, run.framework);
    try {
      for (const [index, control] of steps.entries()) {
        if (index < run.controls_done) continue;
        const team_id = control.of === 'team' ? run.team_id : null;
        // A check of another framework, requested at the same time, has already run this control.
        if (await results.isCheckedSince(team_id, control.id, run.started_at)) continue;
        if (!(await runControl(control, { team_id: run.team_id, run: run.id, signal: closing.signal }))) return await releaseRun(run);
        await turns.postpone({
          team_id,
          control: control.id,
          every_seconds: facts[control.id].every_seconds,
        });
        if (!(await runs.advance(run, { owner, controls_done: index + 1 }))) return;
      }
      await runs.finish(run, { owner, status: 'completed', controls_done: steps.length });
    } catch (error) {
      log.warn({ err: error, run: run.id }, 'compliance check failed');
      await runs.finish(run, { owner, status: 'failed' });
    }
  }

  const releaseRun = async (run: ClaimedRun) => void (await runs.release(run, owner));

  return {
    /** Starts looking for checks to run, without waiting for them. */
    wake(): void {
      if (closing.signal.aborted) return;
      const before = working ?? Promise.resolve();
      working = before.then(work).catch((error: unknown) => log.warn({ err: error }, 'compliance check queue could not be processed'));
    },
    async close(): Promise<void> {
      closing.abort(new Error('the server ends'));
      await working;
    },
  };
}
