import type { Core, Feature } from '../../../core.ts';
import type { AdmitByPolicy } from '../../../http/authenticate.ts';
import { createAdmission } from './admission.ts';
import { createDeployGuard } from './deploy-guard.ts';
import { dryRuns } from './dry-run/dry-run.ts';
import type { EvaluatorDeps } from './dry-run/evaluators.ts';
import { storedStore } from './dry-run/stored-store.ts';
import { trailStore } from './dry-run/trail-store.ts';
import { policyAlertStore } from './policy-alert-store.ts';
import { type AlertsOfPolicies, policyAlertJobs, type SpentToday } from './policy-alerts.ts';
import { policyRoutes } from './routes.ts';
import type { PolicyRules } from './rules.ts';

interface Deps {
  rules: PolicyRules;
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
  mayDeploy: ReturnType<typeof createDeployGuard>;
  rules: PolicyRules;
}

/** Policies of teams, and the decisions that need other features. The decisions that need none are in `rules.ts`. */
export function policyFeature(
  { sql, log }: Pick<Core, 'sql' | 'log'>,
  { rules, alerts, hasSecondFactor, modelHosts, costs }: Deps,
): Feature<Exports> {
  const { store, active } = rules;
  const dryRun = dryRuns({ trail: trailStore(sql), stored: storedStore(sql), costsByHour: costs.byHour, modelHosts });
  const spentToday = costs.today;
  const alerted = policyAlertJobs({ sql, log, watch: policyAlertStore(sql), active, alerts, spentToday });
  return {
    routes: [policyRoutes({ store, active, dryRun })],
    jobs: [
      { name: 'policy.failed-logins', everySeconds: 15, run: alerted.failedLogins },
      { name: 'policy.budget', everySeconds: 60, run: alerted.budget },
    ],
    exports: {
      admit: createAdmission({ active, hasSecondFactor }),
      mayDeploy: createDeployGuard({ active, spentToday }),
      rules,
    },
  };
}
