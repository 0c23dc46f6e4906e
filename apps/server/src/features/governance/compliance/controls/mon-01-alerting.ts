import { plural } from '@paddock/contract/plural';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { agoText, failed, passed, type Subject, unverified, within } from '../finding.ts';

const deliveredDays = 30;
const evaluatedMs = 5 * 60_000;
const rulesJob = { name: 'alert-rule.evaluate', title: 'Evaluation of alert rules', items: 'Alert rules', verb: 'evaluated' };
const signInsJob = { name: 'policy.failed-logins', title: 'Count of failed sign-ins', items: 'Failed sign-ins', verb: 'counted' };
const path = '/settings?tab=alerts';

/**
 * MON-01: failed sign-ins open an alert, a channel of the team receives alerts and accepted a message within 30 days, and the job that
 * opens alerts ran within five minutes.
 */
export function alertingControl({ sql, failedLoginRule }: Pick<ControlDeps, 'sql' | 'failedLoginRule'>): Control {
  return {
    id: 'MON-01',
    of: 'team',
    async check(team_id) {
      const channels = await loadChannels(sql, team_id);
      const rule = await failedLoginRule(team_id);
      const evaluated = await loadJobRun(sql, rulesJob.name);
      const now = Date.parse(evaluated.now);
      const resources = [
        judgeJob(rulesJob, evaluated, now),
        failedSignIns(rule),
        ...(rule ? [judgeJob(signInsJob, await loadJobRun(sql, signInsJob.name), now)] : []),
        ...channels.map((channel) => judgeChannel(channel, now)),
      ];
      if (channels.length === 0) {
        const fix = { text: 'Add a channel that hears of alerts, and send it a test.', path };
        resources.push(
          failed(teamOf(team_id), 'The team has no channel: nobody hears of an alert outside the console and its mail.', {
            evidence: { channels: 0 },
            fix,
          }),
        );
      }
      return {
        looked_at: `${plural(channels.length, 'channel')} with the last message that each took, the rule about failed sign-ins, and when what opens alerts ran last.`,
        resources,
      };
    },
  };
}

const teamOf = (id: string): Subject => ({ type: 'team', id, name: 'Channels of the team' });

/** Whether anything counts failed sign-ins: no alert rule does, only a policy. */
function failedSignIns(rule: Awaited<ReturnType<ControlDeps['failedLoginRule']>>): ControlFinding {
  const subject: Subject = { type: 'policy', id: rule?.policy_id ?? 'failed-sign-ins', name: rule?.policy ?? 'Failed sign-ins' };
  if (rule) return passed(subject, `Failed sign-ins open an alert by the policy "${rule.policy}": ${rule.text}.`, { ...rule });
  return failed(subject, 'No active policy asks for an alert when sign-ins fail.', {
    fix: { text: 'Make a policy with the rule "Alert after 3 failed logins", and activate it.', path: '/governance?tab=policies' },
  });
}

interface Job {
  name: string;
  title: string;
  items: string;
  verb: string;
}

function judgeJob({ name, title, items, verb }: Job, { last_run_at, last_error }: Evaluated, now: number): ControlFinding {
  const subject: Subject = { type: 'job', id: name, name: title };
  const fix = { text: `The operator looks whether the server runs, and into its log for the job ${name}.` };
  const evidence = { job: name, last_run_at };
  if (last_run_at === null) return unverified(subject, `${items} have not been ${verb} on this installation yet.`, { evidence, fix });
  if (last_error !== null)
    return failed(subject, `${items} could not be ${verb} when that was last tried, ${agoText(last_run_at, now)}.`, { evidence, fix });
  if (!within(last_run_at, evaluatedMs, now))
    return failed(subject, `${items} were last ${verb} ${agoText(last_run_at, now)}, which is more than five minutes.`, { evidence, fix });
  return passed(subject, `${items} were ${verb} ${agoText(last_run_at, now)}.`, evidence);
}

function judgeChannel(
  { id, name, is_active, off_reason, hears_alerts, delivered_at, failed_at, error }: ChannelRow,
  now: number,
): ControlFinding {
  const subject: Subject = { type: 'channel', id, name };
  const evidence = { is_active, hears_alerts, delivered_at, failed_at };
  const text = 'Mend the channel, and send it a test.';
  if (!is_active) {
    const why = off_reason === null ? '' : `: ${off_reason}`;
    return failed(subject, `The channel is switched off${why || '.'}`, {
      evidence,
      fix: { text: 'Switch the channel on and send it a test, or delete it.', path },
    });
  }
  if (!hears_alerts)
    return failed(subject, 'The channel does not hear of alerts that open.', {
      evidence,
      fix: { text: 'Have the channel hear of alerts that open.', path },
    });
  if (failed_at !== null && (delivered_at === null || failed_at > delivered_at)) {
    const why = error === null ? '' : ` ${error}`;
    return failed(subject, `The last message to the channel was not delivered, ${agoText(failed_at, now)}.${why}`, {
      evidence,
      fix: { text, path },
    });
  }
  if (delivered_at === null)
    return failed(subject, 'The channel has not taken a message yet, and no test was sent.', {
      evidence,
      fix: { text: 'Send the channel a test.', path },
    });
  if (!within(delivered_at, deliveredDays * dayMs, now)) {
    const finding = `The channel last took a message ${agoText(delivered_at, now)}; it counts as alive for ${deliveredDays} days.`;
    return failed(subject, finding, { evidence, fix: { text: 'Send the channel a test.', path } });
  }
  return passed(subject, `The channel took a message ${agoText(delivered_at, now)}.`, evidence);
}

interface ChannelRow {
  id: string;
  name: string;
  is_active: boolean;
  off_reason: string | null;
  hears_alerts: boolean;
  delivered_at: string | null;
  failed_at: string | null;
  error: string | null;
}
interface Evaluated {
  last_run_at: string | null;
  last_error: string | null;
  now: string;
}

const loadChannels = (sql: Sql, team_id: string) => sql<ChannelRow[]>`
  select
    c.id, c.name, c.is_active, c.off_reason, 'alert.opened' = any(c.events) as hears_alerts,
    (
      select max(d.delivered_at)
      from channel_deliveries d
      where d.channel_id = c.id
        and d.status = 'delivered'
    ) as delivered_at,
    last_failed.created_at as failed_at, last_failed.error
  from channels c
  left join lateral (
    select f.created_at, f.error
    from channel_deliveries f
    where f.channel_id = c.id
      and f.status = 'failed'
    order by f.created_at desc, f.id desc
    limit 1
  ) last_failed on true
  where c.team_id = ${team_id}
  order by c.created_at, c.id`;

async function loadJobRun(sql: Sql, job: string): Promise<Evaluated> {
  const [row] = await sql<[Evaluated]>`
    select j.last_run_at, j.last_error, now() as now
    from (
      select 1
    ) one
    left join periodic_jobs j on j.name = ${job}`;
  return row;
}
