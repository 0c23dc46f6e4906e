import type { contract } from '@paddock/contract';

interface Group {
  /** The last part of the page's address. */
  slug: string;
  title: string;
  /** The guide that describes how these calls work together. */
  guide: `/docs/${string}`;
}

export const groups: Record<keyof typeof contract, Group> = {
  accounts: { slug: 'accounts', title: 'Accounts', guide: '/docs/sign-in#accounts' },
  oauth: { slug: 'providers', title: 'Sign-in through providers', guide: '/docs/sign-in#providers' },
  profile: { slug: 'profile', title: 'Profile', guide: '/docs/sign-in#profile' },
  twoFactor: { slug: 'two-factor', title: 'Two-factor sign-in', guide: '/docs/sign-in#two-factor-sign-in' },
  projects: { slug: 'projects', title: 'Projects', guide: '/docs/concepts#team-project-and-environment' },
  deployments: { slug: 'deployments', title: 'Deployments', guide: '/docs/api#first-deployment' },
  logs: { slug: 'logs', title: 'Logs', guide: '/docs/api-streams#logs' },
  variables: { slug: 'variables', title: 'Variables and secrets', guide: '/docs/api#first-deployment' },
  databases: { slug: 'databases', title: 'Databases', guide: '/docs/databases' },
  metrics: { slug: 'metrics', title: 'Metrics', guide: '/docs/concepts#metrics' },
  traces: { slug: 'traces', title: 'Traces and model prices', guide: '/docs/traces' },
  alerts: { slug: 'alerts', title: 'Alerts', guide: '/docs/alerts' },
  alertRules: { slug: 'alert-rules', title: 'Alert rules', guide: '/docs/alerts#rules' },
  channels: { slug: 'channels', title: 'Channels', guide: '/docs/webhooks' },
  apiKeys: { slug: 'api-keys', title: 'API keys', guide: '/docs/api-keys' },
  governance: { slug: 'governance', title: 'Governance', guide: '/docs/governance' },
  dataSubjects: { slug: 'data-subjects', title: 'People’s data', guide: '/docs/data-subject-requests' },
  compliance: { slug: 'compliance', title: 'Compliance', guide: '/docs/compliance-controls' },
  policies: { slug: 'policies', title: 'Policies', guide: '/docs/policies' },
  modelProviders: { slug: 'model-providers', title: 'Model providers', guide: '/docs/data-residency#model-providers' },
  residency: { slug: 'residency', title: 'Data residency', guide: '/docs/data-residency' },
  accessReviews: { slug: 'access-reviews', title: 'Access reviews', guide: '/docs/access-reviews' },
  billing: { slug: 'billing', title: 'Plans and payments', guide: '/docs/billing' },
  planLimits: { slug: 'plan-limits', title: 'Limits of plans', guide: '/docs/billing#limits' },
  invoices: { slug: 'invoices', title: 'Invoices', guide: '/docs/billing#invoices' },
  usage: { slug: 'usage', title: 'Usage and budgets', guide: '/docs/usage' },
  system: { slug: 'system', title: 'Installation and changes', guide: '/docs/api-streams#changes' },
};

export const pathOf = (group: keyof typeof contract) => `/docs/reference/${groups[group].slug}`;
