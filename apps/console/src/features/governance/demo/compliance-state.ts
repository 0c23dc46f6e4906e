import type { ComplianceDetail, ComplianceRun, ControlId, ControlResource, ControlState, FrameworkId, Waiver } from '@paddock/contract';
import { citeClause, controlIds, controls, formatClause, frameworkIds, frameworks } from '@paddock/contract/compliance';
import { minuteMs } from '@paddock/contract/time';
import { absences, findings } from './compliance-samples.ts';

/** Duration of a sample check for each control. */
const checkMs = 80;

interface Run {
  id: string;
  framework: FrameworkId;
  begun: number;
}

const clausesOf = (control: ControlId, framework: FrameworkId): readonly string[] => controls[control].clauses[framework] ?? [];
const controlsOf = (framework: FrameworkId) => controlIds.filter((control) => clausesOf(control, framework).length > 0);

/** The compliance state of the demo: sample findings, and the waivers and runs made on this page. */
export function complianceState(now: number) {
  const waivers: Waiver[] = [];
  const runs: Run[] = [];
  // Half a minute of margin, so that the page's own clock shows the same minutes.
  const lastRun = new Map<FrameworkId, number>(frameworkIds.map((id, index) => [id, now - (index * 3 + 4.5) * minuteMs]));

  const waiverOf = (control: ControlId, resource: string) =>
    waivers.find((each) => each.control === control && (each.resource_id === null || each.resource_id === resource))?.id ?? null;

  /** All resources of a control, with their violations of one framework or of all. */
  const listResources = (control: ControlId, framework?: FrameworkId): ControlResource[] => {
    if (absences[control]) return [];
    const own = findings.filter((each) => each.control === control);
    const shown = own.map((each) => toControlResource(each, framework, waiverOf(control, each.resource.id)));
    // A finding on the whole team or installation leaves no passing resource.
    return shown.some(({ type }) => type === controls[control].scope) ? shown : [...shown, passing(control)];
  };

  function buildControlState(control: ControlId, framework?: FrameworkId): ControlState {
    const { title, every_seconds } = controls[control];
    const resources = listResources(control, framework);
    const failing = resources.filter(({ status }) => status === 'failed');
    const quiet = resources.length === 0 ? 'not_applicable' : 'passed';
    return {
      control,
      title,
      status: failing.length > 0 ? 'failed' : quiet,
      is_stale: false,
      is_waived: failing.length > 0 && failing.every(({ waiver_id }) => waiver_id !== null),
      checked_at: new Date(framework ? (lastRun.get(framework) ?? now) : Math.max(...lastRun.values())).toISOString(),
      every_seconds,
      clauses: framework ? clausesOf(control, framework).map((clause) => formatClause(framework, clause)) : allClauses(control),
      looked_at: absences[control] ?? 'Sample data of the demo.',
      failed: failing.filter(({ waiver_id }) => waiver_id === null).length,
    };
  }

  function advanceRun({ id, framework, begun }: Run): ComplianceRun {
    const controls_total = controlsOf(framework).length;
    const controls_done = Math.min(controls_total, Math.floor((Date.now() - begun) / checkMs));
    const ended = begun + controls_total * checkMs;
    const isDone = controls_done === controls_total;
    if (isDone) lastRun.set(framework, Math.max(ended, lastRun.get(framework) ?? 0));
    return {
      id,
      framework,
      status: isDone ? 'completed' : 'running',
      controls_total,
      controls_done,
      started_at: new Date(begun).toISOString(),
      finished_at: isDone ? new Date(ended).toISOString() : null,
    };
  }

  function buildComplianceDetail(framework: FrameworkId): ComplianceDetail {
    const run = runs.map(advanceRun).find((each) => each.framework === framework && each.status === 'running') ?? null;
    const states = controlsOf(framework).map((control) => buildControlState(control, framework));
    const details = states.flatMap(({ control }) =>
      listResources(control, framework)
        .filter(({ status, waiver_id }) => status === 'failed' && waiver_id === null)
        .map((resource) => ({ control, resource })),
    );
    const notApplicable = states.filter(({ status }) => status === 'not_applicable').length;
    const failed = states.filter(({ failed: count }) => count > 0).length;
    return {
      framework,
      name: frameworks[framework].name,
      status: details.length > 0 ? 'non_compliant' : 'compliant',
      last_checked: new Date(lastRun.get(framework) ?? now).toISOString(),
      checks_passed: states.length - failed - notApplicable,
      checks_failed: failed,
      checks_unverified: 0,
      checks_not_applicable: notApplicable,
      coverage: 100,
      violations: details.map(({ resource }) => resource.finding),
      violations_total: details.length,
      details,
      controls: states,
      run,
    };
  }
  return { waivers, runs, listResources, buildControlState, advanceRun, buildComplianceDetail };
}

const passing = (control: ControlId): ControlResource => ({
  type: controls[control].scope,
  id: `${control}-all`,
  name: controls[control].scope === 'team' ? 'Demo team' : 'This installation',
  status: 'passed',
  finding: `${controls[control].title}: everything that was looked at is as it should be.`,
  evidence: { looked_at: 12, as_it_should_be: 12 },
  clauses: [],
  fix: null,
  waiver_id: null,
});

function toControlResource(
  { resource, breaks }: (typeof findings)[number],
  framework: FrameworkId | undefined,
  waiver_id: string | null,
): ControlResource {
  const own = frameworkIds.flatMap((id) => {
    const broken = framework === undefined || framework === id ? breaks[id] : undefined;
    return broken ? [{ ...broken, framework: id }] : [];
  });
  if (own.length === 0)
    return {
      ...resource,
      status: 'passed',
      finding: `Within what ${framework ? frameworks[framework].name : 'the frameworks'} asks for.`,
      clauses: [],
      fix: null,
      waiver_id,
    };
  return {
    ...resource,
    status: 'failed',
    finding: own.map(({ finding }) => finding).join(' '),
    clauses: own.map((each) => citeClause(each.framework, each.clause)),
    waiver_id,
  };
}

const allClauses = (control: ControlId) => frameworkIds.flatMap((id) => clausesOf(control, id).map((clause) => citeClause(id, clause)));
