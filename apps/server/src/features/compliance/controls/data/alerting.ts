import type { Parts } from '../../../../parts.ts';
import type { Control, Found } from '../../control.ts';
import { alertingStore, type Evaluated, type HeardOf } from './alerting-store.ts';
import { agoText, counted, dayMs, failed, passed, type Subject, unseen, within } from './finding.ts';

const deliveredDays = 30;
const evaluatedMs = 5 * 60_000;
const job = 'alert-rule.evaluate';
const path = '/settings?tab=alerts';

/** MON-01: a channel of the team hears of alerts and took a message within 30 days, and rules were evaluated within five minutes. */
export function alerting({ sql }: Pick<Parts, 'sql'>): Control {
  const store = alertingStore(sql);
  return {
    id: 'MON-01',
    of: 'team',
    async check(team_id) {
      const channels = await store.channels(team_id);
      const evaluated = await store.evaluated(job);
      const now = Date.parse(evaluated.now);
      const resources = [evaluation(evaluated, now), ...channels.map((channel) => heard(channel, now))];
      if (channels.length === 0) {
        const fix = { text: 'Add a channel that hears of alerts, and send it a test.', path };
        resources.push(
          failed(teamOf(team_id), {
            finding: 'The team has no channel: nobody hears of an alert outside the console and its mail.',
            evidence: { channels: 0 },
            fix,
          }),
        );
      }
      return {
        looked_at: `${counted(channels.length, 'channel')} with the last message that each took, and the last evaluation of the rules.`,
        resources,
      };
    },
  };
}

const teamOf = (id: string): Subject => ({ type: 'team', id, name: null });

function evaluation({ last_run_at, last_error }: Evaluated, now: number): Found {
  const subject: Subject = { type: 'job', id: job, name: 'Evaluation of alert rules' };
  const fix = { text: 'The operator looks whether the server runs, and into its log for the job alert-rule.evaluate.' };
  const evidence = { job, last_run_at };
  if (last_run_at === null)
    return unseen(subject, { finding: 'Alert rules have not been evaluated on this installation yet.', evidence, fix });
  if (last_error !== null)
    return failed(subject, { finding: `The last evaluation of alert rules failed, ${agoText(last_run_at, now)}.`, evidence, fix });
  if (!within(last_run_at, evaluatedMs, now))
    return failed(subject, {
      finding: `Alert rules were last evaluated ${agoText(last_run_at, now)}, which is more than five minutes.`,
      evidence,
      fix,
    });
  return passed(subject, { finding: `Alert rules were evaluated ${agoText(last_run_at, now)}.`, evidence });
}

function heard({ id, name, is_active, off_reason, hears_alerts, delivered_at, failed_at, error }: HeardOf, now: number): Found {
  const subject: Subject = { type: 'channel', id, name };
  const evidence = { is_active, hears_alerts, delivered_at, failed_at };
  const text = 'Mend the channel, and send it a test.';
  if (!is_active) {
    const why = off_reason === null ? '' : `: ${off_reason}`;
    return failed(subject, {
      finding: `The channel is switched off${why || '.'}`,
      evidence,
      fix: { text: 'Switch the channel on and send it a test, or delete it.', path },
    });
  }
  if (!hears_alerts)
    return failed(subject, {
      finding: 'The channel does not hear of alerts that open.',
      evidence,
      fix: { text: 'Have the channel hear of alerts that open.', path },
    });
  if (failed_at !== null && (delivered_at === null || failed_at > delivered_at)) {
    const why = error === null ? '' : ` ${error}`;
    return failed(subject, {
      finding: `The last message to the channel was not delivered, ${agoText(failed_at, now)}.${why}`,
      evidence,
      fix: { text, path },
    });
  }
  if (delivered_at === null)
    return failed(subject, {
      finding: 'The channel has not taken a message yet, and no test was sent.',
      evidence,
      fix: { text: 'Send the channel a test.', path },
    });
  if (!within(delivered_at, deliveredDays * dayMs, now)) {
    const finding = `The channel last took a message ${agoText(delivered_at, now)}; it counts as alive for ${deliveredDays} days.`;
    return failed(subject, { finding, evidence, fix: { text: 'Send the channel a test.', path } });
  }
  return passed(subject, { finding: `The channel took a message ${agoText(delivered_at, now)}.`, evidence });
}
