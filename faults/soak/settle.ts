import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { deploy, type Platform, reaches, until } from '../../apps/server/test/platform.ts';
import type { Api } from '../../apps/server/test/server.ts';
import { agentFiles } from './agents.ts';
import { ageFiles } from './disk.ts';
import { ageRows } from './rows.ts';

/** Agents end (10 s of grace) and projects are removed long before this, even those with millions of log lines. */
const goneSeconds = 900;
/** The server reports its heap every 10 s. */
const heapMs = 25_000;

/** Deploys and deletes one agent of each language, so that everything loaded and cached at first use is there before the first sample. */
export async function warmUp(platform: Platform, api: Api) {
  for (const language of ['node', 'python'] as const) {
    const { id, url } = await api.projects.create({ name: `warm-${language}` });
    const made = await deploy(api, id, agentFiles(language, `warm-${language}`));
    await reaches(api, made.id, ['active']);
    for (let n = 0; n < 200; n++) await platform.visit(new URL(url).host);
    await api.projects.delete({ id });
  }
}

/** Waits until deleted projects are gone, then makes the rest old enough for the sweeps and waits for those. */
export async function comeToRest(platform: Platform, sql: Sql) {
  await until('all deleted projects are gone', async () => (await sql`select 1 from projects limit 1`).length === 0, goneSeconds);
  await sleep(3000); // a gateway writes its figures once a second; agents are ended and removed within two polls
  await ageFiles(platform.dataDir);
  await ageRows(sql);
  const [{ now }] = await sql<[{ now: string }]>`select clock_timestamp() as now`;
  await until(
    'all sweeps ran',
    async () => (await sql`select 1 from periodic_jobs where last_run_at is null or last_run_at < ${now}`).length === 0,
    goneSeconds,
  );
  for (const { last_error, name } of await sql<{ last_error: string | null; name: string }[]>`select name, last_error from periodic_jobs`)
    if (last_error) throw new Error(`the sweep ${name} failed: ${last_error}`);
  await sql`vacuum full`;
  await sleep(heapMs);
}
