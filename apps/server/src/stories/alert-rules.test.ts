import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { alertRuleCalls as contract } from '@paddock/contract';
import { minuteMs } from '@paddock/contract/time';
import * as z from 'zod';
import { calledBy, databaseRows, type Rows } from '../../test/database-rows.ts';
import { metricsRows } from '../../test/metrics-rows.ts';
import { atEnd } from '../../test/postgres.ts';
import { createEvaluator } from '../features/alerts/rules/evaluate.ts';
import { alertRuleHandlers } from '../features/alerts/rules/routes.ts';
import { alertRuleStore } from '../features/alerts/rules/store.ts';
import { moveStore } from '../features/metrics/move-store.ts';
import { createAgentHealth } from '../features/metrics/watch.ts';
import { watchStore } from '../features/metrics/watch-store.ts';
import { createLog } from '../log.ts';

let rows: Rows;
let made: ReturnType<typeof metricsRows>;
before(async () => {
  rows = await databaseRows({ after: atEnd });
  made = metricsRows(rows);
});

const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs);
/** Cost of the projects' model calls today. */
let costs = new Map<string, number>();
const evaluate = () =>
  createEvaluator({
    store: alertRuleStore(rows.sql),
    watch: createAgentHealth(watchStore(rows.sql), moveStore(rows.sql)),
    modelCosts: async () => costs,
    alerts: rows.alerts,
    log: createLog('silent', process.stderr),
  })();
const handlers = () => alertRuleHandlers(alertRuleStore(rows.sql));
type Team = Awaited<ReturnType<Rows['team']>>;
const alertsOf = async ({ team_id }: Team) => {
  const { rows: found } = await rows.alerts.list(team_id, { limit: 50 });
  return found.map(({ deployment_id, severity, message, resolved }) => ({ deployment_id, severity, message, resolved }));
};
const answers = (count: number, status: number, us = 20_000) => Array.from({ length: count }, () => ({ status, us }));

test('errors beyond the threshold open one alert and one mail, however often they are judged, and it closes by itself', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(100) });
  await made.visits(id, { at: ago(2), visits: [...answers(90, 200), ...answers(10, 500)] });
  for (let n = 0; n < 3; n++) await evaluate();
  assert.deepEqual(await alertsOf(ada), [
    {
      deployment_id: id,
      severity: 'warning',
      message: '10 % of 100 requests failed within five minutes; the rule allows 5 %. Its log tells why.',
      resolved: false,
    },
  ]);
  assert.equal((await rows.mailsTo(ada.email)).length, 1);
  await rows.sql`delete from traffic_minutes where deployment_id = ${id}`;
  await made.visits(id, { at: ago(1), visits: answers(100, 200) });
  await evaluate();
  assert.deepEqual(
    (await alertsOf(ada)).map(({ resolved }) => resolved),
    [true],
  );
  await evaluate();
  assert.equal((await alertsOf(ada)).length, 1);
});

test('who resolves an alert is not told again while its cause lasts', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(100) });
  await made.visits(id, { at: ago(2), visits: answers(50, 500) });
  await evaluate();
  const { rows: open } = await rows.alerts.list(ada.team_id, { limit: 50, resolved: false });
  for (const { id: alert } of open) await rows.alerts.resolve(ada.team_id, alert);
  await evaluate();
  assert.equal((await rows.alerts.list(ada.team_id, { limit: 50, resolved: false })).open, 0);
});

test('a crash that is not over, lack of memory and slowness are told, each by its own alert', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(100) });
  await made.move(ada, id, { at: ago(5), from: 'active', to: 'active', why: 'out_of_memory' });
  await made.visits(id, { at: ago(3), visits: answers(40, 200, 20_000_000) });
  await evaluate();
  const messages = (await alertsOf(ada)).map(({ message }) => message.slice(0, 42)).sort();
  assert.deepEqual(messages, [
    'It has not been able to answer for 5 minut',
    'It needed more memory than it may have and',
    'One of twenty requests took longer than 20',
  ]);
  await made.move(ada, id, { at: ago(0), from: 'active', to: 'active', why: 'ready' });
  await evaluate();
  const open = (await alertsOf(ada)).filter(({ resolved }) => !resolved);
  assert.ok(!open.some(({ message }) => message.startsWith('It has not been able')));
});

test('previews are not judged, a switched-off rule is silent and ends what it had opened, and another threshold counts', async () => {
  const ada = await rows.team();
  const preview = await made.deployment(ada, { at: ago(100), environment: 'preview' });
  await made.visits(preview, { at: ago(2), visits: answers(50, 500) });
  await evaluate();
  assert.deepEqual(await alertsOf(ada), []);
  const id = await made.deployment(ada, { at: ago(100) });
  await made.visits(id, { at: ago(2), visits: [...answers(80, 200), ...answers(20, 500)] });
  const change = (input: object) => handlers().update({ id: ada.project_id, rule: 'error_rate', ...input } as never, calledBy(ada));
  await change({ threshold: 0.3 });
  await evaluate();
  assert.deepEqual(await alertsOf(ada), []);
  assert.deepEqual(z.parse(contract.update.output, await change({ threshold: 0.1 })).is_default, false);
  await evaluate();
  assert.equal((await alertsOf(ada)).length, 1);
  await change({ is_on: false });
  await evaluate();
  assert.deepEqual(
    (await alertsOf(ada)).map(({ resolved }) => resolved),
    [true],
  );
});

