import { ApiError, compliance } from '@paddock/contract';
import { dayMs } from '@paddock/contract/time';
import { type Handlers, serve } from '../../../http/serve.ts';
import { clauseTexts, toControlState } from './assess-control.ts';
import { controlsToRun } from './check-runner.ts';
import type { Control } from './control.ts';
import type { evidencePackage } from './evidence/package.ts';
import { controlFacts } from './framework-status.ts';
import type { createOverview } from './overview.ts';
import type { ResultStore } from './result-store.ts';
import type { RunStore } from './run-store.ts';
import type { WaiverStore } from './waiver-store.ts';

/** Maximum duration of a waiver before it has to be renewed. */
const maxWaiverMs = 366 * dayMs;

export interface ComplianceParts {
  controls: readonly Control[];
  overview: ReturnType<typeof createOverview>;
  results: Pick<ResultStore, 'history'>;
  runs: Pick<RunStore, 'begin' | 'get' | 'underWay'>;
  waivers: WaiverStore;
  evidence: ReturnType<typeof evidencePackage>;
  /** Notifies the check runner of a new check. */
  wake: () => void;
}

export const complianceHandlers = ({
  controls,
  overview,
  results,
  runs,
  waivers,
  evidence,
  wake,
}: ComplianceParts): Handlers<typeof compliance> => ({
  overview: (_, { actor }) => overview.overview(actor.team_id),

  async detail({ framework }, { actor }) {
    const [detail, run] = await Promise.all([overview.detail(actor.team_id, framework), runs.underWay(actor.team_id, framework)]);
    return { ...detail, run };
  },

  async check({ framework }, { actor, newId }) {
    const controls_total = controlsToRun(controls, framework).length;
    const run = await runs.begin(actor.team_id, { id: newId('cmr'), framework, controls_total });
    wake();
    return run;
  },

  evidence: ({ framework }, { actor }) => evidence(actor.team_id, framework),

  run: ({ id }, { actor }) => runs.get(actor.team_id, id),

  async control({ control, framework }, { actor }) {
    const { team_id } = actor;
    const [assessed, history, own] = await Promise.all([
      overview.ofControl(team_id, control, framework),
      results.history(controlFacts(control).scope === 'team' ? team_id : null, control),
      waivers.of(team_id, control),
    ]);
    return {
      ...toControlState(assessed, clauseTexts(control, framework)),
      resources: assessed.resources,
      resources_total: assessed.resources_total,
      version: assessed.version,
      history: history.map(({ failed_total, ...run }) => ({ ...run, failed: failed_total })),
      waivers: own,
    };
  },

  createWaiver(input, { actor, newId }) {
    const ahead = Date.parse(input.expires_at) - Date.now();
    if (!(ahead > 0 && ahead <= maxWaiverMs))
      throw new ApiError('input_invalid', {
        errors: [{ path: 'expires_at', message: 'Give a time within the next year: what is accepted is to be looked at again' }],
      });
    return waivers.create(actor.team_id, { id: newId('wvr'), ...input });
  },

  waiver: ({ id }, { actor }) => waivers.get(actor.team_id, id),

  async deleteWaiver({ id }, { actor }) {
    await waivers.remove(actor.team_id, id);
    return null;
  },
});

export const complianceRoutes = (parts: ComplianceParts) => serve(compliance, complianceHandlers(parts));
