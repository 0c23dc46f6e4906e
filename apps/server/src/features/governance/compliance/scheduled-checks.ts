import { newId } from '../../../ids.ts';
import type { IsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import type { CheckScheduleStore, DueCheck } from './check-schedule-store.ts';
import type { Control } from './control.ts';
import type { createControlRunner } from './control-runner.ts';
import { controlFacts } from './framework-status.ts';

const atOnce = 2_000;

interface Deps {
  controls: readonly Control[];
  turns: Pick<CheckScheduleStore, 'due' | 'claim'>;
  runControl: ReturnType<typeof createControlRunner>;
  each: IsolatedLoop;
  log: Log;
}

/**
 * Checks due controls one after the other. Other periodic jobs do not wait for it. Controls that one run cannot finish are left to the
 * next.
 */
export function createScheduledChecks({ controls, turns, runControl, each, log }: Deps) {
  const closing = new AbortController();
  let working: Promise<void> | undefined;
  const byId = new Map(controls.map((control) => [control.id, control]));
  const asked = controls.map(({ id, of }) => ({ id, of, every_seconds: controlFacts(id).every_seconds }));

  async function checkDue(): Promise<void> {
    await check(await turns.due(asked, atOnce));
  }

  async function check(list: readonly DueCheck[]): Promise<void> {
    await each(
      list,
      ({ team_id, control }) => `${control} ${team_id ?? 'installation'}`,
      async (turn) => {
        const control = byId.get(turn.control);
        if (!control || closing.signal.aborted || !(await turns.claim(turn))) return;
        await runControl(control, { team_id: turn.team_id ?? '', run: newId('cmr'), signal: closing.signal });
      },
    );
  }

  return {
    /** Starts checking due controls, unless already in progress. */
    async begin(): Promise<void> {
      working ??= checkDue()
        .catch((error: unknown) => log.warn({ err: error }, 'scheduled compliance checks failed'))
        .finally(() => (working = undefined));
    },
    /** Checks these due controls concurrently with checks in progress. */
    check,
    async close(): Promise<void> {
      closing.abort(new Error('the server ends'));
      await working;
    },
  };
}
