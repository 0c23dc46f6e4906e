import {
  type ComplianceStatus,
  type ControlFacts,
  type ControlId,
  type ControlStatus,
  controls,
  type FrameworkId,
} from '@paddock/contract';

/** The status of a control by its last run, without waived resources. */
export interface Standing {
  control: ControlId;
  /** Unverified without a run. */
  status: ControlStatus;
  /** The last run is older than twice the control's interval. */
  is_stale: boolean;
  checked_at: string | null;
}

export const controlFacts = (control: ControlId): ControlFacts => controls[control];

export const controlsOf = (framework: FrameworkId): ControlId[] =>
  (Object.keys(controls) as ControlId[]).filter((control) => controlFacts(control).clauses[framework] !== undefined);

/** Whether a run is too old to count: older than twice the control's interval. */
export const isStale = (control: ControlId, checked_at: string, now: number): boolean =>
  now - Date.parse(checked_at) > 2 * controlFacts(control).every_seconds * 1_000;

/** True for a fresh run that was able to verify its subjects. */
export const isVerified = ({ status, is_stale, checked_at }: Standing): boolean =>
  checked_at !== null && !is_stale && status !== 'unverified';
/** False only if a fresh run found nothing to check. */
const isApplicable = ({ status, is_stale }: Standing): boolean => status !== 'not_applicable' || is_stale;
const isPassed = (standing: Standing): boolean => isVerified(standing) && standing.status === 'passed';

/**
 * A failure counts until a later run no longer finds it, however old it is. Unverified controls never count as passed; controls that are
 * not applicable do not count.
 */
export function frameworkStatus(all: readonly Standing[]): ComplianceStatus {
  const standings = all.filter(isApplicable);
  if (standings.some(({ status }) => status === 'failed')) return 'non_compliant';
  return standings.length > 0 && standings.every(isPassed) ? 'compliant' : 'in_review';
}

/** In percent, with one decimal digit. */
const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10);

export function computeCoverage(all: readonly Standing[]): number {
  const standings = all.filter(isApplicable);
  return percent(standings.filter(isVerified).length, standings.length);
}

/** Null before the first run. */
export function computeScore(all: readonly Standing[]): number | null {
  const standings = all.filter(isApplicable);
  if (standings.every(({ checked_at }) => checked_at === null)) return null;
  return percent(standings.filter(isPassed).length, standings.length);
}

/** The time of the oldest of the last runs; null if a control never ran. */
export function lastChecked(standings: readonly Standing[]): string | null {
  const times = standings.map(({ checked_at }) => checked_at);
  if (times.length === 0 || times.includes(null)) return null;
  return (times as string[]).reduce((oldest, time) => (time < oldest ? time : oldest));
}

export function counts(standings: readonly Standing[]) {
  const checks_failed = standings.filter(({ status }) => status === 'failed').length;
  const checks_passed = standings.filter(isPassed).length;
  const checks_not_applicable = standings.filter((one) => !isApplicable(one)).length;
  const checks_unverified = standings.length - checks_passed - checks_failed - checks_not_applicable;
  return { checks_passed, checks_failed, checks_unverified, checks_not_applicable };
}
