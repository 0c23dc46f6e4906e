import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { hourMs } from '@paddock/contract/time';
import { deploy, reaches, type Scope, until } from '../../apps/server/test/platform.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { slow } from '../store-world.ts';
import { startWorld } from '../world.ts';
import { runJobsNow } from './upload.ts';

/** Sets the server's clock during a deployment, first one way, then the other. */
async function clockSet(scope: Scope) {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-clock-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'shift');
  const clock = pathToFileURL(join(import.meta.dirname, '../shifted-clock.ts')).href;
  const world = await startWorld(scope, { CLOCK_SHIFT: file }, { execArgv: ['--import', clock] });
  const { api, sql } = world;
  const { id: project_id } = await api.projects.create({ name: 'moving' });
  const seen: string[] = [];
  for (const shift of [hourMs, -hourMs]) {
    const made = await deploy(api, project_id, slow);
    await until('it builds', async () => (await api.deployments.get({ id: made.id })).status === 'building');
    writeFileSync(file, String(shift));
    await reaches(api, made.id, ['active']);
    const [row] = await sql<{ fence: number; restarts: number }[]>`
      select fence, cardinality(restart_times) as restarts from deployments where id = ${made.id}`;
    assert.deepEqual({ ...row }, { fence: 1, restarts: 0 }, 'the lease was kept');
    const [session] = await sql<{ live: boolean }[]>`select bool_and(expires_at > now()) as live from sessions`;
    assert.equal(session?.live, true);
    await runJobsNow(sql, 'blob.sweep', 'session.sweep', 'log.partition');
    await sleep(2500);
    const again = await api.deployments.redeploy({ id: made.id }); // its archive was not swept
    await reaches(api, again.id, ['active']);
    await api.deployments.stop({ id: again.id });
    await until('its process has ended', async () => {
      const rows = await sql`select 1 from deployments where id = ${again.id} and instance_id is not null`;
      return rows.length === 0;
    });
    seen.push(`${shift > 0 ? '+' : '−'}1 h`);
  }
  return `${seen.join(', ')}: leases, sessions and archives kept, deployed, redeployed and stopped as ever; ${await checkInvariants(world)}`;
}

export const faults: Fault[] = [
  {
    id: 'clock-set',
    fault: "F36: the server's clock is set an hour ahead and an hour back in the middle of deployments",
    expected: 'no lease is lost or stuck, nobody is signed out, nothing is swept, agents run on',
    run: (_seed, scope) => clockSet(scope),
  },
];
