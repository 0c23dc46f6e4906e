import {
  type ControlId,
  type ControlResource,
  type ControlState,
  type ControlStatus,
  citeClause,
  controls,
  type FrameworkId,
  formatClause,
} from '@paddock/contract';
import { listClauses, viewFinding } from './by-framework.ts';
import { isStale, type Standing } from './framework-status.ts';
import type { Result } from './result-store.ts';
import type { LiveWaiver } from './waiver-store.ts';

/** A control as a team sees it now: its last run, with the active waivers applied. */
export interface Assessed extends Standing {
  /** Resources of the last run, failed ones first. */
  resources: ControlResource[];
  resources_total: number;
  /** Number of failed resources without a waiver. */
  failed: number;
  is_waived: boolean;
  looked_at: string | null;
  version: string | null;
}

export const notImplemented = 'Nothing checks this yet.';

interface AssessInput {
  control: ControlId;
  isImplemented: boolean;
  result: Result | undefined;
  /** Active waivers of any control. */
  waivers: readonly LiveWaiver[];
  now: number;
  /** Assess by this framework's clauses alone; by default by those of all frameworks. */
  framework?: FrameworkId | undefined;
}

/** Assesses a control by its worst resource, without those that have a waiver. */
export function assessControl({ control, isImplemented, result, waivers, now, framework }: AssessInput): Assessed {
  const never: Assessed = {
    control,
    status: 'unverified',
    is_stale: false,
    checked_at: null,
    resources: [],
    resources_total: 0,
    failed: 0,
    is_waived: false,
    looked_at: isImplemented ? null : notImplemented,
    version: null,
  };
  if (!result || !isImplemented) return never;
  const own = waivers.filter((waiver) => waiver.control === control);
  const waiverOf = waiverFinder(own);
  const resources = result.resources.map((found) => ({ ...viewFinding(control, found, framework), waiver_id: waiverOf(found.id) }));
  const failedTotal = framework === undefined ? result.failed_total : (result.failed_by[framework] ?? result.failed_total);
  const waived = (status: ControlStatus) => resources.filter((one) => one.status === status && one.waiver_id !== null).length;
  // Only the first of very many resources are stored; a waiver for all also covers the others.
  const forAll = own.some(({ resource_id }) => resource_id === null);
  const failed = forAll ? 0 : failedTotal - waived('failed');
  const unverified = forAll ? 0 : result.unverified_total - waived('unverified');
  return {
    control,
    status: result.resources_total === 0 ? 'not_applicable' : worstStatus(failed, unverified),
    is_stale: isStale(control, result.checked_at, now),
    checked_at: result.checked_at,
    resources,
    resources_total: result.resources_total,
    failed,
    is_waived: failedTotal > 0 && failed === 0,
    looked_at: result.looked_at,
    version: result.version,
  };
}

function worstStatus(failed: number, unverified: number): ControlStatus {
  if (failed > 0) return 'failed';
  return unverified > 0 ? 'unverified' : 'passed';
}

/** Finds the first waiver for a resource: the earlier of one for all resources and one for it alone. */
function waiverFinder(waivers: readonly LiveWaiver[]): (resource_id: string) => string | null {
  const first = new Map<string | null, { id: string; place: number }>();
  for (const [place, { id, resource_id }] of waivers.entries()) if (!first.has(resource_id)) first.set(resource_id, { id, place });
  const forAll = first.get(null);
  return (resource_id) => {
    const own = first.get(resource_id);
    if (own && forAll) return own.place < forAll.place ? own.id : forAll.id;
    return (own ?? forAll)?.id ?? null;
  };
}

/** The clauses that a control answers, as texts; across all frameworks with the framework's name. */
export const clauseTexts = (control: ControlId, framework?: FrameworkId): string[] =>
  listClauses(control, framework).map((one) =>
    framework === undefined ? citeClause(one.framework, one.clause) : formatClause(one.framework, one.clause),
  );

export const toControlState = (
  { control, status, is_stale, is_waived, checked_at, looked_at, failed }: Assessed,
  clauses: string[],
): ControlState => ({
  control,
  title: controls[control].title,
  status,
  is_stale,
  is_waived,
  checked_at,
  every_seconds: controls[control].every_seconds,
  clauses,
  looked_at,
  failed,
});
