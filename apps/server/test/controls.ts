import type { ControlStatus } from '@paddock/contract';
import type { Sql } from '../src/db/connect.ts';
import type { Control, ControlFinding, ControlResult } from '../src/features/governance/compliance/control.ts';
import { restoreControl } from '../src/features/governance/compliance/controls/bck-02-restores.ts';

const never = new AbortController().signal;

/** Runs a control for a team; a control of the installation ignores the team. */
export const runControl = (control: Control, team_id: string): Promise<ControlResult> =>
  control.of === 'team' ? control.check(team_id, never) : control.check(never);

/** The resources with a status, by default the failed ones. */
export async function foundBy(control: Control, team_id: string, status: ControlStatus = 'failed'): Promise<ControlFinding[]> {
  return (await runControl(control, team_id)).resources.filter((one) => one.status === status);
}

/** The worst status of a control's resources, as its run counts it. */
export async function statusOf(control: Control, team_id: string): Promise<ControlStatus> {
  const statuses = new Set((await runControl(control, team_id)).resources.map(({ status }) => status));
  if (statuses.has('failed')) return 'failed';
  if (statuses.size === 0) return 'not_applicable';
  return statuses.has('unverified') ? 'unverified' : 'passed';
}

/** The findings of the control of tested restores, for tests of the feature that tests them. */
export const restoreFindings = async (sql: Sql, team_id: string): Promise<[ControlStatus, string][]> =>
  (await runControl(restoreControl({ sql }), team_id)).resources.map(({ status, finding }) => [status, finding]);
