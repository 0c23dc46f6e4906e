import * as z from 'zod';
import { planIds } from './plans.ts';
import { route } from './route.ts';

const plan = z.enum(planIds);
const amount = z.number().min(0);

export const PlanLimit = z.object({
  used: amount,
  limit: amount.nullable().meta({ description: 'Null: the plan has no such limit' }),
  reached: z.boolean().meta({ description: 'Nothing more of it may be made where limits bind; what runs goes on' }),
  raised_by: plan.nullable().meta({ description: 'The cheapest plan that allows more than this one, and more than is used' }),
});

export const PlanLimits = z.object({
  plan: z.enum(['free', ...plan.options]).meta({ description: 'The plan in force; free without a subscription' }),
  binding: z.boolean().meta({ description: 'Whether a limit that is reached refuses anything: see PADDOCK_PLAN_LIMITS' }),
  projects: PlanLimit,
  bandwidth_gb: PlanLimit.meta({ description: 'GB (10^9 bytes) that the gateway carried in this UTC month, as metered once a minute' }),
  storage_gb: PlanLimit.meta({ description: 'GB of managed PostgreSQL databases, as they were last measured' }),
});
export type PlanLimits = z.infer<typeof PlanLimits>;

export const planLimits = {
  get: route({
    method: 'GET',
    path: '/billing/limits',
    access: 'projects:read',
    summary: 'What the plan of the team allows, and how much of it is used',
    input: z.strictObject({}),
    output: PlanLimits,
  }),
};
