import type { DatabaseState } from '@paddock/database-driver';
import type { ManagedRow } from '../rows.ts';

export type Step = 'remove' | 'stop' | 'start' | 'task' | 'note stopped' | 'nothing';

interface StepInput {
  /** State of the database server on this host; undefined: there is none. */
  state: DatabaseState['state'] | undefined;
  /** This process knows its address, because it started or adopted it. */
  isKnown: boolean;
  hasTask: boolean;
  /** The task restores a backup over a database that does not start. */
  isRescue: boolean;
  /** A start failed a moment ago and is not due again yet. */
  isPausing: boolean;
}

/** The next step towards what the row asks for, one at a time. Tasks run when no other step is due. */
export function nextStep(
  row: Pick<ManagedRow, 'wanted' | 'status' | 'port'>,
  { state, isKnown, hasTask, isRescue, isPausing }: StepInput,
): Step {
  if (row.wanted === 'deleted') return 'remove';
  if (row.wanted === 'stopped' && state === 'running' && !hasTask) return 'stop';
  if (isRescue && state !== 'running') return 'task';
  // A copy to be restored from a backup: nothing of it exists yet.
  if (row.status === 'restoring' && row.port === null && hasTask) return 'task';
  const isUp = state === 'running' && isKnown && (row.status === 'available' || row.status === 'restoring');
  if (row.wanted === 'running' && !isUp && !isPausing) return 'start';
  if (hasTask) return 'task';
  // A copy whose restore failed has never run: its error message stays.
  const isUnmade = row.status === 'failed' && row.port === null;
  if (row.wanted === 'stopped' && row.status !== 'stopped' && !isUnmade) return 'note stopped';
  return 'nothing';
}
