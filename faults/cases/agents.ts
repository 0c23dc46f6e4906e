import assert from 'node:assert/strict';
import { join } from 'node:path';
import { deploy, reaches, until } from '../../apps/server/test/platform.ts';
import { readSupervisor, sandboxFolder } from '../../packages/runtime/src/process/records/records.ts';
import { counterAgent } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { newProject, sharedWorld } from '../world.ts';

const server = (listen: string, before = '') => ({
  'server.js': `${before}\nconst server = require('http').createServer((q, r) => r.end('here'));\n${listen}`,
});

const supervisor: Fault = {
  id: 'agent-supervisor-killed',
  fault: 'kill -9 of the process that supervises an agent',
  expected: 'the agent is ended as a whole and started again, no crash is counted, nothing is left over',
  async run() {
    const world = await sharedWorld();
    const { id: project_id, host } = await newProject(world, 'orphaned');
    const { id } = await deploy(world.api, project_id, counterAgent('here'));
    await reaches(world.api, id, ['active']);
    const born = (await world.paddock.visit(host, '/born')).body;
    const [row] = await world.sql<{ instance_id: string }[]>`select instance_id from deployments where id = ${id}`;
    const found = readSupervisor(sandboxFolder(join(world.paddock.dataDir, 'runtime/instances'), row!.instance_id));
    process.kill(found!.pid, 'SIGKILL');
    const begun = performance.now();
    await until('another process answers', async () => {
      const { status, body } = await world.paddock.visit(host, '/born');
      return status === 200 && body !== born;
    });
    const awayMs = Math.round(performance.now() - begun);
    assert.equal((await world.api.deployments.get({ id })).restarts, 0);
    const steady = await checkInvariants(world);
    await world.api.projects.delete({ id: project_id });
    world.acknowledged.pop();
    return `another process answered after ${awayMs} ms; nothing left of the first; ${steady}`;
  },
};

const ways: [name: string, fault: string, expected: string, files: Record<string, string>, check: 'active' | RegExp, short?: 'short'][] = [
  [
    'listens-on-ipv6-loopback',
    'an agent that listens on [::1] alone',
    'it is reached all the same, or told what to change',
    { ...server(`server.listen(process.env.PORT, '::1')`), 'paddock.yaml': 'type: web\nstart_budget: 5\n' },
    /listens on \[::1\]:8080 alone.*0\.0\.0\.0/,
  ],
  [
    'listens-late',
    'an agent that listens after 8 s',
    'active',
    server('setTimeout(() => server.listen(process.env.PORT), 8000)'),
    'active',
  ],
  [
    'listens-too-late',
    'an agent that listens after its budget of 3 s',
    'failed with what to do, its process ended',
    { ...server('setTimeout(() => server.listen(process.env.PORT), 60000)'), 'paddock.yaml': 'type: web\nstart_budget: 3\n' },
    /did not listen on any port within 3 s/,
  ],
  [
    'killed-by-signal',
    'an agent that is ended by a signal at its start',
    'failed, naming the signal',
    server(`process.kill(process.pid, 'SIGKILL')`),
    /SIGKILL/,
  ],
  ['aborts', 'an agent that aborts at its start', 'failed, naming the signal', server('process.abort()'), /SIGABRT/],
];

const starting = ([name, fault, expected, files, check]: (typeof ways)[number]): Fault => ({
  id: `agent-${name}`,
  fault,
  expected,
  async run() {
    const world = await sharedWorld();
    const { id: project_id, host } = await newProject(world, name);
    const made = await deploy(world.api, project_id, files);
    const ended = await reaches(world.api, made.id, ['active', 'failed']);
    const says = ended.error_message?.split('\n')[0] ?? '';
    if (check === 'active') assert.equal(ended.status, 'active', says);
    if (ended.status === 'active') await until('it answers', async () => (await world.paddock.visit(host)).body === 'here');
    else assert.match(says, check as RegExp);
    return `${ended.status}${says && `: ${says.slice(0, 160)}`}; ${await checkInvariants(world)}`;
  },
});

const stubborn: Fault = {
  id: 'agent-ignores-sigterm',
  fault: 'an agent that ignores SIGTERM and has children that do',
  expected: 'it is ended with all of them after the grace time of 10 s',
  async run() {
    const world = await sharedWorld();
    const { id: project_id } = await newProject(world, 'stubborn');
    const { id } = await deploy(
      world.api,
      project_id,
      server(
        'server.listen(process.env.PORT)',
        `process.on('SIGTERM', () => 0); require('child_process').spawn('sh', ['-c', "trap '' TERM; while :; do sleep 1; done"], { detached: true });`,
      ),
    );
    await reaches(world.api, id, ['active']);
    const begun = performance.now();
    await world.api.deployments.stop({ id });
    const steady = await checkInvariants(world);
    return `everything of it was gone within ${Math.round((performance.now() - begun) / 1000)} s; ${steady}`;
  },
};

export const faults: Fault[] = [supervisor, ...ways.map(starting), stubborn];
