import type { contract } from '@paddock/contract';

interface Group {
  /** The last part of the page's address. */
  slug: string;
  title: string;
  /** The guide that describes how these calls work together. */
  guide: `/docs/${string}`;
}

export const groups: Record<keyof typeof contract, Group> = {
  accounts: { slug: 'accounts', title: 'Accounts', guide: '/docs/api#accounts' },
  oauth: { slug: 'providers', title: 'Sign-in through providers', guide: '/docs/api#sign-in-through-providers' },
  profile: { slug: 'profile', title: 'Profile', guide: '/docs/api#profile' },
  twoFactor: { slug: 'two-factor', title: 'Two-factor sign-in', guide: '/docs/api#two-factor-sign-in' },
  projects: { slug: 'projects', title: 'Projects', guide: '/docs/api#projects' },
  deployments: { slug: 'deployments', title: 'Deployments', guide: '/docs/api#deployments' },
  logs: { slug: 'logs', title: 'Logs', guide: '/docs/api#logs' },
  variables: { slug: 'variables', title: 'Variables and secrets', guide: '/docs/api#variables-and-secrets' },
  databases: { slug: 'databases', title: 'Databases', guide: '/docs/api#databases' },
  metrics: { slug: 'metrics', title: 'Metrics', guide: '/docs/api#metrics' },
  traces: { slug: 'traces', title: 'Traces and model prices', guide: '/docs/api#traces' },
  alerts: { slug: 'alerts', title: 'Alerts', guide: '/docs/api#alerts' },
  alertRules: { slug: 'alert-rules', title: 'Alert rules', guide: '/docs/api#alert-rules' },
  channels: { slug: 'channels', title: 'Channels', guide: '/docs/api#channels' },
  apiKeys: { slug: 'api-keys', title: 'API keys', guide: '/docs/api#api-keys' },
  governance: { slug: 'governance', title: 'Governance', guide: '/docs/governance' },
  dataSubjects: { slug: 'data-subjects', title: 'People’s data', guide: '/docs/data-subject-requests' },
  compliance: { slug: 'compliance', title: 'Compliance', guide: '/docs/compliance-controls' },
  policies: { slug: 'policies', title: 'Policies', guide: '/docs/policies' },
  modelProviders: { slug: 'model-providers', title: 'Model providers', guide: '/docs/data-residency#model-providers' },
  residency: { slug: 'residency', title: 'Data residency', guide: '/docs/data-residency' },
  accessReviews: { slug: 'access-reviews', title: 'Access reviews', guide: '/docs/access-reviews' },
  billing: { slug: 'billing', title: 'Plans and payments', guide: '/docs/api#plans-and-payments' },
  planLimits: { slug: 'plan-limits', title: 'Limits of plans', guide: '/docs/billing#limits' },
  invoices: { slug: 'invoices', title: 'Invoices', guide: '/docs/api#invoices' },
  usage: { slug: 'usage', title: 'Usage and budgets', guide: '/docs/api#usage-and-budgets' },
  system: { slug: 'system', title: 'Installation and changes', guide: '/docs/api#this-installation' },
};

export const pathOf = (group: keyof typeof contract) => `/docs/reference/${groups[group].slug}`;
