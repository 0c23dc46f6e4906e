import type { ControlId, ControlResource, FrameworkId } from '@paddock/contract';

/** A clause, without the prefix of its framework. */
export type Clause = { framework: FrameworkId; clause: string };

/** A fault of a resource as a sentence, and the clauses that it breaks; null: all that the control answers. */
export type Problem = { finding: string; clauses: readonly Clause[] | null };

/** What one look at a resource found. `finding` is a sentence; `evidence` what was looked at, without secrets. */
export type ControlFinding = Omit<ControlResource, 'waiver_id' | 'clauses'> & {
  /** The faults behind a failure one by one, where they do not all count for every framework. */
  problems?: readonly Problem[] | null | undefined;
};

/** What one run of a control found. Without resources it is not applicable. */
export interface ControlResult {
  /** A sentence with numbers: what was looked at. */
  looked_at: string;
  /** Why there is nothing to look at, as a sentence; it is read only without resources. */
  absence?: string;
  resources: ControlFinding[];
}

/** A check against the running installation. It throws only where the check itself broke; that reads 'unverified', with the error. */
export type Control =
  | { id: ControlId; of: 'team'; check: (team_id: string, signal: AbortSignal) => Promise<ControlResult> }
  | { id: ControlId; of: 'installation'; check: (signal: AbortSignal) => Promise<ControlResult> };

/** A control whose source is gone, or that nothing here can look at. */
export const unverifiedResult = (looked_at: string, finding: string): ControlResult => ({
  looked_at,
  resources: [{ type: 'installation', id: 'installation', name: null, status: 'unverified', finding, evidence: null, fix: null }],
});
