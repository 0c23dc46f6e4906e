import { type ComplianceDetail, type ControlId, controlIds, type FrameworkId, frameworkIds, frameworks } from '@paddock/contract';
import { type Assessed, assessControl, clauseTexts, toControlState } from './assess-control.ts';
import { complianceClaims, formatViolation } from './claims.ts';
import type { Control } from './control.ts';
import { computeCoverage, computeScore, controlFacts, controlsOf, counts, frameworkStatus, lastChecked } from './framework-status.ts';
import type { ResultStore } from './result-store.ts';
import type { WaiverStore } from './waiver-store.ts';

/** Violations per response; the counts beside them cover all. */
const maxViolations = 500;

export interface OverviewParts {
  /** The implemented controls. */
  controls: readonly Pick<Control, 'id'>[];
  results: Pick<ResultStore, 'last'>;
  waivers: Pick<WaiverStore, 'live'>;
  retention_days: number;
}

/** A team's status, computed from the last runs of all controls. */
export function createOverview({ controls, results, waivers, retention_days }: OverviewParts) {
  const implemented = new Set<ControlId>(controls.map(({ id }) => id));
  const ofScope = (ids: readonly ControlId[], scope: 'team' | 'installation') => ids.filter((id) => controlFacts(id).scope === scope);

  /** Loads the last runs of these controls. Evidence, which is most of the stored data, is loaded only when it is shown. */
  async function load(team_id: string, ids: readonly ControlId[], { withEvidence }: { withEvidence: boolean }) {
    const asked = { team: ofScope(ids, 'team'), installation: ofScope(ids, 'installation'), withEvidence };
    const [last, live] = await Promise.all([results.last(team_id, asked), waivers.live(team_id, ids)]);
    const now = Date.now();
    const ofControl = Map.groupBy(live, ({ control }) => control);
    /** Assesses a control by the clauses of one framework, or of all. */
    return (control: ControlId, framework?: FrameworkId): Assessed =>
      assessControl({
        control,
        isImplemented: implemented.has(control),
        result: last.get(control),
        waivers: ofControl.get(control) ?? [],
        now,
        framework,
      });
  }

  const ofFramework = async (team_id: string, framework: FrameworkId): Promise<Assessed[]> => {
    const standingOf = await load(team_id, controlsOf(framework), { withEvidence: true });
    return controlsOf(framework).map((control) => standingOf(control, framework));
  };

  return {
    ofFramework,

    /** A control with its evidence. */
    async ofControl(team_id: string, control: ControlId, framework?: FrameworkId): Promise<Assessed> {
      return (await load(team_id, [control], { withEvidence: true }))(control, framework);
    },

    async overview(team_id: string) {
      const standingOf = await load(team_id, controlIds, { withEvidence: false });
      const all = new Map(controlIds.map((control) => [control, standingOf(control)]));
      const shown = frameworkIds.map((framework) =>
        summariseFramework(
          framework,
          controlsOf(framework).map((control) => standingOf(control, framework)),
        ),
      );
      const statusOf = (framework: FrameworkId) => shown.find((one) => one.framework === framework)!.status;
      return {
        frameworks: shown,
        score: computeScore([...all.values()]),
        claims: complianceClaims({
          standings: all,
          frameworks: { soc2: statusOf('soc2'), iso27001: statusOf('iso27001') },
          retention_days,
        }),
      };
    },

    async detail(team_id: string, framework: FrameworkId): Promise<Omit<ComplianceDetail, 'run'>> {
      return buildComplianceDetail(framework, await ofFramework(team_id, framework));
    },
  };
}

/** A framework's status, from its controls assessed by its clauses. */
export function buildComplianceDetail(framework: FrameworkId, own: readonly Assessed[]): Omit<ComplianceDetail, 'run'> {
  const { name, status, last_checked, violations } = summariseFramework(framework, own);
  const details = own.flatMap(failures).slice(0, maxViolations);
  return {
    framework,
    name,
    status,
    last_checked,
    ...counts(own),
    coverage: computeCoverage(own),
    violations: details.map(({ control, resource }) => formatViolation(control, resource)),
    violations_total: violations,
    details,
    controls: own.map((one) => toControlState(one, clauseTexts(one.control, framework))),
  };
}

const summariseFramework = (framework: FrameworkId, own: readonly Assessed[]) => ({
  framework,
  name: frameworks[framework].name,
  status: frameworkStatus(own),
  last_checked: lastChecked(own),
  violations: own.reduce((sum, { failed }) => sum + failed, 0),
});

const failures = ({ control, resources }: Assessed) =>
  resources.filter(({ status, waiver_id }) => status === 'failed' && waiver_id === null).map((resource) => ({ control, resource }));
