import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { alerts as contract } from '@paddock/contract';
import * as z from 'zod';
import { calledBy, databaseRows, type Rows } from '../../../../test/database-rows.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { createLog } from '../../../log.ts';
import { alertHandlers } from './routes.ts';

let rows: Rows;
before(async () => {
  rows = await databaseRows({ after: atEnd });
});

const failed = { rule: 'backup_failed', severity: 'critical', title: 'A backup failed', message: 'The disk is full.' } as const;
const everything = { limit: 50 };

test('an alert is raised once however often its cause is told, and learns the newest message', async () => {
  const ada = await rows.team();
  await Promise.all(Array.from({ length: 8 }, () => rows.alerts.raise(ada.team_id, { ...failed, database_id: 'db_1' })));
  await rows.alerts.raise(ada.team_id, { ...failed, database_id: 'db_1', message: 'The disk is still full.' });
  await rows.alerts.raise(ada.team_id, { ...failed, database_id: 'db_2' });
  const { rows: found, open } = await rows.alerts.list(ada.team_id, everything);
  assert.equal(open, 2);
  assert.deepEqual(
    new Set(found.map((one) => `${one.database_id} ${one.message}`)),
    new Set(['db_2 The disk is full.', 'db_1 The disk is still full.']),
  );
  const mails = await rows.mailsTo(ada.email);
  assert.deepEqual(
    mails.map(({ template, data }) => [template, data]),
    Array.from({ length: 2 }, () => ['alert', { name: 'Ada', title: 'A backup failed', detail: 'The disk is full.' }]),
    'one mail for each cause',
  );
});

test('an open alert that becomes critical is mailed once more', async () => {
  const ada = await rows.team();
  const crashes = { rule: 'agent_crash_loop', title: 'An agent crashes', message: 'Crashed 3 times.', environment: 'production' } as const;
  const raise = (severity: 'warning' | 'critical', message: string) =>
    rows.alerts.raise(ada.team_id, { ...crashes, project_id: ada.project_id, severity, message });
  for (const message of ['Crashed 3 times.', 'Crashed 4 times.']) await raise('warning', message);
  assert.equal((await rows.mailsTo(ada.email)).length, 1);
  for (let times = 0; times < 2; times++) await raise('critical', 'Not restarted any more.');
  assert.deepEqual((await rows.mailsTo(ada.email)).map(({ data }) => (data as { detail: string }).detail).sort(), [
    'Crashed 3 times.',
    'Not restarted any more.',
  ]);
  assert.equal((await rows.alerts.list(ada.team_id, everything)).open, 1);
});

test('an alert of severity info is shown and not mailed', async () => {
  const ada = await rows.team();
  await rows.alerts.raise(ada.team_id, { ...failed, severity: 'info' });
  assert.equal((await rows.alerts.list(ada.team_id, everything)).open, 1);
  assert.deepEqual(await rows.mailsTo(ada.email), []);
});

test('what happens again after it was resolved is a new alert, with a mail', async () => {
  const ada = await rows.team();
  const handlers = alertHandlers(rows.alerts);
  await rows.alerts.raise(ada.team_id, { ...failed, project_id: ada.project_id });
  const [first] = (await rows.alerts.list(ada.team_id, everything)).rows;
  const resolved = z.parse(contract.resolve.output, await handlers.resolve({ id: first!.id }, calledBy(ada)));
  assert.ok(resolved.resolved && resolved.resolved_at);
  assert.equal(resolved.project_name, 'demo');
  assert.deepEqual(await handlers.resolve({ id: first!.id }, calledBy(ada)), resolved, 'a second time changes nothing');
  await rows.alerts.raise(ada.team_id, failed);
  assert.equal((await rows.alerts.list(ada.team_id, everything)).open, 1);
  assert.equal((await rows.mailsTo(ada.email)).length, 2);
});

test('a lasting cause whose alert somebody resolved does not come back until it was gone', async () => {
  const ada = await rows.team();
  const full = {
    rule: 'database_full',
    severity: 'critical',
    title: 'Full',
    message: 'Full.',
    lasting: true,
    database_id: 'db_1',
  } as const;
  await rows.alerts.raise(ada.team_id, full);
  const [alert] = (await rows.alerts.list(ada.team_id, everything)).rows;
  await rows.alerts.resolve(ada.team_id, alert!.id);
  await rows.alerts.raise(ada.team_id, full);
  assert.equal((await rows.alerts.list(ada.team_id, everything)).open, 0);
  await rows.alerts.clear(ada.team_id, full);
  await rows.alerts.raise(ada.team_id, full);
  assert.equal((await rows.alerts.list(ada.team_id, everything)).open, 1);
  await rows.alerts.clear(ada.team_id, full);
  assert.equal((await rows.alerts.list(ada.team_id, everything)).open, 0, 'and its end resolves it');
  assert.equal((await rows.mailsTo(ada.email)).length, 2);
});

