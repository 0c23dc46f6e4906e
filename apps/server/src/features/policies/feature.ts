import type { AdmitByPolicy } from '../../http/authenticate.ts';
import type { Offered, Parts } from '../../parts.ts';
import { activeRules } from './active.ts';
import { admitting } from './admit.ts';
import { type AlertsOfPolicies, alerting, type SpentToday, strictestOnFailedLogins } from './alerting.ts';
import { deploying } from './deploying.ts';
import { dryRuns } from './dry-run/dry-run.ts';
import type { JudgeParts } from './dry-run/judges.ts';
import { storedStore } from './dry-run/stored-store.ts';
import { trailStore } from './dry-run/trail-store.ts';
import { type HostPolicies, hostPolicies } from './hosts.ts';
import { type MayMakeKey, makingKeys } from './keys.ts';
import { type PlanRefusal, planning } from './planning.ts';
import { type MayProtect, redacting } from './redacting.ts';
import { type KeptAtMostOf, retaining, shortest } from './retention.ts';
import { policyRoutes } from './routes.ts';
import { type IdleLimit, strictestOnIdleSessions } from './sessions.ts';
import { policyStore } from './store.ts';
import { watchStore } from './watch-store.ts';

interface Needs {
  alerts: AlertsOfPolicies;
  hasSecondFactor: (user_id: string) => Promise<boolean>;
  /** The hosts at which a team's agents called models, as far back as traces are kept. */
  modelHosts: JudgeParts['modelHosts'];
  costs: {
    today: SpentToday;
    byHour: JudgeParts['costsByHour'];
  };
}

interface Gives {
  admit: AdmitByPolicy;
  mayMakeKey: MayMakeKey;
  mayDeploy: ReturnType<typeof deploying>;
  keptAtMost: KeptAtMostOf;
  /** Of one team. */
  keptAtMostBy: ReturnType<typeof shortest>;
  failedLoginRule: ReturnType<typeof strictestOnFailedLogins>;
  idleLimit: IdleLimit;
  mayProtect: MayProtect;
  planRefusal: PlanRefusal;
  hosts: HostPolicies;
}

/** What teams decided, and what Paddock does about it. */
export function policyFeature(
  { sql, changes, log }: Pick<Parts, 'sql' | 'changes' | 'log'>,
  { alerts, hasSecondFactor, modelHosts, costs }: Needs,
): Offered<Gives> {
  const store = policyStore(sql);
  const active = activeRules(store, changes);
  const dryRun = dryRuns({ trail: trailStore(sql), stored: storedStore(sql), costsByHour: costs.byHour, modelHosts });
  const spentToday = costs.today;
  const watch = watchStore(sql);
  const alerted = alerting({ sql, log, watch, active, alerts, spentToday });
  return {
    routes: [policyRoutes({ store, active, dryRun })],
    jobs: [
      { name: 'policy.failed-logins', everySeconds: 15, run: alerted.failedLogins },
      { name: 'policy.budget', everySeconds: 60, run: alerted.budget },
    ],
    gives: {
      admit: admitting({ active, hasSecondFactor }),
      mayMakeKey: makingKeys(active),
      mayDeploy: deploying({ active, spentToday }),
      keptAtMost: retaining(watch, active),
      keptAtMostBy: shortest(active),
      failedLoginRule: strictestOnFailedLogins(active),
      idleLimit: strictestOnIdleSessions(active),
      mayProtect: redacting(active),
      planRefusal: planning(sql, active),
      hosts: hostPolicies(sql, active),
    },
  };
}
