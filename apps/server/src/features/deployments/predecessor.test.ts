import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, type Platform, reaches, startPlatform, until } from '../../../test/platform.ts';
import { isEarlyExit, predecessorGraceSeconds } from './predecessor.ts';

/** Replaces the first minute. */
const trialS = 25;
let shared: Promise<Platform> | undefined;
const platform = () => (shared ??= startPlatform(undefined, { PADDOCK_TRIAL_S: String(trialS) }));

async function project(name: string) {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name });
  return { paddock, api, id, host: `${name}.localhost` };
}

const serves = (text: string) =>
  `require('http').createServer((q, r) => { r.end('${text} ' + process.pid); if (q.url === '/crash') setTimeout(() => process.exit(7), 50) }).listen(process.env.PORT);`;
const dies = (ms: number) => `setTimeout(() => { console.error('no more tokens'); process.exit(3) }, ${ms});`;
/** Deployed before the first test, so that its first minute is over when its own test begins. */
let aging: Awaited<ReturnType<typeof project>> & { made: string };
before(async () => {
  const own = await project('later-crash');
  aging = { ...own, made: (await deploy(own.api, own.id, { 'server.js': serves('up') })).id };
});
const lastWords = /^Start failed: the agent exited with code 3\. .*first minute.*Last lines:\nno more tokens/s;

test('a web agent that crashes in its first minute has failed to start, and the very process before it serves again', async () => {
  const { paddock, api, id, host } = await project('back-again');
  const first = await deploy(api, id, { 'server.js': serves('one') });
  await reaches(api, first.id, ['active']);
  const before = (await paddock.visit(host)).body;
  // It exits 3 s after the first request, at which it counts as ready.
  const second = await deploy(api, id, {
    'server.js': `require('http').createServer((q, r) => { r.end('two'); ${dies(3000)} }).listen(process.env.PORT)`,
  });
  await reaches(api, second.id, ['active', 'failed']);
  const failed = await reaches(api, second.id, ['failed']).catch(() => api.deployments.get({ id: second.id }));
  assert.equal(failed.status, 'failed', 'not active, and not restarted');
  assert.match(failed.error_message ?? '', lastWords);
  assert.deepEqual([failed.failed_stage, failed.restarts], ['deploying', 0]);
  await until('the one before answers', async () => (await paddock.visit(host)).body === before);
  const again = await api.deployments.get({ id: first.id });
  assert.deepEqual([again.status, again.is_current, again.ended_at, again.url === null], ['active', true, null, false]);
  const own = new URL(again.deployment_url!).host;
  await until('its own address answers as well', async () => (await paddock.visit(own)).body === before);
  await sleep(1500); // several supervisor turns: the restored deployment is not touched
  assert.equal((await paddock.visit(host)).body, before);
  const third = await deploy(api, id, { 'server.js': serves('three') });
  await reaches(api, third.id, ['active']);
  await until('the third one answers', async () => (await paddock.visit(host)).body.startsWith('three'));
});

test('a worker that dies some seconds after it was active has failed to start, and the address goes back to the web agent before it', async () => {
  const { paddock, api, id, host } = await project('worker-dies');
  await reaches(api, (await deploy(api, id, { 'server.js': serves('web') })).id, ['active']);
  const before = (await paddock.visit(host)).body;
  const worker = await deploy(api, id, {
    'main.js': `setInterval(() => 1, 1000); ${dies(9000)}`,
    'paddock.yaml': 'type: worker\nstart: node main.js\n',
  });
  assert.equal((await reaches(api, worker.id, ['active'])).agent_type, 'worker');
  const failed = await reaches(api, worker.id, ['failed']).catch(() => api.deployments.get({ id: worker.id }));
  assert.match(failed.error_message ?? '', lastWords);
  await until('the one before answers', async () => (await paddock.visit(host)).body === before);
});

test('a first deployment that crashes in its first minute ends as failed with its message, and its address says so', async () => {
  const { paddock, api, id, host } = await project('nothing-before');
  const made = await deploy(api, id, { 'server.js': serves('up') });
  await reaches(api, made.id, ['active']);
  // An exit during protocol detection does not fail the deployment.
  await until('it was asked what it speaks', async () => (await api.deployments.get({ id: made.id })).protocols !== null);
  await paddock.visit(host, '/crash');
  const failed = await reaches(api, made.id, ['failed']);
  assert.match(failed.error_message ?? '', /^Start failed: the agent exited with code 7\./);
  await until('its address says so', async () => (await paddock.visit(host)).status === 502);
});

test('after its first minute a crash is restarted, as are all later ones', async () => {
  const { paddock, api, made: id, host } = aging;
  const { deployed_at } = await reaches(api, id, ['active']);
  await sleep(Math.max(0, Date.parse(deployed_at ?? '') + (trialS + 3) * 1000 - Date.now()));
  await paddock.visit(host, '/crash');
  await until('the crash is counted', async () => (await api.deployments.get({ id })).restarts === 1);
  await until('it answers again', async () => (await paddock.visit(host)).body.startsWith('up'));
});

test('the first minute counts by the clock of the database, and by the hour of death where nobody looked', () => {
  const at = (second: number) => new Date(Date.UTC(2030, 0, 1) + second * 1000).toISOString();
  const exit = (second: number) => ({ code: 1, signal: null, oom: false, disk_full: false, at: at(second) });
  const judged = (asked: number, died: number) => isEarlyExit({ deployed_at: at(0), asked_at: at(asked) }, exit(died), 60);
  assert.equal(judged(20, 19), true);
  assert.equal(judged(400, 20), true, 'the server was away for a while');
  assert.equal(judged(400, 100), false);
  assert.equal(judged(4000, -3000), false, 'the clock of the machine went back');
  assert.equal(judged(30, 5000), true, 'it went ahead');
  assert.equal(isEarlyExit({ deployed_at: null, asked_at: at(1) }, exit(1), 60), false);
  const ended = { ...exit(19), code: null, signal: 'SIGTERM' };
  assert.equal(isEarlyExit({ deployed_at: at(0), asked_at: at(20) }, ended, 60), false, 'somebody ended it');
  assert.deepEqual([predecessorGraceSeconds(30, 0), predecessorGraceSeconds(30, 60), predecessorGraceSeconds(30, 5)], [30, 70, 30]);
});
