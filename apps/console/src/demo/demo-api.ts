import type { Client } from '@paddock/client';
import type { PlanId } from '@paddock/contract/plans';
import type { contract } from '@paddock/contract/routes';
import { dayMs } from '@paddock/contract/time';
import { demoAccounts } from '../features/accounts/demo/answers.ts';
import { createDemoPerson } from '../features/accounts/demo/person.ts';
import { demoProfile } from '../features/accounts/demo/profile.ts';
import { demoTwoFactor } from '../features/accounts/demo/two-factor.ts';
import { demoUser } from '../features/accounts/demo-account.ts';
import { demoAlerts } from '../features/alerts/bell/demo/answers.ts';
import { demoChannels } from '../features/alerts/channels/demo/answers.ts';
import { demoAlertRules } from '../features/alerts/rules/demo/answers.ts';
import { demoKeys } from '../features/api-keys/demo/answers.ts';
import { demoMeter } from '../features/billing/demo/amounts.ts';
import { demoUsage } from '../features/billing/demo/answers.ts';
import { demoInvoices } from '../features/billing/demo/invoices.ts';
import { renewedDaysAgo, sampleInvoices } from '../features/billing/demo/sample-invoices.ts';
import { subscriptionWorld } from '../features/billing/demo/subscription-world.ts';
import { demoBilling } from '../features/billing/demo/subscriptions.ts';
import { demoPlanLimits } from '../features/billing/plan-limits/demo/answers.ts';
import { demoDatabases } from '../features/databases/demo/answers.ts';
import { demoDeployments } from '../features/deployments/demo/answers.ts';
import { demoAccessReviews } from '../features/governance/demo/access-reviews.ts';
import { demoGovernance } from '../features/governance/demo/answers.ts';
import { demoCompliance } from '../features/governance/demo/compliance.ts';
import { demoDataSubjects } from '../features/governance/demo/data-subjects.ts';
import { demoModelProviders } from '../features/governance/demo/model-providers.ts';
import { demoPolicies } from '../features/governance/demo/policies.ts';
import { sampleRecords } from '../features/governance/demo/records.ts';
import { demoResidency } from '../features/governance/demo/residency.ts';
import { demoLogs } from '../features/logs/demo/answers.ts';
import { demoMetrics } from '../features/metrics/demo/answers.ts';
import { demoOAuth } from '../features/oauth/demo.ts';
import { demoProjects } from '../features/projects/demo/answers.ts';
import { demoSystem } from '../features/system/demo.ts';
import { demoTraces } from '../features/traces/demo/answers.ts';
import { demoModelCost } from '../features/traces/demo/usage.ts';
import { demoVariables } from '../features/variables/demo/answers.ts';
import { type DemoWorld, demoWorld } from './demo-world.ts';

/** Demo mode: the whole API in memory, without any request. A contract change that is not mirrored here does not compile. */
export function demoApi(world: DemoWorld = demoWorld): Client<typeof contract> {
  const person = createDemoPerson();
  const modelProviders = demoModelProviders();
  const plan = () => person.user.plan as PlanId;
  const meter = demoMeter(world);
  const usage = demoUsage({ projects: world.projects, meter, modelCost: (project_id) => demoModelCost(world, project_id) }, plan);
  const renewedAt = Date.now() - renewedDaysAgo * dayMs;
  const invoices = sampleInvoices(meter, renewedAt);
  const records = sampleRecords(
    world.deployments.map(({ row }) => row),
    Date.now(),
  );
  return {
    accounts: demoAccounts(person),
    oauth: demoOAuth(),
    profile: demoProfile(person),
    twoFactor: demoTwoFactor(person),
    projects: demoProjects(world),
    deployments: demoDeployments(world),
    logs: demoLogs(world),
    variables: demoVariables(world),
    databases: demoDatabases(world),
    alerts: demoAlerts(world),
    alertRules: demoAlertRules(world),
    metrics: demoMetrics(world),
    traces: demoTraces(world),
    channels: demoChannels(world),
    apiKeys: demoKeys(world, demoUser),
    governance: demoGovernance(world, records),
    dataSubjects: demoDataSubjects(world, records),
    modelProviders,
    residency: demoResidency(modelProviders),
    accessReviews: demoAccessReviews(world, demoUser),
    usage,
    planLimits: demoPlanLimits({ world, usage, plan }),
    invoices: demoInvoices(person, invoices),
    billing: demoBilling(subscriptionWorld(person, { renewedAt, paid: invoices[0]?.due ?? 0 })),
    compliance: demoCompliance(),
    policies: demoPolicies(),
    system: demoSystem(world),
  };
}
