import { dollarText } from '@paddock/contract/figures';
import { recordSystemAction } from '../../../audit/record-system-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import type { ActiveRule, ActiveRules } from './active-rules.ts';
import type { WatchStore } from './policy-alert-store.ts';

interface NewAlert {
  rule: string;
  severity: 'warning';
  title: string;
  message: string;
  lasting: true;
}
/** Cost of the model calls of a team's production agents since the UTC day began, in dollars. */
export type SpentToday = (team_id: string) => Promise<number>;

/** Alerts of this feature; each rule and team has at most one open alert. */
export interface AlertsOfPolicies {
  raiseWithin: (tx: Tx, team_id: string, alert: NewAlert) => Promise<void>;
  clear: (team_id: string, cause: { rule: string }) => Promise<void>;
  /** Teams with an uncleared alert of this rule. */
  teamsWith: (rule: string) => Promise<string[]>;
}

/** The problem, and the rule that requires an alert; undefined if there is none. */
type Finding = { by: ActiveRule; title: string; message: string } | undefined;

interface Deps {
  sql: Sql;
  log: Log;
  watch: WatchStore;
  active: Pick<ActiveRules, 'of'>;
  alerts: AlertsOfPolicies;
  spentToday: SpentToday;
}

/** The team's rule with the lowest number of failed sign-ins; undefined if no active policy has one. */
export const failedLoginThreshold = (active: Pick<ActiveRules, 'of'>) => async (team_id: string) =>
  (await active.of(team_id, 'failed_logins')).toSorted((a, b) => a.rule.count - b.rule.count)[0];

export const alertRules = { failed_logins: 'policy_failed_logins', budget: 'policy_budget' } as const;

/** Jobs that open an alert while a policy's condition is violated, and close it afterwards. The cause is recorded. */
export function policyAlertJobs({ sql, log, watch, active, alerts, spentToday }: Deps) {
  const alertJob = (rule: string, find: (team_id: string) => Promise<Finding>) => {
    const each = createIsolatedLoop(log, `updating the alert ${rule}`);
    return async () => {
      const open = new Set(await alerts.teamsWith(rule));
      const teams = new Set([...(await watch.teamsWithActive()), ...open]);
      await each(
        teams,
        (team_id) => team_id,
        async (team_id) => {
          const found = await find(team_id);
          if (!found && open.has(team_id)) await alerts.clear(team_id, { rule });
          if (!found) return;
          const { by, title, message } = found;
          await sql.begin(async (tx) => {
            await alerts.raiseWithin(tx, team_id, { rule, severity: 'warning', title, message, lasting: true });
            const output = { policy: by.policy, rule: by.text, alert: rule };
            if (!open.has(team_id)) await recordSystemAction(tx, { team_id, action: 'policy.enforce', id: by.policy_id, output });
          });
        },
      );
    };
  };

  const failedLoginRule = failedLoginThreshold(active);

  return {
    failedLogins: alertJob(alertRules.failed_logins, async (team_id) => {
      const by = await failedLoginRule(team_id);
      if (!by) return undefined;
      const [most] = await watch.failedSignIns(team_id);
      if (!most || most.failed < by.rule.count) return undefined;
      return {
        by,
        title: 'Sign-ins fail',
        message: `${most.failed} sign-ins failed within an hour for the account of ${most.name ?? 'somebody'}. The policy "${by.policy}" asks to be told: ${by.text}. If nobody you know tried, change the password and turn on two-factor sign-in.`,
      };
    }),

    budget: alertJob(alertRules.budget, async (team_id) => {
      const rules = await active.of(team_id, 'budget');
      const [by] = rules.toSorted((a, b) => a.rule.usd - b.rule.usd);
      if (!by) return undefined;
      const spent = await spentToday(team_id);
      if (spent <= by.rule.usd) return undefined;
      return {
        by,
        title: 'The budget of the day is spent',
        message: `Model calls cost ${dollarText(spent)} today (UTC). The policy "${by.policy}" does not allow more: ${by.text}. Until the day is over, deployments are refused.`,
      };
    }),
  };
}
