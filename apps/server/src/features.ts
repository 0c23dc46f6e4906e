import type { System } from '@paddock/contract';
import type { Resolve } from '@paddock/network';
import type { StepRunner } from '@paddock/runtime';
import { type Blobs, fileBlobs } from './blobs/blobs.ts';
import type { Core } from './core.ts';
import type { AttemptLimits } from './features/accounts/attempt-limits.ts';
import { accountFeature } from './features/accounts/feature.ts';
import { passwordRefusal } from './features/accounts/password-refusal.ts';
import type { PasswordCost } from './features/accounts/passwords.ts';
import { alertFeature } from './features/alerts/bell/feature.ts';
import { channelFeature } from './features/alerts/channels/feature.ts';
import { alertRuleFeature } from './features/alerts/rules/feature.ts';
import { apiKeyFeature } from './features/api-keys/feature.ts';
import { invoiceFeature } from './features/billing/invoices/feature.ts';
import { planLimitFeature } from './features/billing/plan-limits/feature.ts';
import { billingFeature } from './features/billing/subscriptions/feature.ts';
import { planInForce } from './features/billing/subscriptions/plan-in-force.ts';
import { bandwidthOfMonth } from './features/billing/usage/bandwidth-of-month.ts';
import { usageFeature } from './features/billing/usage/feature.ts';
import { databaseProblems } from './features/databases/availability.ts';
import { databaseFeature } from './features/databases/feature.ts';
import { managedStorage } from './features/databases/usage/managed-storage.ts';
import { removeAddresses } from './features/deployments/addresses.ts';
import { deploymentFeature } from './features/deployments/feature.ts';
import { accessReviewFeature } from './features/governance/access-reviews/feature.ts';
import type { Control } from './features/governance/compliance/control.ts';
import { complianceFeature } from './features/governance/compliance/feature.ts';
import { dataSubjectFeature } from './features/governance/data-subjects/feature.ts';
import { modelProviderFeature } from './features/governance/model-providers/feature.ts';
import { policyFeature } from './features/governance/policies/feature.ts';
import { type PolicyRules, policyRules } from './features/governance/policies/rules.ts';
import { residencyFeature } from './features/governance/residency/feature.ts';
import { trailFeature } from './features/governance/trail/feature.ts';
import { logFeature } from './features/logs/feature.ts';
import { metricsFeature } from './features/metrics/feature.ts';
import { oauthFeature, unlinkAll } from './features/oauth/feature.ts';
import type { OAuthLimits } from './features/oauth/routes.ts';
import { projectFeature } from './features/projects/feature.ts';
import { systemFeature } from './features/system/feature.ts';
import { traceFeature } from './features/traces/feature.ts';
import { variableFeature } from './features/variables/feature.ts';
import { paymentProvider } from './payments/payments.ts';
import type { PaymentProvider } from './payments/provider.ts';
import { webhookRoutes } from './payments/webhook-routes.ts';

export type Features = ReturnType<typeof buildFeatures>;

export interface Deps {
  blobs: Blobs;
  describe: () => Omit<System, 'database_problems' | 'recording_problem'>;
  examplesDir: string;
  attempts?: AttemptLimits | undefined;
  /** Replaces the default cost of hashing a password. */
  passwordCost?: PasswordCost | undefined;
  oauthAttempts?: OAuthLimits | undefined;
  /** Runs programs in the sandbox of agents; undefined if this server runs none. */
  sandbox?: StepRunner | undefined;
  /** Replaces the controls of this installation. */
  controls?: readonly Control[] | undefined;
  /** Replaces the default timeout of a control. */
  controlMs?: number | undefined;
  /** Replaces the configured payment provider, and the clock of billing. */
  billing?: { provider?: PaymentProvider; now?: () => Date } | undefined;
  /** Replaces DNS for the hosts of channels. */
  resolveTargets?: Resolve | undefined;
}

export const blobsOf = ({ blobDir }: { blobDir: string }): Blobs => fileBlobs(blobDir);

/**
 * The composition root: builds every feature once, each after those whose functions it gets. First those that others ask for permission,
 * then accounts, then what runs and records agents, and last the oversight of all of them.
 */
export function buildFeatures(core: Core, deps: Deps) {
  const alerts = alertFeature(core);
  const rules = policyRules(core);
  const limits = planLimitFeature(core, { planInForce, bandwidth: bandwidthOfMonth, storage: managedStorage });
  const traces = traceFeature(core, { keptAtMost: () => rules.keptAtMost('traces') });
  const usage = usageFeature(core, { alerts: alerts.exports, planInForce, modelCosts: traces.exports.costsOfMonth });
  const { billing, invoices } = buildBilling(core, deps, usage);
  const people = buildPeople(core, deps, { rules, limits, billing });
  const databases = databaseFeature(core, { clearAlerts: alerts.exports.clearDatabase, assertStorageLimit: limits.exports.database });
  const channels = channelFeature(core, {
    raiseAlert: alerts.exports.raiseWithin,
    clearAlert: alerts.exports.clear,
    databasePorts: databases.exports.ports,
    resolve: deps.resolveTargets,
  });
  const logs = logFeature(core, { keptAtMost: () => rules.keptAtMost('logs') });
  const metrics = metricsFeature(core);
  const modelProviders = modelProviderFeature(core);
  const policies = policyFeature(core, {
    rules,
    alerts: alerts.exports,
    hasSecondFactor: people.accounts.exports.secondFactor.isOn,
    modelHosts: (team_id) => modelProviders.exports.seenProviders(team_id, Date.now()),
    costs: { today: traces.exports.costOfToday, byHour: traces.exports.costsByHour },
  });
  const deployments = buildDeployments(core, deps, { databases, policies, limits, projects: people.projects });
  const trail = trailFeature(core, {
    spansOf: traces.exports.spansOf,
    mayProtect: rules.mayProtect,
    keptAtMost: () => rules.keptAtMost('audit payloads'),
    alerts: alerts.exports,
  });
  const oversight = buildOversight(core, deps, { ...people, rules, channels, deployments, trail, logs, traces, modelProviders });
  return {
    ...people,
    variables: variableFeature(core),
    deployments,
    databases,
    metrics,
    traces,
    alerts,
    rules: alertRuleFeature(core, { watch: metrics.exports.watch, modelCosts: traces.exports.costsToday, alerts: alerts.exports }),
    channels,
    logs,
    trail,
    modelProviders,
    policies,
    ...oversight,
    limits,
    usage,
    billing,
    invoices,
    system: systemFeature(core, {
      describe: deps.describe,
      databaseProblems: () => databaseProblems(core.available),
      recordingProblem: trail.exports.recordingProblem,
      shortages: trail.exports.shortages,
      databases: databases.exports.measured,
    }),
  };
}

