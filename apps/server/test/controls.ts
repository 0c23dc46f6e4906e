import type { ControlStatus } from '@paddock/contract';
import type { Control, Found, Outcome } from '../src/features/compliance/control.ts';

const never = new AbortController().signal;

/** Runs a control for a team; one of the installation takes none. */
export const runControl = (control: Control, team_id: string): Promise<Outcome> =>
  control.of === 'team' ? control.check(team_id, never) : control.check(never);

/** The resources with a status, by default the failed ones. */
export async function foundBy(control: Control, team_id: string, status: ControlStatus = 'failed'): Promise<Found[]> {
  return (await runControl(control, team_id)).resources.filter((one) => one.status === status);
}

/** Of all statuses of a control the worst, as its run counts it. */
export async function statusOf(control: Control, team_id: string): Promise<ControlStatus> {
  const statuses = new Set((await runControl(control, team_id)).resources.map(({ status }) => status));
  if (statuses.has('failed')) return 'failed';
  return statuses.has('unverified') ? 'unverified' : 'passed';
}
