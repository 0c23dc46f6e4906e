import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@paddock/contract';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { zip } from '../../apps/server/test/archives.ts';
import { type Platform, reaches, until } from '../../apps/server/test/platform.ts';
import { counterAgent } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { dieAt, newProject, sharedWorld, type World } from '../world.ts';

/** kill -9 of the server before and after each durable step of an upload (F1, F2). */
const moments: [point: string, when: string, short: boolean][] = [
  ['upload-streaming', 'while the archive arrives', false],
  ['upload-stored', 'when the archive is stored and nothing else', false],
  ['request-noted', 'when the request is noted', false],
  ['deployment-committed', 'when the deployment is committed and not answered', true],
  ['request-done', 'when the work is done and its answer not noted', false],
  ['answer-noted', 'when the answer is noted and not sent', false],
];

export const faults: Fault[] = moments.map(([point, when, short]) => ({
  id: `server-killed-${point}`,
  fault: `kill -9 of the server ${when}`,
  expected: 'the same request again makes one deployment, which becomes active; what the cut one left is swept',
  short,
  failpoints: [point],
  async run() {
    const world = await sharedWorld();
    const { id: project_id } = await newProject(world, point);
    const [file, idempotency_key] = [zip(counterAgent(point)), randomUUID()];
    const upload = () => world.api.deployments.create({ project_id, file, file_name: 'agent.zip' }, { idempotency_key });
    await dieAt(world, point, upload);
    const begun = performance.now();
    const made = await againUntilAnswered(upload);
    const waitedMs = Math.round(performance.now() - begun);
    const { deployments } = await world.api.deployments.list({ project_id });
    assert.deepEqual(
      deployments.map(({ id }) => id),
      [made.id],
      'one deployment',
    );
    await reaches(world.api, made.id, ['active']);
    world.acknowledged.push({ what: made.id, read: (api) => api.deployments.get({ id: made.id }) });
    const orphans = await sweepNow(world);
    const steady = await checkInvariants(world);
    await world.api.projects.delete({ id: project_id });
    world.acknowledged.splice(-2);
    return `the repeated request was answered after ${waitedMs} ms, one deployment, active; ${orphans} orphaned archives swept; ${steady}`;
  },
}));

/** Retries while the request is still in progress, as a client does. */
export async function againUntilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'request_in_progress' || tries === 10) throw error;
      await sleep(1000);
    }
  }
}

/** Makes periodic jobs due, for all keys of each name. They run within a second. */
export async function runJobsNow(sql: Sql, ...names: string[]) {
  const rows = await sql<{ job: string }[]>`
    update periodic_jobs set next_run_at = now() where split_part(name, '@', 1) in ${sql(names)} returning split_part(name, '@', 1) as job`;
  const missing = names.filter((name) => !rows.some(({ job }) => job === name));
  assert.deepEqual(missing, [], 'there are jobs of these names');
}

/** Makes the store's files look ten minutes old and the sweep due, so that only archives of deployments remain. Returns how many were removed. */
export async function sweepNow({ paddock, sql }: World): Promise<number> {
  const before = archivesOf(paddock).length;
  const old = new Date(Date.now() - 600_000);
  for (const name of archivesOf(paddock)) utimesSync(join(paddock.dataDir, 'blobs', name), old, old);
  await runJobsNow(sql, 'blob.sweep');
  const used = async () =>
    (await sql<{ source_blob: string }[]>`select distinct source_blob from deployments`).map((row) => row.source_blob).sort();
  await until('only archives of deployments are left', async () => String(archivesOf(paddock)) === String(await used()));
  return before - archivesOf(paddock).length;
}

/** All files in the store, complete or not, except the one that names the store. */
export const archivesOf = ({ dataDir }: Pick<Platform, 'dataDir'>): string[] =>
  readdirSync(join(dataDir, 'blobs'))
    .filter((name) => name !== '.store')
    .sort();
