import { accessReviews } from './access-reviews.ts';
import { accounts } from './accounts.ts';
import { alertRuleCalls } from './alert-rules.ts';
import { alerts } from './alerts.ts';
import { apiKeys } from './api-keys.ts';
import { billing } from './billing.ts';
import { channels } from './channels.ts';
import { compliance } from './compliance.ts';
import { dataSubjects } from './data-subjects.ts';
import { databases } from './databases.ts';
import { deployments } from './deployments.ts';
import { governance } from './governance.ts';
import { invoices } from './invoices.ts';
import { logs } from './logs.ts';
import { metrics } from './metrics.ts';
import { modelProviders } from './model-providers.ts';
import { oauth } from './oauth.ts';
import { policies } from './policies.ts';
import { profile } from './profile.ts';
import { projects } from './projects.ts';
import { residency } from './residency.ts';
import { system } from './system.ts';
import { traces } from './traces.ts';
import { twoFactor } from './two-factor.ts';
import { usage } from './usage.ts';
import { variables } from './variables.ts';

/** The whole API under `/api/v1`. Server, console, tool, demo mode and OpenAPI all read this table. */
export const contract = {
  accounts,
  oauth,
  profile,
  twoFactor,
  projects,
  deployments,
  logs,
  variables,
  databases,
  metrics,
  traces,
  alerts,
  alertRules: alertRuleCalls,
  channels,
  apiKeys,
  governance,
  compliance,
  policies,
  dataSubjects,
  modelProviders,
  residency,
  accessReviews,
  usage,
  billing,
  invoices,
  system,
};
