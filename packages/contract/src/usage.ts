import * as z from 'zod';
import { usageLimits } from './limits.ts';
import { id, nextCursor, timestamp } from './lists.ts';
import { route } from './route.ts';

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'A month reads like 2026-11.');
const amount = z.number().min(0);
const dollars = amount.meta({ description: 'US dollars, rounded to cents' });

const quantities = {
  compute_hours: amount.meta({ description: 'Hours in which instances of agents ran, added up over all of them' }),
  bandwidth_gb: amount.meta({ description: 'GB (10^9 bytes) of bodies and WebSockets through the gateway, in and out' }),
  database_storage_gb: amount.meta({ description: 'GB-months of managed databases: their average size over the whole month' }),
};
const priced = z.object({ ...quantities, cost: dollars });

export const UsageOfProject = priced.extend({
  project_id: id('prj').nullable().meta({ description: 'Null: all the other projects together' }),
  project_name: z.string(),
  is_deleted: z.boolean(),
});
export type UsageOfProject = z.infer<typeof UsageOfProject>;

export const UsageOfDay = z.object({
  day: z.iso.date(),
  ...quantities,
  cost: dollars.meta({ description: 'US dollars: the days and the corrections of a month add up to its cost' }),
});
export type UsageOfDay = z.infer<typeof UsageOfDay>;

export const UsageOfMonth = z.object({
  month,
  ...quantities,
  core_hours: amount.meta({
    description: 'compute_hours, each multiplied by the cores that the instance could use; nothing is charged by it',
  }),
  compute_cost: dollars,
  bandwidth_cost: dollars,
  database_storage_cost: dollars,
  cost: dollars.meta({ description: 'The three costs together, without the price of a plan' }),
  base_plan_cost: dollars.nullable().meta({
    description:
      'The price of the plan in force, 0 on the free plan: with `cost` it is the estimate of the month. Null for earlier months, whose invoices tell, and for one project',
  }),
  projected: priced.nullable().meta({
    description: 'At the end of the month, if it goes on like this; null in its first 24 hours, and for other months',
  }),
  corrections: z
    .array(priced.extend({ of_month: month }))
    .meta({ description: 'What became known after an earlier month was closed; it is counted in this one' }),
  closed_at: timestamp.nullable().meta({ description: 'From then on nothing of this month changes' }),
  by_project: z
    .array(UsageOfProject)
    .max(usageLimits.projects + 1)
    .nullable()
    .meta({
      description:
        'The most expensive first; they add up to the cost of the month. Null unless it is the newest month, or the one that was asked for',
    }),
  by_day: z.array(UsageOfDay).nullable().meta({ description: 'UTC days up to now, without corrections; null as by_project is' }),
});
export type UsageOfMonth = z.infer<typeof UsageOfMonth>;

export const budgetKinds = ['usage', 'models'] as const;
const BudgetKind = z
  .enum(budgetKinds)
  .meta({ description: 'What it bounds: usage of Paddock, or what model calls cost at their providers' });
export type BudgetKind = z.infer<typeof BudgetKind>;

export const Budget = z.object({
  kind: BudgetKind,
  project_id: id('prj').nullable().meta({ description: 'Null: the whole team' }),
  project_name: z.string().nullable(),
  amount: dollars.meta({ description: 'US dollars a month (UTC)' }),
  spent: dollars.meta({ description: 'What the usage or the model calls of this month cost so far' }),
});
export type Budget = z.infer<typeof Budget>;

export const Budgets = z.object({ budgets: z.array(Budget) });

export const usage = {
  list: route({
    method: 'GET',
    path: '/billing/usage',
    access: 'projects:read',
    summary: 'What ran, what was sent and what was stored, and what it costs: the newest month first, at most 24',
    errors: ['project_not_found'],
    input: z.strictObject({
      month: month.optional().meta({ description: 'This month alone, such as 2026-11' }),
      project_id: id('prj').optional(),
    }),
    output: z.object({
      usage: z.array(UsageOfMonth).max(usageLimits.months),
      metered_at: timestamp.nullable().meta({ description: 'Up to when the figures are known; null before the first time' }),
      next_cursor: nextCursor,
    }),
  }),
  budgets: route({
    method: 'GET',
    path: '/billing/budgets',
    access: 'projects:read',
    summary: 'The monthly budgets of the team and its projects, at most 100 of each kind',
    input: z.strictObject({}),
    output: Budgets,
  }),
  setBudget: route({
    method: 'PUT',
    path: '/billing/budgets',
    access: 'projects:write',
    summary: 'Set or remove a budget. At 50, 80 and 100 % an alert opens; nothing is stopped',
    audit: 'budget.set',
    errors: ['project_not_found', 'budgets_too_many'],
    input: z.strictObject({
      kind: BudgetKind.default('usage'),
      project_id: id('prj').nullable().default(null),
      amount: z
        .number()
        .min(0.01)
        .max(usageLimits.maxBudget)
        .refine((usd) => Math.abs(usd * 100 - Math.round(usd * 100)) < 1e-6, 'Dollars with at most 2 decimals.')
        .nullable()
        .meta({ description: 'US dollars a month; null removes the budget' }),
    }),
    output: Budgets,
  }),
};
