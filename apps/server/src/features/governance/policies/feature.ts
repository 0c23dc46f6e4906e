import type { Core, Feature } from '../../../core.ts';
import type { AdmitByPolicy } from '../../../http/authenticate.ts';
import { activeRules } from './active-rules.ts';
import { createAdmission } from './admission.ts';
import { createDeployGuard } from './deploy-guard.ts';
import { dryRuns } from './dry-run/dry-run.ts';
import type { EvaluatorDeps } from './dry-run/evaluators.ts';
import { storedStore } from './dry-run/stored-store.ts';
import { trailStore } from './dry-run/trail-store.ts';
import { type HostPolicies, hostPolicies } from './host-policies.ts';
import { createKeyGuard, type MayMakeKey } from './key-guard.ts';
import { createPlanGuard, type PlanRefusal } from './plan-guard.ts';
import { policyAlertStore } from './policy-alert-store.ts';
import { type AlertsOfPolicies, failedLoginThreshold, policyAlertJobs, type SpentToday } from './policy-alerts.ts';
import { type CheckRedaction, createRedactionGuard } from './redaction-guard.ts';
import { type FindRetentionLimits, minRetention, retentionLimits } from './retention.ts';
import { policyRoutes } from './routes.ts';
import { type IdleLimit, strictestOnIdleSessions } from './sessions.ts';
import { policyStore } from './store.ts';

interface Deps {
  alerts: AlertsOfPolicies;
  hasSecondFactor: (user_id: string) => Promise<boolean>;
  /** The hosts of a team's model calls, as far back as traces are kept. */
  modelHosts: EvaluatorDeps['modelHosts'];
  costs: {
    today: SpentToday;
    byHour: EvaluatorDeps['costsByHour'];
  };
}

interface Exports {
  admit: AdmitByPolicy;
  mayMakeKey: MayMakeKey;
  mayDeploy: ReturnType<typeof createDeployGuard>;
  keptAtMost: FindRetentionLimits;
  /** The retention of one team. */
  keptAtMostBy: ReturnType<typeof minRetention>;
  failedLoginRule: ReturnType<typeof failedLoginThreshold>;
  idleLimit: IdleLimit;
  mayProtect: CheckRedaction;
  planRefusal: PlanRefusal;
  hosts: HostPolicies;
}

/** Policies of teams, and their enforcement. */
export function policyFeature(
  { sql, changes, log }: Pick<Core, 'sql' | 'changes' | 'log'>,
  { alerts, hasSecondFactor, modelHosts, costs }: Deps,
): Feature<Exports> {
  const store = policyStore(sql);
  const active = activeRules(store, changes);
  const dryRun = dryRuns({ trail: trailStore(sql), stored: storedStore(sql), costsByHour: costs.byHour, modelHosts });
  const spentToday = costs.today;
  const watch = policyAlertStore(sql);
  const alerted = policyAlertJobs({ sql, log, watch, active, alerts, spentToday });
  return {
    routes: [policyRoutes({ store, active, dryRun })],
    jobs: [
      { name: 'policy.failed-logins', everySeconds: 15, run: alerted.failedLogins },
      { name: 'policy.budget', everySeconds: 60, run: alerted.budget },
    ],
    exports: {
      admit: createAdmission({ active, hasSecondFactor }),
      mayMakeKey: createKeyGuard(active),
      mayDeploy: createDeployGuard({ active, spentToday }),
      keptAtMost: retentionLimits(watch, active),
      keptAtMostBy: minRetention(active),
      failedLoginRule: failedLoginThreshold(active),
      idleLimit: strictestOnIdleSessions(active),
      mayProtect: createRedactionGuard(active),
      planRefusal: createPlanGuard(sql, active),
      hosts: hostPolicies(sql, active),
    },
  };
}
