import type { DatabaseState } from '@paddock/database-driver';
import type { ManagedRow } from '../rows.ts';

export type Step = 'remove' | 'stop' | 'start' | 'task' | 'note stopped' | 'nothing';

interface StepInput {
  /** Of the server on this host; undefined: there is none. */
  state: DatabaseState['state'] | undefined;
  /** This process knows its address, since it started or adopted it. */
  isKnown: boolean;
  hasTask: boolean;
  /** The task is to put a backup over what does not start. */
  isRescue: boolean;
  /** A start failed a moment ago and is not due again yet. */
  isPausing: boolean;
}

/** What closes the gap between what a row says and what runs, one step at a time. Tasks come when there is no gap that could be closed now. */
export function nextStep(
  row: Pick<ManagedRow, 'wanted' | 'status' | 'port'>,
  { state, isKnown, hasTask, isRescue, isPausing }: StepInput,
): Step {
  if (row.wanted === 'deleted') return 'remove';
  if (row.wanted === 'stopped' && state === 'running' && !hasTask) return 'stop';
  if (isRescue && state !== 'running') return 'task';
  // A copy that is to be made from a backup: nothing of it is there yet.
  if (row.status === 'restoring' && row.port === null && hasTask) return 'task';
  const isUp = state === 'running' && isKnown && (row.status === 'available' || row.status === 'restoring');
  if (row.wanted === 'running' && !isUp && !isPausing) return 'start';
  if (hasTask) return 'task';
  // A copy whose restore failed has never run: it keeps saying why.
  const isUnmade = row.status === 'failed' && row.port === null;
  if (row.wanted === 'stopped' && row.status !== 'stopped' && !isUnmade) return 'note stopped';
  return 'nothing';
}
