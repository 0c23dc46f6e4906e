import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { deploy, type Platform, reaches, until } from '../../apps/server/test/platform.ts';
import type { Api } from '../../apps/server/test/server.ts';
import { agentFiles } from './agents.ts';
import { ageFiles } from './disk.ts';
import { ageRows } from './rows.ts';

/** The end of agents (10 s of grace) and the removal of projects are over long before, also of those whose logs have millions of lines. */
const goneSeconds = 900;
/** The server tells its heap every 10 s. */
const heapMs = 25_000;

/** Lets one agent of each language come and go, so that what is loaded and cached at the first use is there at the start already. */
export async function warmUp(platform: Platform, api: Api) {
  for (const language of ['node', 'python'] as const) {
    const { id, url } = await api.projects.create({ name: `warm-${language}` });
    const made = await deploy(api, id, agentFiles(language, `warm-${language}`));
    await reaches(api, made.id, ['active']);
    for (let n = 0; n < 200; n++) await platform.visit(new URL(url).host);
    await api.projects.delete({ id });
  }
}

/** Waits until deleted projects are gone, then makes what is left old enough for the sweeps and waits for those. */
export async function comeToRest(platform: Platform, sql: Sql) {
  await until('all deleted projects are gone', async () => (await sql`select 1 from projects limit 1`).length === 0, goneSeconds);
  await sleep(3000); // a gateway writes its figures once a second, agents are ended and removed within two looks
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
