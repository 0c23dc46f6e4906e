/** Prices in whole cents of US dollars, shown with two decimals. */
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
  const now = plansInForce[plan].limits[kind];
  if (now === null) return null;
  // The table lists the cheapest plan first.
  const isLarger = (limit: number | null) => limit === null || (limit > now && limit > used);
  return planIds.find((id) => isLarger(plans[id].limits[kind])) ?? null;
}

/** The message for a team that reached a limit: the limit, the usage, and the plan that raises the limit. */
export function limitText(
  kind: LimitKind,
  { plan, used, raised_by }: { plan: PlanInForce; used: number; raised_by: PlanId | null },
): string {
  const { allows, has, else: other } = limitWords[kind];
  const { name, limits } = plansInForce[plan];
  const raised = raised_by && plans[raised_by];
  const more = raised?.limits[kind];
  const amount = more === null ? 'has no such limit' : `allows ${allows(more ?? 0)}`;
  const way = raised ? ` ${raised.name} ${amount}: switch in Billing (/billing)${other}.` : '';
  return `Your plan ${name} allows ${allows(limits[kind] ?? 0)}, and the team ${has(used)}.${way}`;
}

const inGb = (gb: number) => `${gb.toLocaleString('en', { maximumFractionDigits: 1 })} GB`;
const limitWords = {
  projects: { allows: (n: number) => `${n} project${n === 1 ? '' : 's'}`, has: (n: number) => `has ${n}`, else: ', or delete a project' },
  bandwidth_gb: {
    allows: (n: number) => `${inGb(n)} of bandwidth a month`,
    has: (n: number) => `has used ${inGb(n)} of it. What runs goes on, new deployments wait for the next month`,
    else: '',
  },
  storage_gb: {
    allows: (n: number) => `${inGb(n)} of database storage`,
    has: (n: number) => `uses ${inGb(n)}`,
    else: ', or remove data',
  },
} as const satisfies Record<LimitKind, unknown>;

/** Cents for an hour of a running agent, for 10^9 bytes through the gateway, and for 10^9 bytes of database stored for a month. */
export const unitPrices = { compute_hour: 10, bandwidth_gb: 5, storage_gb_month: 20 } as const;
