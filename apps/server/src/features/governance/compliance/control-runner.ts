import { type ControlStatus, frameworkIds } from '@paddock/contract';
import type { Log } from '../../../log.ts';
import { isFailedBy } from './by-framework.ts';
import type { Control, ControlFinding, ControlResult } from './control.ts';
import { unverifiedResult } from './finding.ts';
import type { Result, ResultStore } from './result-store.ts';

/** Stored at most per run: resources, bytes of evidence per resource and in total, and letters per finding. */
const most = { resources: 500, evidenceBytes: 20_000, evidenceOfAll: 256 * 1024, findingLetters: 2_000 };

export interface ControlRunnerDeps {
  results: Pick<ResultStore, 'keep'>;
  version: string;
  /** Time limit of a control. */
  maxControlMs: number;
  log: Log;
}
/** The team a control runs for, and the run id for messages and the log. */
interface ControlRunInput {
  team_id: string;
  run: string;
  signal: AbortSignal;
}

/**
 * Runs a control once and stores its result. A control that throws or exceeds its time is stored as unverified. Returns false, and stores
 * nothing, when the server shuts down meanwhile.
 */
export const createControlRunner = ({ results, version, maxControlMs, log }: ControlRunnerDeps) =>
  async function runControl(control: Control, asked: ControlRunInput): Promise<boolean> {
    const { team_id, signal } = asked;
    const begun = performance.now();
    const checked_at = new Date().toISOString();
    const outcome = await checkControl(control, asked, { maxControlMs, log });
    if (signal.aborted) return false;
    const duration_ms = Math.round(performance.now() - begun);
    const of = control.of === 'team' ? team_id : null;
    await results.keep(of, { control: control.id, ...truncateResult(outcome), checked_at, duration_ms, version });
    return true;
  };

async function checkControl(
  control: Control,
  { team_id, run, signal }: ControlRunInput,
  { maxControlMs, log }: Pick<ControlRunnerDeps, 'maxControlMs' | 'log'>,
): Promise<ControlResult> {
  const late = AbortSignal.timeout(maxControlMs);
  const both = AbortSignal.any([signal, late]);
  try {
    const check = control.of === 'team' ? control.check(team_id, both) : control.check(both);
    return await Promise.race([check, aborted(both)]);
  } catch (error) {
    if (late.aborted)
      return unverifiedResult('The check was not completed.', `The check took longer than ${maxControlMs / 1_000} seconds and was ended.`);
    // The cause may name files and hosts of the server, which teams must not see.
    if (!signal.aborted) log.warn({ err: error, control: control.id, run, team_id }, 'compliance control failed to run');
    return unverifiedResult('The check was not completed.', `The check broke. The log of the server tells why, under ${run}.`);
  }
}

/** Rejects on abort, so that a check that ignores its signal is abandoned. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const rank: Record<ControlStatus, number> = { failed: 0, unverified: 1, passed: 2, not_applicable: 3 };

function truncateResult({
  looked_at,
  absence,
  resources,
}: ControlResult): Omit<Result, 'control' | 'checked_at' | 'duration_ms' | 'version'> {
  const sorted = resources.toSorted((a, b) => rank[a.status] - rank[b.status]);
  const of = (status: ControlStatus) => resources.filter((one) => one.status === status).length;
  return {
    status: sorted[0]?.status ?? 'not_applicable',
    looked_at: resources.length > 0 ? looked_at : (absence ?? looked_at),
    resources: withBoundedEvidence(sorted.slice(0, most.resources)),
    resources_total: resources.length,
    failed_total: of('failed'),
    failed_by: Object.fromEntries(frameworkIds.map((id) => [id, resources.filter((one) => isFailedBy(one, id)).length])),
    unverified_total: of('unverified'),
  };
}

/** The first resources keep their full evidence while it fits into the total; the others keep its beginning and its size. */
function withBoundedEvidence(resources: readonly ControlFinding[]): ControlFinding[] {
  let left = most.evidenceOfAll;
  return resources.map((found) => {
    const finding = boundedFinding(found.finding);
    const problems = found.problems?.map((problem) => ({ ...problem, finding: boundedFinding(problem.finding) }));
    const kept: ControlFinding = { ...found, finding, ...(problems ? { problems } : {}) };
    const text = JSON.stringify(found.evidence) ?? '';
    if (text.length <= Math.min(left, most.evidenceBytes)) {
      left -= text.length;
      return kept;
    }
    const begins = text.slice(0, Math.min(left, 1_000)).toWellFormed();
    left -= begins.length;
    return { ...kept, evidence: { cut: `${text.length} letters of evidence are too many to keep`, begins } };
  });
}

const boundedFinding = (finding: string): string =>
  finding.length <= most.findingLetters ? finding : `${finding.slice(0, most.findingLetters).toWellFormed()}…`;
