import type { System } from '@paddock/contract';
import type { Resolve } from '@paddock/network';
import type { StepRunner } from '@paddock/runtime';
import { type Blobs, fileBlobs } from './blobs/blobs.ts';
import { accessReviewFeature } from './features/access-reviews/feature.ts';
import type { AttemptLimits } from './features/accounts/attempt-limits.ts';
import { accountFeature } from './features/accounts/feature.ts';
import { passwordRefusal } from './features/accounts/password-refusal.ts';
import type { PasswordCost } from './features/accounts/passwords.ts';
import { alertRuleFeature } from './features/alert-rules/feature.ts';
import { alertFeature } from './features/alerts/feature.ts';
import { apiKeyFeature } from './features/api-keys/feature.ts';
import { billingFeature } from './features/billing/feature.ts';
import { invoiceFeature } from './features/billing/invoices/feature.ts';
import { channelFeature } from './features/channels/feature.ts';
import type { Control } from './features/compliance/control.ts';
import { complianceFeature } from './features/compliance/feature.ts';
import { dataSubjectFeature } from './features/data-subjects/feature.ts';
import { databaseProblems } from './features/databases/availability.ts';
import { databaseFeature } from './features/databases/feature.ts';
import { removeAddresses } from './features/deployments/addresses.ts';
import { deploymentFeature } from './features/deployments/feature.ts';
import { governanceFeature } from './features/governance/feature.ts';
import { logFeature } from './features/logs/feature.ts';
import { metricsFeature } from './features/metrics/feature.ts';
import { modelProviderFeature } from './features/model-providers/feature.ts';
import { oauthFeature, unlinkAll } from './features/oauth/feature.ts';
import type { OAuthLimits } from './features/oauth/routes.ts';
import { observabilityFeature } from './features/observability/feature.ts';
import { planLimitFeature } from './features/plan-limits/feature.ts';
import { policyFeature } from './features/policies/feature.ts';
import { projectFeature } from './features/projects/feature.ts';
import { residencyFeature } from './features/residency/feature.ts';
import { systemFeature } from './features/system/feature.ts';
import { traceFeature } from './features/traces/feature.ts';
import { usageFeature } from './features/usage/feature.ts';
import { variableFeature } from './features/variables/feature.ts';
import type { Parts } from './parts.ts';
import { paymentProvider } from './payments/payments.ts';
import type { PaymentProvider } from './payments/provider.ts';
import { webhookRoutes } from './payments/webhook-routes.ts';

export type Features = ReturnType<typeof buildFeatures>;

export interface Around {
  blobs: Blobs;
  describe: () => Omit<System, 'database_problems' | 'recording_problem'>;
  examplesDir: string;
  attempts?: AttemptLimits | undefined;
  /** Replaces the default cost of hashing a password. */
  passwordCost?: PasswordCost | undefined;
  oauthAttempts?: OAuthLimits | undefined;
  /** Runs programs in the sandbox of agents; undefined where this server runs none. */
  sandbox?: StepRunner | undefined;
  /** Instead of the controls of this installation. */
  controls?: readonly Control[] | undefined;
  /** How long one control may take, instead of the usual time. */
  controlMs?: number | undefined;
  /** Instead of the payment provider of the settings, and of the present time of billing. */
  billing?: { provider?: PaymentProvider; now?: () => Date } | undefined;
  /** Finds the hosts of channels, instead of the name servers. */
  resolveTargets?: Resolve | undefined;
}

export const blobsOf = ({ blobDir }: { blobDir: string }): Blobs => fileBlobs(blobDir);

