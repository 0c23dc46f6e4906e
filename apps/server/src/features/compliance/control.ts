import type { ControlId, ControlResource } from '@paddock/contract';

/** What one look at a resource found. `finding` is a sentence; `evidence` what was looked at, without secrets. */
export type Found = Omit<ControlResource, 'waiver_id'>;

/** What one run of a control found. Without resources it passed, and `looked_at` says that there was nothing to look at. */
export interface Outcome {
  /** A sentence with numbers: what was looked at. */
  looked_at: string;
  resources: Found[];
}

/** A check against the running installation. It throws only where the check itself broke; that reads 'unverified', with the error. */
export type Control =
  | { id: ControlId; of: 'team'; check: (team_id: string, signal: AbortSignal) => Promise<Outcome> }
  | { id: ControlId; of: 'installation'; check: (signal: AbortSignal) => Promise<Outcome> };

/** A control whose source is gone, or that nothing here can look at. */
export const unverified = (looked_at: string, finding: string): Outcome => ({
  looked_at,
  resources: [{ type: 'installation', id: 'installation', name: null, status: 'unverified', finding, evidence: null, fix: null }],
});
