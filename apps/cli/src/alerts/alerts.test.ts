import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Alert, AlertRule, Project } from '@paddock/contract';
import { run, scriptedApi } from '../databases/scripted-api.ts';
import { parseThreshold, snoozeMinutes } from './spans.ts';

const alert = (more: Partial<Alert> = {}): Alert => ({
  id: 'alr_one',
  deployment_id: 'dep_one',
  database_id: null,
  project_name: 'chat',
  severity: 'warning',
  message: '10 % of 100 requests failed within five minutes; the rule allows 5 %.',
  created_at: '2026-01-31T12:00:00.000Z',
  resolved: false,
  resolved_at: null,
  snoozed_until: null,
  ...more,
});
const project = {
  id: 'prj_chat',
  name: 'chat',
  description: '',
  url: 'http://chat.localhost',
  created_at: '2026-01-30T12:00:00.000Z',
  deployment_count: 1,
  build_settings: null,
} satisfies Project;
const projects = { 'GET /projects': () => ({ projects: [project], next_cursor: null, total: 1 }) };
const rule: AlertRule = { rule: 'error_rate', label: 'Error rate', unit: 'share', is_on: true, threshold: 0.1, is_default: false };

test('open alerts are listed with their state; --all asks for resolved ones, too, and --project shows those of one project', async (t) => {
  const asked: Record<string, unknown>[] = [];
  const alerts = [
    alert({ id: 'alr_two', snoozed_until: '2026-02-01T08:30:00.000Z' }),
    alert(),
    alert({ id: 'alr_other', project_name: 'other', severity: 'critical', message: 'Down.' }),
  ];
  const { url } = await scriptedApi(t, {
    ...projects,
    'GET /metrics/alerts': (input) => {
      asked.push(input);
      // A page at a time: the alert of the other project is on the second page.
      return input.cursor
        ? { alerts: alerts.slice(2), next_cursor: null, open: 2 }
        : { alerts: alerts.slice(0, 2), next_cursor: 'c', open: 2 };
    },
  });
  const { code, out } = await run(url, ['alerts']);
  assert.equal(code, 0);
  assert.match(out, /^ALERT +SEVERITY +PROJECT +SINCE \(UTC\) +STATE +WHAT\n/);
  assert.match(out, /alr_two +warning +chat +2026-01-31 12:00 +snoozed until 2026-02-01 08:30 +10 % of/);
  assert.match(out, /alr_one .* open /);
  assert.deepEqual(asked[0], { limit: '50', resolved: 'false' });
  assert.match((await run(url, ['alerts', '--all', '--limit', '1'])).notes, /There are more/);
  assert.equal(asked.at(-1)?.resolved, undefined);
  const other = await run(url, ['alerts', '--project', 'chat'], { json: true });
  assert.deepEqual(
    (JSON.parse(other.out) as { alerts: Alert[] }).alerts.map(({ id }) => id),
    ['alr_two', 'alr_one'],
  );
});

test('without open alerts one sentence says so', async (t) => {
  const { url } = await scriptedApi(t, { 'GET /metrics/alerts': () => ({ alerts: [], next_cursor: null, open: 0 }) });
  assert.deepEqual(await run(url, ['alerts']), { code: 0, out: 'No open alerts.\n', notes: '' });
});

test('an alert is resolved, snoozed for a while and woken; an unknown one is not found', async (t) => {
  const minutes: unknown[] = [];
  const { url } = await scriptedApi(t, {
    'POST /metrics/alerts/alr_one/resolve': () => alert({ resolved: true, resolved_at: '2026-01-31T13:00:00.000Z' }),
    'POST /metrics/alerts/alr_one/snooze': (input) => {
      minutes.push(input.minutes);
      return alert(input.minutes === 0 ? {} : { snoozed_until: '2026-01-31T20:00:00.000Z' });
    },
  });
  assert.match((await run(url, ['alerts', 'resolve', 'alr_one'])).out, /^Resolved: 10 % of/);
  assert.match((await run(url, ['alerts', 'snooze', 'alr_one', '8h'])).out, /^Snoozed until 2026-01-31 20:00 UTC: 10 % of/);
  assert.match((await run(url, ['alerts', 'snooze', 'alr_one', '0'])).out, /^Awake again: 10 % of/);
  assert.deepEqual(minutes, [480, 0]);
  assert.equal((await run(url, ['alerts', 'resolve', 'alr_none'])).code, 4);
});

test('rules are listed, changed and reset, and what makes no sense is refused before anything is sent', async (t) => {
  const sent: unknown[] = [];
  const { url, asked } = await scriptedApi(t, {
    ...projects,
    'GET /projects/prj_chat/alert-rules': () => ({ alert_rules: [rule] }),
    'PUT /projects/prj_chat/alert-rules/error_rate': (input) => {
      sent.push(input);
      return { ...rule, ...input };
    },
    'DELETE /projects/prj_chat/alert-rules/error_rate': () => ({}),
  });
  assert.match((await run(url, ['alerts', 'rules', 'chat'])).out, /error_rate +on +10 % +on, 5 % +Error rate/);
  const set = (...args: string[]) => run(url, ['alerts', 'rules', 'chat', 'set', 'error_rate', ...args]);
  assert.equal((await set('--off', '--threshold', '7.5%')).out, 'Error rate of chat: off, 7.5 %\n');
  assert.deepEqual(sent, [{ is_on: false, threshold: 0.075 }]);
  assert.equal((await run(url, ['alerts', 'rules', 'chat', 'reset', 'error_rate'])).code, 0);
  assert.ok(asked.includes('DELETE /projects/prj_chat/alert-rules/error_rate'));
  const before = asked.length;
  for (const args of [[], ['--on', '--off'], ['--threshold', 'much']]) assert.equal((await set(...args)).code, 2, args.join(' '));
  assert.equal((await run(url, ['alerts', 'rules', 'chat', '--on'])).code, 2);
  assert.equal((await run(url, ['alerts', 'rules', 'chat', 'set'])).code, 2);
  assert.equal(asked.length, before);
});

test('a while and a threshold are read in the units that people write', () => {
  assert.deepEqual(['1m', '8h', '1d', '1w', '0'].map(snoozeMinutes), [1, 480, 1_440, 10_080, 0]);
  for (const wrong of ['8', '2w', '0m', '-1h', '1s', '', 'soon']) assert.throws(() => snoozeMinutes(wrong), { code: 'usage' }, wrong);
  assert.deepEqual([parseThreshold('share', '7%'), parseThreshold('share', '0.29'), parseThreshold('share', '5 %')], [0.07, 0.29, 0.05]);
  assert.deepEqual([parseThreshold('ms', '2.5s'), parseThreshold('ms', '900ms'), parseThreshold('ms', '900')], [2500, 900, 900]);
  assert.deepEqual([parseThreshold('minutes', '2h'), parseThreshold('minutes', '30')], [120, 30]);
  assert.deepEqual([parseThreshold('usd', '$25'), parseThreshold('usd', '0.5')], [25, 0.5]);
  for (const wrong of ['5s', '$5', '1e3', '-1', '']) assert.throws(() => parseThreshold('points', wrong), { code: 'usage' }, wrong);
});
