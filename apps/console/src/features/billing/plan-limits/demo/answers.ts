import type { Client } from '@paddock/client';
import { type LimitKind, type PlanId, plans, planThatLifts } from '@paddock/contract/plans';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../../../demo/answering.ts';
import type { DemoWorld } from '../../../../demo/demo-world.ts';

interface Deps {
  world: Pick<DemoWorld, 'projects' | 'databases'>;
  plan: () => PlanId;
  usage: Client<typeof contract>['usage'];
}

/** Plan limits of the demo: shown but not enforced, as on a self-hosted installation. */
export function demoPlanLimits({ world, plan, usage }: Deps): Client<typeof contract>['planLimits'] {
  return {
    async get(_input, options) {
      const month = (await usage.list({}, options)).usage[0];
      const bytes = world.databases.reduce(
        (sum, { type, mode, size_bytes }) => (type === 'postgresql' && mode === 'managed' ? sum + (size_bytes ?? 0) : sum),
        0,
      );
      const judged = (kind: LimitKind, used: number) => {
        const limit = plans[plan()].limits[kind];
        return { used, limit, reached: limit !== null && used >= limit, raised_by: planThatLifts(plan(), kind, used) };
      };
      return answer(
        () => ({
          plan: plan(),
          binding: false,
          projects: judged('projects', world.projects.length),
          bandwidth_gb: judged('bandwidth_gb', month?.bandwidth_gb ?? 0),
          storage_gb: judged('storage_gb', bytes / 1e9),
        }),
        options,
      );
    },
  };
}
