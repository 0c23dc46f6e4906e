import { ApiError, type PlanLimits, planLimits } from '@paddock/contract';
import { type LimitKind, limitText, type PlanInForce, plansInForce, planThatLifts } from '@paddock/contract/plans';
import type { Core, Feature } from '../../../core.ts';
import type { Tx } from '../../../db/connect.ts';
import { lockTeam } from '../../../db/lock-team.ts';
import { serve } from '../../../http/serve.ts';
import { planLimitStore } from './store.ts';

/** Checks of other features, called in the transaction after something was created: each throws plan_limit_reached, which rolls it back. */
export interface Allowing {
  project: (tx: Tx, team_id: string) => Promise<void>;
  deployment: (tx: Tx, team_id: string) => Promise<void>;
  database: (tx: Tx, team_id: string) => Promise<void>;
}

/** Limits of plans on projects, bytes and GB of databases. If limits are not enforced, they are displayed and refuse nothing. */
export function planLimitFeature({ sql, config }: Pick<Core, 'sql' | 'config'>): Feature<Allowing> {
  const binding = config.plansBind;
  return {
    routes: [serve(planLimits, { get: (_input, { actor }) => limitsOf(planLimitStore(sql), { team_id: actor.team_id, binding }) })],
    jobs: [],
    exports: binding ? allowing : { project: async () => undefined, deployment: async () => undefined, database: async () => undefined },
  };
}

const allowing: Allowing = {
  async project(tx, team_id) {
    await lockTeam(tx, team_id);
    const store = planLimitStore(tx);
    const [plan, count] = [await store.plan(team_id), await store.projects(team_id)];
    const { limit } = judged(plan, 'projects', count);
    // The new project is counted already.
    if (limit !== null && count > limit) throw refusal(plan, 'projects', count - 1);
  },
  async deployment(tx, team_id) {
    const store = planLimitStore(tx);
    refuseIfReached(await store.plan(team_id), 'bandwidth_gb', gbOf(await store.bandwidth(team_id)));
  },
  async database(tx, team_id) {
    const store = planLimitStore(tx);
    refuseIfReached(await store.plan(team_id), 'storage_gb', gbOf(await store.storage(team_id)));
  },
};

async function limitsOf(
  store: ReturnType<typeof planLimitStore>,
  { team_id, binding }: { team_id: string; binding: boolean },
): Promise<PlanLimits> {
  const plan = await store.plan(team_id);
  const [projects, bandwidth, storage] = await Promise.all([store.projects(team_id), store.bandwidth(team_id), store.storage(team_id)]);
  return {
    plan,
    binding,
    projects: judged(plan, 'projects', projects),
    bandwidth_gb: judged(plan, 'bandwidth_gb', gbOf(bandwidth)),
    storage_gb: judged(plan, 'storage_gb', gbOf(storage)),
  };
}

function judged(plan: PlanInForce, kind: LimitKind, used: number) {
  const limit = plansInForce[plan].limits[kind];
  return { used, limit, reached: limit !== null && used >= limit, raised_by: planThatLifts(plan, kind, used) };
}

function refuseIfReached(plan: PlanInForce, kind: LimitKind, used: number): void {
  if (judged(plan, kind, used).reached) throw refusal(plan, kind, used);
}

const refusal = (plan: PlanInForce, kind: LimitKind, used: number) =>
  new ApiError('plan_limit_reached', { detail: limitText(kind, { plan, used, raised_by: planThatLifts(plan, kind, used) }) });

/** Rounded down to a thousand bytes: rounding never reaches a limit early. */
const gbOf = (bytes: number) => Math.floor(bytes / 1_000) / 1e6;
