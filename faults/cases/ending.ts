import assert from 'node:assert/strict';
import { ApiError } from '@paddock/contract';
import { deploy, reaches, until } from '../../apps/server/test/platform.ts';
import { counterAgent } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { dieAt, newProject, sharedWorld } from '../world.ts';
import { sweepNow } from './upload.ts';

/** kill -9 of the server while an agent's exit is recorded. */
const endings: [point: string, when: string, short?: 'short'][] = [
  ['exit-noted', 'when the end of a stopped agent is noted and its network still there'],
  ['end-stored', 'when all output of a stopped agent is stored'],
  ['instance-removed', 'when a stopped agent is removed and its log still open', 'short'],
  ['offsets-forgotten', 'when a stopped agent is forgotten'],
];

/** kill -9 of the server between the steps of a project's deletion (F9). */
const deletions: [point: string, when: string, short?: 'short'][] = [
  ['project-marked', 'when a project is marked for deletion and that not answered'],
  ['project-ended', 'when the agents of a deleted project are to end'],
  ['project-logs-removed', 'when the logs of a deleted project are gone', 'short'],
  ['project-row-removed', 'when a deleted project is gone and its code still there'],
];

const stopped = ([point, when, short]: (typeof endings)[number]): Fault => ({
  id: `server-killed-${point}`,
  fault: `kill -9 of the server ${when}`,
  expected: 'the deployment stays stopped, nothing of its process is left, and its log is complete and says so',
  short: short !== undefined,
  failpoints: [point],
  async run() {
    const world = await sharedWorld();
    const { id: project_id } = await newProject(world, point);
    const { id } = await deploy(world.api, project_id, counterAgent(point));
    await reaches(world.api, id, ['active']);
    await dieAt(world, point, () => world.api.deployments.stop({ id }));
    const after = await world.api.deployments.get({ id });
    assert.equal(after.status, 'stopped');
    await until(
      'the log is complete',
      async () => (await world.sql`select 1 from log_offsets where deployment_id = ${id}`).length === 0,
      20,
    );
    const steady = await checkInvariants(world);
    await world.api.projects.delete({ id: project_id });
    world.acknowledged.pop();
    return `stopped, log complete, no process, network or control group left; ${steady}`;
  },
});

const deleted = ([point, when, short]: (typeof deletions)[number]): Fault => ({
  id: `server-killed-${point}`,
  fault: `kill -9 of the server ${when}`,
  expected: 'the deletion comes to its end by itself: no agent, address, log, archive or row is left',
  short: short !== undefined,
  failpoints: [point],
  async run() {
    const world = await sharedWorld();
    const { id: project_id, host } = await newProject(world, point);
    const { id } = await deploy(world.api, project_id, counterAgent(point));
    await reaches(world.api, id, ['active']);
    const [row] = await world.sql<{ source_blob: string }[]>`select source_blob from deployments where id = ${id}`;
    world.acknowledged.pop();
    // A deletion left over from an earlier case would reach the failpoint before this one does.
    await until(
      'nothing else is being deleted',
      async () => (await world.sql`select 1 from projects where deleting_at is not null`).length === 0,
      60,
    );
    await dieAt(world, point, () => world.api.projects.delete({ id: project_id }));
    const begun = performance.now();
    await assert.rejects(
      world.api.projects.get({ id: project_id }),
      (error) => error instanceof ApiError && error.code === 'project_not_found',
    );
    const left = async () => [
      ...(await world.sql`select 1 from projects where id = ${project_id}`),
      ...(await world.sql`select 1 from deployments where id = ${id}`),
      ...(await world.sql`select 1 from log_lines where deployment_id = ${id}`),
      ...(await world.sql`select 1 from routes where project_id = ${project_id}`),
      ...(await world.sql`select 1 from variables where project_id = ${project_id}`),
      ...(await world.sql`select 1 from log_offsets where deployment_id = ${id}`),
    ];
    await until('no row is left', async () => (await left()).length === 0);
    const goneMs = Math.round(performance.now() - begun);
    await sweepNow(world);
    assert.ok(row);
    assert.notEqual((await world.paddock.visit(host)).body, point);
    return `everything gone ${goneMs} ms after the start; ${await checkInvariants(world)}`;
  },
});

/** kill -9 of the server after an account is deleted and before the response (R56). */
const leaving: Fault = {
  id: 'server-killed-account-deleted',
  fault: 'kill -9 of the server when an account is deleted and that not answered',
  expected: 'nobody gets in with it any more, and the agents, addresses, logs and rows of its team go by themselves',
  short: false,
  failpoints: ['account-deleted'],
  async run() {
    const world = await sharedWorld();
    const email = `leaving-${Date.now()}@example.com`;
    const { api } = await world.paddock.person(email);
    const { id: project_id } = await api.projects.create({ name: 'leaving' });
    const { id } = await deploy(api, project_id, counterAgent('leaving'));
    await reaches(api, id, ['active']);
    const [team] = await world.sql<{ team_id: string }[]>`select team_id from projects where id = ${project_id}`;
    const team_id = team?.team_id ?? '';
    await dieAt(world, 'account-deleted', () => api.profile.deleteAccount({ password: 'correct horse', confirmation: email }));
    const begun = performance.now();
    await assert.rejects(api.accounts.me(), (error) => error instanceof ApiError && error.code === 'not_signed_in');
    const left = async () => [
      ...(await world.sql`select 1 from teams where id = ${team_id}`),
      ...(await world.sql`select 1 from users where email = ${email}`),
      ...(await world.sql`select 1 from projects where team_id = ${team_id}`),
      ...(await world.sql`select 1 from deployments where team_id = ${team_id}`),
      ...(await world.sql`select 1 from log_lines where deployment_id = ${id}`),
      ...(await world.sql`select 1 from routes where team_id = ${team_id}`),
      ...(await world.sql`select 1 from api_keys where team_id = ${team_id}`),
    ];
    await until('no row is left', async () => (await left()).length === 0);
    const goneMs = Math.round(performance.now() - begun);
    await sweepNow(world);
    return `everything gone ${goneMs} ms after the start; ${await checkInvariants(world)}`;
  },
};

export const faults: Fault[] = [...endings.map(stopped), ...deletions.map(deleted), leaving];