test('a redeploy does not open an alert by its first seconds: what went before them counts, too, while another deployment’s end does not', async () => {
  const ada = await rows.team();
  const before = await made.deployment(ada, { at: ago(100), ended: ago(2) });
  for (const minutes of [12, 8, 4]) await made.visits(before, { at: ago(minutes), visits: answers(20, 200) });
  const after = await made.deployment(ada, { at: ago(2) });
  await made.move(ada, after, { at: ago(1.9), from: 'active', to: 'active', why: 'crashed' });
  await made.visits(after, { at: ago(2), visits: [...answers(1, 200), ...answers(2, 502)] });
  await made.move(ada, after, { at: ago(0.2), from: 'active', to: 'active', why: 'ready' });
  await evaluate();
  assert.deepEqual(await alertsOf(ada), []);

  // The same first seconds without a preceding deployment: the long failed one was not replaced.
  const bob = await rows.team();
  const failed = await made.deployment(bob, { at: ago(100) });
  await rows.sql`update deployments set status = 'failed', is_current = false where id = ${failed}`;
  await made.move(bob, failed, { at: ago(10), from: 'active', to: 'failed', why: 'failed' });
  await made.visits(failed, { at: ago(11), visits: answers(50, 502) });
  await made.deployment(bob, { at: ago(1) });
  await evaluate();
  assert.deepEqual(await alertsOf(bob), [], 'that it had failed is told by an alert of its own');
});

test('a project whose model calls cost more than its budget is told once a day, also without an agent in production, until the day is over', async () => {
  const ada = await rows.team();
  const change = (input: object) => handlers().update({ id: ada.project_id, rule: 'model_cost', ...input } as never, calledBy(ada));
  const today = async (usd: number) => {
    costs = new Map([[ada.project_id, usd]]);
    await evaluate();
    return (await alertsOf(ada)).map(({ message, resolved }) => [message.slice(0, 61), resolved]);
  };
  assert.deepEqual(await today(500), [], 'the rule is off as it comes');
  await change({ is_on: true });
  assert.deepEqual(await today(10), [], 'the budget itself may be spent');
  assert.deepEqual(await today(12.345), [['They cost $12.35 today (UTC); the rule allows $10.00 a day. T', false]]);
  assert.deepEqual(await today(13), [['They cost $13.00 today (UTC); the rule allows $10.00 a day. T', false]]);
  assert.equal((await rows.mailsTo(ada.email)).length, 1);
  assert.equal((await today(0))[0]?.[1], true, 'a new day');
  assert.equal((await today(11)).length, 2, 'and a new alert on that day');
  await change({ threshold: 20 });
  assert.ok(
    (await today(11)).every(([, resolved]) => resolved),
    'the rule allows more',
  );
  costs = new Map();
});

test('costs that cannot be read keep no other rule from being judged', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(100) });
  await made.visits(id, { at: ago(2), visits: answers(50, 500) });
  await assert.rejects(
    createEvaluator({
      store: alertRuleStore(rows.sql),
      watch: createAgentHealth(watchStore(rows.sql), moveStore(rows.sql)),
      modelCosts: () => Promise.reject(new Error('no costs')),
      alerts: rows.alerts,
      log: createLog('silent', process.stderr),
    })(),
    /no costs/,
  );
  assert.equal((await alertsOf(ada)).filter(({ message }) => message.includes('failed within five minutes')).length, 1);
});

test('an agent that was stopped leaves no alert behind', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(100) });
  await made.visits(id, { at: ago(2), visits: answers(50, 500) });
  await evaluate();
  await rows.sql`update deployments set status = 'stopped', is_current = false where id = ${id}`;
  await evaluate();
  assert.ok((await alertsOf(ada)).every(({ resolved }) => resolved));
});

test('rules are told with their defaults, changed within their bounds, and are nobody else’s', async () => {
  const [ada, bob] = [await rows.team(), await rows.team()];
  const list = async () => z.parse(contract.list.output, await handlers().list({ id: ada.project_id }, calledBy(ada))).alert_rules;
  assert.deepEqual(
    (await list()).map(({ rule, is_on, threshold, is_default }) => [rule, is_on, threshold, is_default]),
    [
      ['error_rate', true, 0.05, true],
      ['p95_latency', true, 5000, true],
      ['health_score', true, 50, true],
      ['agent_down', true, 2, true],
      ['out_of_memory', true, 1, true],
      ['no_requests', false, 60, true],
      ['model_cost', false, 10, true],
    ],
  );
  const change = (who: Team, input: object) =>
    Promise.resolve().then(() => handlers().update({ id: ada.project_id, ...input } as never, calledBy(who)));
  await change(ada, { rule: 'no_requests', is_on: true });
  await change(ada, { rule: 'no_requests', threshold: 30 });
  const noRequests = async () => (await list()).find(({ rule }) => rule === 'no_requests')!;
  assert.deepEqual(await noRequests(), {
    rule: 'no_requests',
    label: 'No requests',
    unit: 'minutes',
    is_on: true,
    threshold: 30,
    is_default: false,
  });
  await assert.rejects(change(ada, { rule: 'error_rate', threshold: 1.5 }), { code: 'input_invalid' });
  await assert.rejects(change(ada, { rule: 'error_rate', threshold: Number.NaN }), { code: 'input_invalid' });
  await assert.rejects(change(bob, { rule: 'error_rate', is_on: false }), { code: 'project_not_found' });
  const reset = (who: Team) => handlers().reset({ id: ada.project_id, rule: 'no_requests' }, calledBy(who));
  await assert.rejects(reset(bob), { code: 'project_not_found' });
  for (let times = 0; times < 2; times++) await reset(ada);
  const { is_on, threshold, is_default } = await noRequests();
  assert.deepEqual({ is_on, threshold, is_default }, { is_on: false, threshold: 60, is_default: true });
});