/** The composition root: builds every feature once, and gives it the functions of other features that it needs. */
export function buildFeatures(parts: Parts, around: Around) {
  const { blobs, describe, examplesDir, attempts, passwordCost, oauthAttempts, resolveTargets } = around;
  const alerts = alertFeature(parts);
  const policies = policyFeature(parts, {
    alerts: alerts.gives,
    // Both features are built below, with what they need of this one.
    hasSecondFactor: (user_id) => accounts.gives.secondFactor.isOn(user_id),
    modelHosts: (team_id) => governing.modelProviders.gives.seenProviders(team_id, Date.now()),
    costs: { today: (team_id) => traces.gives.costOfToday(team_id), byHour: (team_id, days) => traces.gives.costsByHour(team_id, days) },
  });
  const apiKeys = apiKeyFeature(parts, { mayMake: policies.gives.mayMakeKey });
  const limits = planLimitFeature(parts);
  const projects = projectFeature(parts, { removeAddresses, mayMake: limits.gives.project });
  const onFirstProof = [unlinkAll(parts), apiKeys.gives.revokeAllOf];
  const usage = usageFeature(parts, { alerts: alerts.gives });
  const { billing, invoices } = buildBilling(parts, around, usage);
  const accounts = accountFeature(parts, {
    maxAttempts: attempts,
    passwordCost,
    onFirstProof,
    projects: projects.gives,
    idleMinutes: async (team_id) => (await policies.gives.idleLimit(team_id))?.minutes,
    endBilling: billing.gives.end,
  });
  const oauth = oauthFeature(parts, { ...accounts.gives, maxAttempts: oauthAttempts });
  const databases = databaseFeature(parts, { clearAlerts: alerts.gives.clearDatabase, mayMake: limits.gives.database });
  const channels = channelFeature(parts, {
    raiseAlert: alerts.gives.raiseWithin,
    clearAlert: alerts.gives.clear,
    databasePorts: databases.gives.ports,
    resolve: resolveTargets,
  });
  const deployments = deploymentFeature(parts, {
    attachDatabases: databases.gives.attach,
    blobs,
    examplesDir,
    version: describe().version,
    mayDeploy: policies.gives.mayDeploy,
    mayQueue: limits.gives.deployment,
    keepSettings: projects.gives.keepBuildSettings,
    nameProject: projects.gives.nameProject,
  });
  const logs = logFeature(parts, { keptAtMost: () => policies.gives.keptAtMost('logs') });
  const metrics = metricsFeature(parts);
  const traces = traceFeature(parts, { keptAtMost: () => policies.gives.keptAtMost('traces') });
  const governance = governanceFeature(parts, {
    spansOf: traces.gives.spansOf,
    mayProtect: policies.gives.mayProtect,
    keptAtMost: () => policies.gives.keptAtMost('audit payloads'),
    alerts: alerts.gives,
  });
  const governing = buildGoverning(parts, around, { accounts, apiKeys, oauth, policies, channels, deployments, governance, logs, traces });
  return {
    accounts,
    oauth,
    projects,
    variables: variableFeature(parts),
    deployments,
    databases,
    metrics,
    traces,
    alerts,
    rules: alertRuleFeature(parts, { watch: metrics.gives.watch, modelCosts: traces.gives.costsToday, alerts: alerts.gives }),
    channels,
    logs,
    apiKeys,
    governance,
    ...governing,
    policies,
    limits,
    usage,
    billing,
    invoices,
    system: systemFeature(parts, {
      describe,
      databaseProblems: () => databaseProblems(parts.available),
      recordingProblem: governance.gives.recordingProblem,
    }),
    observability: observabilityFeature(parts, describe().version),
  };
}

function buildBilling(parts: Parts, { billing }: Around, usage: ReturnType<typeof usageFeature>) {
  const provider = billing?.provider ?? paymentProvider(parts, billing?.now);
  const invoices = invoiceFeature(parts, { is_test: provider.is_test });
  const payments = billingFeature(parts, { provider, terms: invoices.gives.documentFacts, usage: usage.gives.closed, now: billing?.now });
  const webhooks = webhookRoutes({ provider, onEvent: payments.gives.onHint, log: parts.log });
  return { invoices, billing: { ...payments, routes: [...payments.routes, webhooks] } };
}

interface Others {
  accounts: ReturnType<typeof accountFeature>;
  apiKeys: ReturnType<typeof apiKeyFeature>;
  oauth: ReturnType<typeof oauthFeature>;
  policies: ReturnType<typeof policyFeature>;
  channels: ReturnType<typeof channelFeature>;
  deployments: ReturnType<typeof deploymentFeature>;
  governance: ReturnType<typeof governanceFeature>;
  logs: ReturnType<typeof logFeature>;
  traces: ReturnType<typeof traceFeature>;
}

/** What whoever answers for the agents looks at: it reads all the others. */
function buildGoverning(parts: Parts, { blobs, describe, sandbox, controls, controlMs }: Around, of: Others) {
  const dataSubjects = dataSubjectFeature(parts, {
    ...of.governance.gives,
    ...of.accounts.gives,
    places: [...of.governance.gives.places, of.logs.gives.place, of.traces.gives.place],
  });
  const modelProviders = modelProviderFeature(parts);
  const residency = residencyFeature(parts, { ...modelProviders.gives, channels: of.channels.gives.list });
  const accessReviews = accessReviewFeature(parts, { key: of.apiKeys.gives.revoke, identity: of.oauth.gives.unlink });
  const compliance = complianceFeature(parts, {
    version: describe().version,
    passwordRefusal: (password) => passwordRefusal(password, { email: '', name: '' }),
    proveLockout: of.accounts.gives.proveLockout,
    keptAtMostBy: of.policies.gives.keptAtMostBy,
    hostRules: of.policies.gives.hosts.rules,
    failedLoginRule: of.policies.gives.failedLoginRule,
    idleLimit: of.policies.gives.idleLimit,
    trail: of.governance.gives,
    sandbox,
    blobs,
    liveProvenance: of.deployments.gives.liveProvenance,
    ...modelProviders.gives,
    ...residency.gives,
    accessReviews: accessReviews.gives,
    controls,
    controlMs,
  });
  return { dataSubjects, modelProviders, residency, accessReviews, compliance };
}