function buildBilling(core: Core, { billing }: Deps, usage: ReturnType<typeof usageFeature>) {
  const provider = billing?.provider ?? paymentProvider(core, billing?.now);
  const invoices = invoiceFeature(core, { is_test: provider.is_test });
  const payments = billingFeature(core, {
    provider,
    terms: invoices.exports.documentFacts,
    usage: usage.exports.closed,
    now: billing?.now,
  });
  const webhooks = webhookRoutes({ provider, onEvent: payments.exports.onWebhookEvent, log: core.log });
  return { invoices, billing: { ...payments, routes: [...payments.routes, webhooks] } };
}

type Limits = ReturnType<typeof planLimitFeature>;

/** Accounts, and what belongs to them: keys, linked providers and projects. */
function buildPeople(
  core: Core,
  { attempts, passwordCost, oauthAttempts }: Deps,
  { rules, limits, billing }: { rules: PolicyRules; limits: Limits; billing: ReturnType<typeof billingFeature> },
) {
  const apiKeys = apiKeyFeature(core, { assertKeyLifetime: rules.assertKeyLifetime });
  const projects = projectFeature(core, { removeAddresses, assertProjectLimit: limits.exports.project });
  const accounts = accountFeature(core, {
    maxAttempts: attempts,
    passwordCost,
    onFirstProof: [unlinkAll(core), apiKeys.exports.revokeAllOf],
    projects: projects.exports,
    idleMinutes: async (team_id) => (await rules.idleLimit(team_id))?.minutes,
    endBilling: billing.exports.end,
  });
  const oauth = oauthFeature(core, { ...accounts.exports, maxAttempts: oauthAttempts });
  return { accounts, oauth, projects, apiKeys };
}

interface BesideDeployments {
  databases: ReturnType<typeof databaseFeature>;
  policies: ReturnType<typeof policyFeature>;
  limits: Limits;
  projects: ReturnType<typeof projectFeature>;
}

function buildDeployments(
  core: Core,
  { blobs, examplesDir, describe }: Deps,
  { databases, policies, limits, projects }: BesideDeployments,
) {
  return deploymentFeature(core, {
    attachDatabases: databases.exports.attach,
    blobs,
    examplesDir,
    version: describe().version,
    mayDeploy: policies.exports.mayDeploy,
    mayQueue: limits.exports.deployment,
    keepSettings: projects.exports.keepBuildSettings,
    nameProject: projects.exports.nameProject,
  });
}

interface Overseen extends ReturnType<typeof buildPeople> {
  rules: PolicyRules;
  channels: ReturnType<typeof channelFeature>;
  deployments: ReturnType<typeof deploymentFeature>;
  trail: ReturnType<typeof trailFeature>;
  logs: ReturnType<typeof logFeature>;
  traces: ReturnType<typeof traceFeature>;
  modelProviders: ReturnType<typeof modelProviderFeature>;
}

/** The features that read all others. */
function buildOversight(core: Core, { blobs, describe, sandbox, controls, controlMs }: Deps, of: Overseen) {
  const { rules, modelProviders } = of;
  const dataSubjects = dataSubjectFeature(core, {
    ...of.trail.exports,
    ...of.accounts.exports,
    places: [...of.trail.exports.places, of.logs.exports.place, of.traces.exports.place],
  });
  const residency = residencyFeature(core, { ...modelProviders.exports, channels: of.channels.exports.list });
  const accessReviews = accessReviewFeature(core, { key: of.apiKeys.exports.revoke, identity: of.oauth.exports.unlink });
  const compliance = complianceFeature(core, {
    version: describe().version,
    passwordRefusal: (password) => passwordRefusal(password, { email: '', name: '' }),
    proveLockout: of.accounts.exports.proveLockout,
    keptAtMostBy: rules.keptAtMostBy,
    hostRules: rules.hosts.rules,
    failedLoginRule: rules.failedLoginRule,
    idleLimit: rules.idleLimit,
    trail: of.trail.exports,
    sandbox,
    blobs,
    liveProvenance: of.deployments.exports.liveProvenance,
    ...modelProviders.exports,
    ...residency.exports,
    accessReviews: accessReviews.exports,
    controls,
    controlMs,
  });
  return { dataSubjects, residency, accessReviews, compliance };
}
