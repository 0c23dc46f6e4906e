import { plural } from './plural.ts';

/** Plans on sale, cheapest first. Prices are in US cents. */
export const plans = {
  starter: {
    name: 'Starter',
    price_cents: 2_900,
    interval: 'month',
    features: ['1 project', '100 GB bandwidth', '5 GB storage', 'Community support', '99.9% uptime'],
    limits: { projects: 1, bandwidth_gb: 100, storage_gb: 5, support: 'Community' },
  },
  pro: {
    name: 'Pro',
    price_cents: 9_900,
    interval: 'month',
    features: [
      '5 projects',
      '1 TB bandwidth',
      '50 GB storage',
      'Priority support',
      '99.95% uptime',
      'Custom domains',
      'Team collaboration',
    ],
    limits: { projects: 5, bandwidth_gb: 1_000, storage_gb: 50, support: 'Priority' },
  },
  enterprise: {
    name: 'Enterprise',
    price_cents: 29_900,
    interval: 'month',
    features: [
      'Unlimited projects',
      'Unlimited bandwidth',
      'Unlimited storage',
      'Dedicated support',
      '99.99% uptime',
      'Custom domains',
      'Advanced security',
      'Dedicated infrastructure',
    ],
    // Null means no limit.
    limits: { projects: null, bandwidth_gb: null, storage_gb: null, support: 'Dedicated' },
  },
} as const;
export type PlanId = keyof typeof plans;
export const planIds = Object.keys(plans) as [PlanId, ...PlanId[]];

/** The plan of a team without a subscription. It cannot be selected and is free of charge; Starter is the cheapest plan that is sold. */
export const freePlan = {
  name: 'Free',
  features: ['1 project', '10 GB bandwidth', '1 GB storage'],
  limits: { projects: 1, bandwidth_gb: 10, storage_gb: 1 },
} as const;
/** Plans that may apply to a team, including the free one. */
export const plansInForce = { free: freePlan, ...plans } as const;
export type PlanInForce = keyof typeof plansInForce;

/** The limits of plans: projects of a team, GB (10^9 bytes) transferred in a UTC month, and GB of managed PostgreSQL databases. */
export const limitKinds = ['projects', 'bandwidth_gb', 'storage_gb'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** The cheapest plan that allows more than `plan` does and more than is used; null if nothing more is needed. */
export function planThatLifts(plan: PlanInForce, kind: LimitKind, used: number): PlanId | null {
  const current = plansInForce[plan].limits[kind];
  if (current === null) return null;
  const isLarger = (limit: number | null) => limit === null || (limit > current && limit > used);
  return planIds.find((id) => isLarger(plans[id].limits[kind])) ?? null;
}

/** The message for a team that reached a limit: the limit, the usage, and the plan that raises the limit. */
export function limitText(kind: LimitKind, { plan, used, raisedBy }: { plan: PlanInForce; used: number; raisedBy: PlanId | null }): string {
  const { usageText, alternative } = limitWords[kind];
  const { name, limits } = plansInForce[plan];
  const larger = raisedBy && plans[raisedBy];
  const upgradeHint = larger
    ? ` ${larger.name} ${allowanceText(kind, larger.limits[kind])}: switch in Billing (/billing)${alternative}.`
    : '';
  return `Your ${name} plan ${allowanceText(kind, limits[kind])}, and your team ${usageText(used)}.${upgradeHint}`;
}

const allowanceText = (kind: LimitKind, limit: number | null) =>
  limit === null ? 'has no such limit' : `allows ${limitWords[kind].amountText(limit)}`;

const inGb = (gb: number) => `${gb.toLocaleString('en', { maximumFractionDigits: 1 })} GB`;
const limitWords = {
  projects: {
    amountText: (count: number) => plural(count, 'project'),
    usageText: (count: number) => `has ${count}`,
    alternative: ', or delete a project',
  },
  bandwidth_gb: {
    amountText: (gb: number) => `${inGb(gb)} of bandwidth per month`,
    usageText: (gb: number) => `has used ${inGb(gb)}. Running agents continue; new deployments must wait until next month`,
    alternative: '',
  },
  storage_gb: {
    amountText: (gb: number) => `${inGb(gb)} of database storage`,
    usageText: (gb: number) => `uses ${inGb(gb)}`,
    alternative: ', or remove data',
  },
} as const satisfies Record<LimitKind, unknown>;

/** Cents for an hour of a running agent, for 10^9 bytes through the gateway, and for 10^9 bytes of database stored for a month. */
export const unitPrices = { compute_hour: 10, bandwidth_gb: 5, storage_gb_month: 20 } as const;
