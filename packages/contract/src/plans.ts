/** Whole cents of US dollars. What people see has two decimals. */
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
    // Null is no limit.
    limits: { projects: null, bandwidth_gb: null, storage_gb: null, support: 'Dedicated' },
  },
} as const;
export type PlanId = keyof typeof plans;

/** Cents for an hour of an agent that runs, for 10^9 bytes that the gateway carried, and for 10^9 bytes of database stored for a month. */
export const unitPrices = { compute_hour: 10, bandwidth_gb: 5, storage_gb_month: 20 } as const;
