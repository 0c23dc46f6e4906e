import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { deploy, reaches, startPlatform, until } from '../../apps/server/test/platform.ts';
import { built } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { newProject, startWorld } from '../world.ts';

/** A worker is suspended past its lease while another one takes over, and is then resumed. */
const moments: [point: string, when: string][] = [
  ['built', 'when it has built'],
  ['agent-started', 'when it has started the agent'],
  ['ready', 'when it is about to swap'],
];

export const faults: Fault[] = moments.map(([point, when]) => ({
  id: `lease-lost-${point}`,
  fault: `SIGSTOP of a worker ${when}, until its lease has ended and another worker has gone on, then SIGCONT`,
  expected: 'the other worker finishes the deployment under its id, and the late one changes nothing',
  failpoints: [point],
  async run(_seed, scope) {
    // The long node timeout keeps both from declaring the other dead: node takeover is a promise of its own.
    const both = { PADDOCK_SECRET_KEY: randomBytes(32).toString('base64'), PADDOCK_NODE_TIMEOUT_S: '600' };
    const world = await startWorld(scope, both);
    const { paddock, sql, points } = world;
    const { id: project_id, host } = await newProject(world, 'leased');
    points.arm(point, { do: 'stop' });
    const { id } = await deploy(world.api, project_id, built('leased', 0));
    await until('the worker sleeps', async () => points.hits(point) > 0);
    const begun = performance.now();
    const second = {
      ...both,
      PADDOCK_BLOB_URL: pathToFileURL(join(paddock.dataDir, 'blobs')).href,
      PADDOCK_ROLE: 'worker',
      PADDOCK_AGENTS_ON_EXIT: 'keep',
    };
    await startPlatform(scope, second, { databaseUrl: paddock.databaseUrl });
    const row = async () => (await sql<{ status: string; fence: number }[]>`select status, fence from deployments where id = ${id}`)[0]!;
    await until('the other worker has finished', async () => (await row()).status === 'active');
    const tookMs = Math.round(performance.now() - begun);
    const before = await row();
    paddock.signal('SIGCONT');
    await sleep(3000);
    assert.deepEqual(await row(), before, 'the late one changes nothing');
    const active = await reaches(world.api, id, ['active']);
    assert.equal(active.restarts, 0);
    await until('it answers', async () => (await paddock.visit(host)).body === 'leased');
    const ready = await sql`select 1 from log_lines where deployment_id = ${id} and message like 'Ready on port%'`;
    assert.equal(ready.length, 1, 'said to be ready once');
    world.before.connections += 30; // the second worker's connections
    return `active ${Math.round(tookMs / 1000)} s after the first worker fell asleep, fence ${before.fence}; the late one changed nothing; ${await checkInvariants(world)}`;
  },
}));
