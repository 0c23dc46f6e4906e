import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelWorld } from '../../../../../test/channels.ts';
import { until } from '../../../../../test/platform.ts';
import { noReserve } from '../../../../disk/reserve.ts';
import { startPeriodicJobs } from '../../../../jobs/periodic.ts';
import { createLog } from '../../../../log.ts';
import type { Control } from '../control.ts';
import { incidentControl } from './inc-01-incidents.ts';

const hour = 3_600_000;
const never = new AbortController().signal;

test('a critical alert that is open for longer than 72 hours fails until somebody resolves it', async (t) => {
  const world = await channelWorld(t);
  const { sql, features } = world;
  const [team, other] = [await world.team(), await world.team()];
  const at = (now: number): Control => incidentControl({ sql, now: () => now });
  const look = async (now = Date.now(), team_id = team.team_id) => {
    const control = at(now);
    assert.ok(control.of === 'team');
    return control.check(team_id, never);
  };

  assert.match((await look()).resources[0]?.finding ?? '', /The job that opens alerts has not run/);
  const jobs = startPeriodicJobs({ sql, jobs: features.rules.jobs, reserve: noReserve, log: createLog('error', process.stderr) });
  t.after(() => jobs.close());
  await until('the rules are judged', async () => (await look()).resources.length === 0);

  await world.happen(team.team_id, 'The disk is full.');
  const young = await look();
  assert.deepEqual(
    young.resources.map((one) => one.status),
    ['passed'],
  );
  const old = await look(Date.now() + 73 * hour);
  assert.equal(old.resources[0]?.status, 'failed');
  assert.match(old.resources[0]?.finding ?? '', /^A critical alert is open for 73 hours; GDPR Art\. 33\(1\) allows 72: /);
  assert.equal(old.resources[0]?.fix?.path, '/dashboard');
  assert.deepEqual(
    (await look(Date.now() + 73 * hour, other.team_id)).resources.map((one) => one.status),
    ['unverified'],
  );

  const [alert] = (await team.api.alerts.list()).alerts;
  await team.api.alerts.resolve({ id: alert?.id ?? '' });
  assert.deepEqual((await look()).resources, []);
});
