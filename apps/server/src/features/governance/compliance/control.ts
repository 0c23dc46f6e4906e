import type { ControlId, ControlResource, FrameworkId } from '@paddock/contract';

/** A clause, without the prefix of its framework. */
export type Clause = { framework: FrameworkId; clause: string };

/** A problem of a resource as a sentence, and the clauses that it breaks; null: all clauses of the control. */
export type Problem = { finding: string; clauses: readonly Clause[] | null };

/** The result for one resource. `finding` is a sentence; `evidence` is the checked data, without secrets. */
export type ControlFinding = Omit<ControlResource, 'waiver_id' | 'clauses'> & {
  /** The single problems behind a failure, when they do not all count for every framework. */
  problems?: readonly Problem[] | null | undefined;
};

/** The result of one run of a control. Without resources the control is not applicable. */
export interface ControlResult {
  /** A sentence with numbers: what was checked. */
  looked_at: string;
  /** Why there is nothing to check, as a sentence; used only without resources. */
  absence?: string;
  resources: ControlFinding[];
}

/**
 * A check against the running installation. It throws only when the check itself fails; the result is then 'unverified', with the error.
 */
export type Control =
  | { id: ControlId; of: 'team'; check: (team_id: string, signal: AbortSignal) => Promise<ControlResult> }
  | { id: ControlId; of: 'installation'; check: (signal: AbortSignal) => Promise<ControlResult> };
