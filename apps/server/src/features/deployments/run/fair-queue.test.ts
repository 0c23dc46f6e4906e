import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { zip } from '../../../../test/archives.ts';
import { deploy, type Platform, reaches, startPlatform, until } from '../../../../test/platform.ts';
import { startApi } from '../../../../test/server.ts';
import { transitions } from '../transitions.ts';
import { createWorkerSlots } from './worker-slots.ts';

const answering = { 'server.js': "require('http').createServer((_, response) => response.end('here')).listen(process.env.PORT)" };
/** Never responds, so that the start waits for its whole budget. */
const mute = {
  'server.js': "require('net').createServer(() => {}).listen(process.env.PORT)",
  'paddock.yaml': 'type: web\nstart_budget: 300\n',
};
const building = {
  'server.js': answering['server.js'],
  'paddock.yaml': 'type: web\nstart: node server.js\nbuild: node -e "setTimeout(() => 1, 300000)"\n',
};

let shared: Promise<Platform> | undefined;
const platform = () => (shared ??= startPlatform(undefined));

async function team(name: string) {
  const { api } = await (await platform()).person();
  const { id } = await api.projects.create({ name });
  const states = async () => (await api.deployments.list({ project_id: id })).deployments.map((one) => one.status);
  return { api, id, states };
}

test("agents that never answer keep nobody's deployments waiting, their own team's neither", async () => {
  const [silent, other] = [await team('never-answers'), await team('beside-silence')];
  for (let n = 0; n < 3; n++) await deploy(silent.api, silent.id, mute);
  await until('all three are waited for', async () => (await silent.states()).filter((one) => one === 'deploying').length === 3);
  await reaches(other.api, (await deploy(other.api, other.id, answering)).id, ['active']);
  const own = await silent.api.projects.create({ name: 'answers-beside' });
  await reaches(silent.api, (await deploy(silent.api, own.id, answering)).id, ['active']);
  await silent.api.projects.delete({ id: silent.id });
});

test("long builds of one team leave room for another team's", async () => {
  const [long, other] = [await team('builds-for-long'), await team('beside-builds')];
  for (let n = 0; n < 4; n++) await deploy(long.api, long.id, building);
  await until('two are built', async () => (await long.states()).filter((one) => one === 'building').length === 2);
  await reaches(other.api, (await deploy(other.api, other.id, answering)).id, ['active']);
  assert.deepEqual((await long.states()).sort(), ['building', 'building', 'queued', 'queued'], 'the room left is not for the same team');
  await long.api.projects.delete({ id: long.id });
});

test('an archive that cannot be planned fails at once, and others show their plan, while builds take every seat', async () => {
  const { api, id, states } = await team('waits-for-builds');
  for (let n = 0; n < 2; n++) await deploy(api, id, building);
  await until('two are built', async () => (await states()).filter((one) => one === 'building').length === 2);
  const failed = await reaches(api, (await deploy(api, id, { 'data.csv': '1' })).id, ['failed']);
  assert.equal(failed.failed_stage, 'building');
  assert.match(failed.error_message ?? '', /^Build failed while finding out what it is: Nothing in the archive says what it is/);
  const good = await deploy(api, id, answering);
  await until('its plan is there', async () => (await api.deployments.get({ id: good.id })).plan !== null);
  const { status, plan } = await api.deployments.get({ id: good.id });
  assert.deepEqual([status, plan?.start], ['queued', ['node', '--', 'server.js']]);
  assert.deepEqual((await states()).sort(), ['building', 'building', 'failed', 'queued']);
  await api.deployments.cancel({ id: good.id });
  await reaches(api, good.id, ['stopped']);
  await api.projects.delete({ id });
});

test('an agent is ready that answers with as large a head as the gateway takes', async () => {
  const { api, id } = await team('large-head');
  const large = `require('http').createServer((_, response) => response.setHeader('x-large', 'a'.repeat(50_000)).end('here')).listen(process.env.PORT)`;
  await reaches(api, (await deploy(api, id, { 'server.js': large })).id, ['active']);
  const { gatewayPort: port } = await platform();
  const call = get({ port, headers: { host: 'large-head.localhost' }, agent: false, maxHeaderSize: 2 ** 17 });
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  assert.deepEqual([answer.statusCode, answer.headers['x-large']?.length, await text(answer)], [200, 50_000, 'here']);
});

test('teams take turns: who has fewer under way comes first, then who waited longer', async (t) => {
  const { sql, person } = await startApi(t);
  const one = transitions(sql, { owner: 'one', node: 'here' });
  const queue = async (name: string) => {
    const { api } = await person();
    const { id: project_id } = await api.projects.create({ name });
    return async () => (await api.deployments.create({ project_id, file: zip(answering), file_name: 'a.zip' })).id;
  };
  const [many, few] = [await queue('has-many'), await queue('has-few')];
  const ids = [await many(), await many(), await many(), await few(), await few()];
  const room = createWorkerSlots(1);
  const claimed: string[] = [];
  for (const _ of ids) {
    const d = await one.claim('all', { turn: room.next().turn, held: claimed });
    assert.ok(d);
    claimed.push(d.id);
    room.take(d);
    room.leave(d.id);
  }
  assert.deepEqual(claimed, [ids[0], ids[3], ids[1], ids[4], ids[2]]);
});

test('a worker has room for restarts beside builds, and in the end for nothing', () => {
  const room = createWorkerSlots(2);
  const take = (count: number, team_id: string, status: 'queued' | 'active') => {
    for (let n = 0; n < count; n++) room.take({ id: `${team_id}-${status}-${n}`, team_id, status });
  };
  assert.equal(room.next().what, 'all');
  take(2, 'busy', 'queued');
  assert.deepEqual([room.next().what, room.next().turn.not_built], ['all', ['busy', 'busy']]);
  take(2, 'new', 'queued');
  assert.equal(room.next().what, 'restarts', 'what is left for builds of other teams is taken, too');
  room.built('busy-queued-0');
  assert.equal(room.next().what, 'all');
  take(15, 'crashing', 'active');
  const { turn } = room.next();
  assert.deepEqual([turn.not_started.includes('crashing'), turn.not_built.includes('crashing')], [true, true]);
  take(16, 'others', 'active');
  assert.equal(room.next().what, 'nothing');
});