const snoozedTest = { rule: 'chat_slow', severity: 'warning', title: 'chat is slow', message: 'Slow.', lasting: true } as const;
/** Ends all snoozes, as if their time were over. */
async function snoozesEnd() {
  await rows.sql`update alerts set snoozed_until = now() where snoozed_until is not null`;
  await rows.alerts.waking(createLog('silent', process.stderr))();
}

test('a snoozed alert does not count and is not mailed, even if it becomes critical; when its time is over it counts and is told once more', async () => {
  const ada = await rows.team();
  const handlers = alertHandlers(rows.alerts);
  await rows.alerts.raise(ada.team_id, snoozedTest);
  const { id } = (await rows.alerts.list(ada.team_id, everything)).rows[0]!;
  const before = Date.now();
  const snoozed = z.parse(contract.snooze.output, await handlers.snooze({ id, minutes: 60 }, calledBy(ada)));
  const until = Date.parse(snoozed.snoozed_until ?? '');
  assert.ok(until >= before + 3_599_000 && until <= Date.now() + 3_601_000, `until ${snoozed.snoozed_until}`);
  await rows.alerts.raise(ada.team_id, { ...snoozedTest, severity: 'critical', message: 'Slower.' });
  await rows.alerts.waking(createLog('silent', process.stderr))();
  const quiet = await rows.alerts.list(ada.team_id, everything);
  assert.deepEqual([quiet.open, quiet.rows[0]?.message, quiet.rows[0]?.resolved], [0, 'Slower.', false]);
  assert.equal((await rows.mailsTo(ada.email)).length, 1);
  for (let times = 0; times < 2; times++) await snoozesEnd();
  const told = await rows.alerts.list(ada.team_id, everything);
  assert.deepEqual([told.open, told.rows[0]?.snoozed_until], [1, null]);
  assert.deepEqual((await rows.mailsTo(ada.email)).map(({ data }) => (data as { title: string; detail: string }).title).sort(), [
    'Still open: chat is slow',
    'chat is slow',
  ]);
});

test('a snoozed alert whose cause goes is resolved and not told again; one that a person wakes counts at once without a mail', async () => {
  const ada = await rows.team();
  const handlers = alertHandlers(rows.alerts);
  const snooze = (id: string, minutes: number, who = ada) => handlers.snooze({ id, minutes }, calledBy(who));
  for (const database_id of ['db_1', 'db_2']) await rows.alerts.raise(ada.team_id, { ...snoozedTest, database_id });
  const all = (await rows.alerts.list(ada.team_id, everything)).rows;
  for (const { id } of all) await snooze(id, 10_080);
  await rows.alerts.clear(ada.team_id, { rule: snoozedTest.rule, database_id: 'db_1' });
  const [gone, stays] = ['db_1', 'db_2'].map((id) => all.find(({ database_id }) => database_id === id)!.id);
  await assert.rejects(snooze(gone!, 60), { code: 'alert_resolved' });
  assert.equal((await snooze(stays!, 0)).snoozed_until, null);
  await snoozesEnd();
  const after = await rows.alerts.list(ada.team_id, everything);
  assert.deepEqual([after.open, after.rows.filter(({ resolved }) => resolved).length], [1, 1]);
  assert.equal((await rows.mailsTo(ada.email)).length, 2, 'one for each when it opened');
  const bob = await rows.team();
  await assert.rejects(snooze(stays!, 60, bob), { code: 'alert_not_found' });
  assert.equal((await rows.alerts.list(ada.team_id, everything)).open, 1, 'another team snoozes nothing');
});

test('the list is of one team, filtered by deployment and by what is resolved, page by page', async () => {
  const [ada, bob] = [await rows.team(), await rows.team()];
  const handlers = alertHandlers(rows.alerts);
  for (const deployment_id of ['dep_1', 'dep_2', 'dep_3']) await rows.alerts.raise(ada.team_id, { ...failed, deployment_id });
  await rows.alerts.clear(ada.team_id, { rule: failed.rule, deployment_id: 'dep_2' });
  const list = async (input: object, who = ada) =>
    z.parse(contract.list.output, await handlers.list(z.parse(contract.list.input, input), calledBy(who)));
  const about = (page: { alerts: { deployment_id: string | null }[] }) => page.alerts.map((one) => one.deployment_id);
  assert.deepEqual(about(await list({})), ['dep_3', 'dep_2', 'dep_1']);
  assert.deepEqual(about(await list({ resolved: 'false' })), ['dep_3', 'dep_1']);
  assert.deepEqual(about(await list({ resolved: 'true' })), ['dep_2']);
  const one = await list({ deployment_id: 'dep_1' });
  assert.deepEqual([about(one), one.open], [['dep_1'], 1]);
  const first = await list({ limit: '2' });
  assert.deepEqual([about(first), first.open], [['dep_3', 'dep_2'], 2]);
  assert.deepEqual(about(await list({ limit: '2', cursor: first.next_cursor })), ['dep_1']);
  assert.deepEqual(await list({}, bob), { alerts: [], next_cursor: null, open: 0 });
  await assert.rejects(handlers.resolve({ id: first.alerts[0]!.id }, calledBy(bob)), { code: 'alert_not_found' });
  assert.equal((await list({})).open, 2, 'another team resolves nothing');
});
