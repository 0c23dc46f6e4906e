import { ApiError, type PlanLimits, planLimits } from '@paddock/contract';
import { type LimitKind, limitText, type PlanId, type PlanInForce, plansInForce, planThatLifts } from '@paddock/contract/plans';
import type { Core, Feature } from '../../../core.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { lockTeam } from '../../../db/lock-team.ts';
import { serve } from '../../../http/serve.ts';
import { countProjects } from './store.ts';

/** Checks of other features, called in the transaction after something was created: each throws plan_limit_reached, which rolls it back. */
export interface Allowing {
  project: (tx: Tx, team_id: string) => Promise<void>;
  deployment: (tx: Tx, team_id: string) => Promise<void>;
  database: (tx: Tx, team_id: string) => Promise<void>;
}

/** Figures of other features. They are read in the caller's transaction. */
interface Deps {
  /** Null without a subscription. */
  planInForce: (sql: Sql | Tx, team_id: string) => Promise<PlanId | null>;
  /** Bytes of this month. */
  bandwidth: (sql: Sql | Tx, team_id: string) => Promise<number>;
  /** Bytes of the managed databases. */
  storage: (sql: Sql | Tx, team_id: string) => Promise<number>;
}

/** Limits of plans on projects, bytes and GB of databases. If limits are not enforced, they are displayed and refuse nothing. */
export function planLimitFeature({ sql, config }: Pick<Core, 'sql' | 'config'>, deps: Deps): Feature<Allowing> {
  const binding = config.plansBind;
  const planOf = async (tx: Sql | Tx, team_id: string): Promise<PlanInForce> => (await deps.planInForce(tx, team_id)) ?? 'free';

  const allowing: Allowing = {
    async project(tx, team_id) {
      await lockTeam(tx, team_id);
      const [plan, count] = [await planOf(tx, team_id), await countProjects(tx, team_id)];
      const { limit } = judged(plan, 'projects', count);
      // The new project is counted already.
      if (limit !== null && count > limit) throw refusal(plan, 'projects', count - 1);
    },
    async deployment(tx, team_id) {
      refuseIfReached(await planOf(tx, team_id), 'bandwidth_gb', gbOf(await deps.bandwidth(tx, team_id)));
    },
    async database(tx, team_id) {
      refuseIfReached(await planOf(tx, team_id), 'storage_gb', gbOf(await deps.storage(tx, team_id)));
    },
  };

  async function readPlanLimits(team_id: string): Promise<PlanLimits> {
    const plan = await planOf(sql, team_id);
    const [projects, bandwidth, storage] = await Promise.all([
      countProjects(sql, team_id),
      deps.bandwidth(sql, team_id),
      deps.storage(sql, team_id),
    ]);
    return {
      plan,
      binding,
      projects: judged(plan, 'projects', projects),
      bandwidth_gb: judged(plan, 'bandwidth_gb', gbOf(bandwidth)),
      storage_gb: judged(plan, 'storage_gb', gbOf(storage)),
    };
  }

  return {
    routes: [serve(planLimits, { get: (_input, { actor }) => readPlanLimits(actor.team_id) })],
    jobs: [],
    exports: binding ? allowing : { project: async () => undefined, deployment: async () => undefined, database: async () => undefined },
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
  new ApiError('plan_limit_reached', { detail: limitText(kind, { plan, used, raisedBy: planThatLifts(plan, kind, used) }) });

/** Rounded down to a thousand bytes: rounding never reaches a limit early. */
const gbOf = (bytes: number) => Math.floor(bytes / 1_000) / 1e6;
