import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { frameworkIds } from '@paddock/contract';
import { strToU8, zipSync } from 'fflate';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { inDatabase } from '../database.ts';
import { writeRecords } from '../governed/records.ts';
import { makeAdvisories, makeDatabases, makeDeployments, makeKeys, makeTelemetry, type Team } from '../governed/rows.ts';
import type { Latency } from '../load/paced.ts';
import { startLoad } from '../load/program.ts';
import { inFolder, quantile } from '../measure.ts';
import { type Api, type Paddock, startPaddock } from '../paddock.ts';
import { below, beside, type Row } from '../row.ts';

const records = Number(process.env.PADDOCK_BENCH_COMPLIANCE_RECORDS ?? 1_000_000);
const projects = 100;
const keys = 1_000;
const variablesOfEach = 20;
const advisories = 20_000;
/** Rate of the neighbour's visits, and duration of each measurement of them. */
const perSecond = 200;
const windowSeconds = 3;
const windowsBefore = 8;
const rounds = 3;
const checkMs = 180_000;

/** All frameworks at once, for a team with many rows, while a neighbour's sandboxed agent answers visitors through the gateway. */
export const row: Row = {
  name: 'compliance',
  seconds: 450,
  run: (report) =>
    inFolder((folder) =>
      inDatabase(async (sql, url) => {
        const osv = makeAdvisories(join(folder, 'advisories.jsonl'), advisories);
        const paddock = await startPaddock({ PADDOCK_DATABASE_URL: url, PADDOCK_OSV_DATABASE: osv });
        try {
          const host = await deployNeighbour(paddock);
          const team_id = await fill(paddock, sql);
          const visitors = { port: paddock.gatewayPort, hosts: [host], perSecond, connections: 16, tellsTimes: true };
          const [before, during, seconds]: [Window[], Window[], number[]] = [[], [], []];
          for (let round = 0; round < rounds; round++) {
            before.push(await looked(visitors, (windows) => windows >= windowsBefore));
            const check = checkAll(paddock.api);
            during.push(await looked(visitors, () => check.isOver()));
            seconds.push(await check.seconds);
          }
          const size = `${projects} projects, ${keys.toLocaleString('en')} API keys and ${records.toLocaleString('en')} audit records`;
          const work = `compliance, all six frameworks at once, of a team with ${size}`;
          report(
            below({
              work,
              unit: 's',
              ours: { values: [Math.max(...seconds)], digits: 1 },
              max: 60,
              note: await slowest(sql, team_id, seconds),
            }),
          );
          for (const [name, share] of [
            ['p50', 0.5],
            ['p99', 0.99],
          ] as const)
            report(
              beside({
                work: `compliance, a neighbour's agent through the gateway meanwhile, ${perSecond} requests a second, ${name}`,
                unit: 'ms',
                better: 'less',
                ours: { values: during.map(({ times }) => quantile(times, share)), digits: 2 },
                peer: { name: 'the same without a check', values: before.map(({ times }) => quantile(times, share)), digits: 2 },
                ...(share === 0.99 ? { atLeast: 0.5 } : {}),
                note: `of ${during.map(({ count }) => count).join(', ')} requests the slowest took ${Math.max(...during.map(({ max }) => max)).toFixed(0)} ms`,
              }),
            );
        } finally {
          await paddock.close();
        }
      }),
    ),
};

type Window = Pick<Latency, 'max' | 'count'> & { times: number[] };

/** Measures windows until `isEnough`, at least one. Each has its own connections, since the gateway closes those that are idle for long. */
async function looked(visitors: object, isEnough: (windows: number) => boolean): Promise<Window> {
  const times: number[] = [];
  for (let windows = 0; windows === 0 || !isEnough(windows); windows++) {
    const load = await startLoad<Window>('paced.mjs', visitors);
    try {
      times.push(...(await load.ask({ seconds: windowSeconds })).times);
    } finally {
      await load.close();
    }
  }
  return { times, count: times.length, max: times.reduce((most, one) => Math.max(most, one), 0) };
}

/** Starts a check of every framework, as Run Check Now does, and waits until all have ended. */
function checkAll(api: Api) {
  let isOver = false;
  const seconds = run().finally(() => (isOver = true));
  async function run(): Promise<number> {
    const begun = performance.now();
    const started = await Promise.all(frameworkIds.map((id) => api<{ id: string }>('POST', `/governance/compliance/${id}/check`)));
    for (const { id } of started)
      for (;;) {
        const { status, finished_at } = await api<{ status: string; finished_at: string | null }>(
          'GET',
          `/governance/compliance-runs/${id}`,
        );
        if (status === 'failed') throw new Error('a check failed');
        if (finished_at !== null) break;
        if (performance.now() - begun > checkMs) throw new Error('the checks did not end');
        await sleep(100);
      }
    return (performance.now() - begun) / 1_000;
  }
  return { seconds, isOver: () => isOver };
}

/** A sandboxed agent of another team. */
async function deployNeighbour(paddock: Paddock): Promise<string> {
  const neighbour = await paddock.another();
  const { id } = await neighbour<{ id: string }>('POST', '/projects', { name: 'neighbour' });
  const source = `require('node:http').createServer((request, response) => {
    const body = JSON.stringify({ answer: 'neighbour;' + 'x'.repeat(180) });
    response.setHeader('content-type', 'application/json').setHeader('content-length', body.length).end(body);
  }).listen(process.env.PORT);`;
  const archive = new Blob([Buffer.from(zipSync({ 'server.js': strToU8(source) }))]);
  const host = 'neighbour.localhost';
  await paddock.deployTimed({ host, project_id: id, api: neighbour }, archive, 'neighbour;');
  return host;
}

async function fill({ api, dataDir }: Paddock, sql: Sql): Promise<string> {
  const team = await makeTeam(api, sql);
  await makeDeployments(sql, dataDir, team);
  const own = await makeKeys(sql, team, keys);
  await makeDatabases(sql, dataDir, team);
  await writeRecords(sql, { ...team, keys: own, records });
  await makeTelemetry(sql, team.team_id, { lines: 2_000, traces: 300, packages: 200 });
  return team.team_id;
}

async function makeTeam(api: Api, sql: Sql): Promise<Team> {
  const made: string[] = [];
  for (let n = 0; n < projects; n++) {
    const { id } = await api<{ id: string }>('POST', '/projects', { name: `agent-${n}` });
    made.push(id);
    for (const environment of ['production', 'preview']) {
      const variables = Array.from({ length: variablesOfEach }, (_, at) => ({
        key: `API_KEY_${at}`,
        value: `sk-${environment}-${n}-${at}-1234567890`,
        available_at_build: false,
      }));
      await api('POST', `/projects/${id}/variables`, { environment, variables });
    }
  }
  const [{ team_id, user_id }] = await sql<[{ team_id: string; user_id: string }]>`
    select p.team_id, m.user_id
    from projects p
    join team_members m on m.team_id = p.team_id
    where p.id = ${made[0]!}`;
  return { team_id, user_id, projects: made };
}

/** A note with the slowest controls and the number of controls by status. */
async function slowest(sql: Sql, team_id: string, seconds: number[]): Promise<string> {
  const rows = await sql<{ control: string; status: string; duration_ms: number }[]>`
    select distinct on (control) control, status, duration_ms
    from compliance_results
    where team_id = ${team_id}
      or team_id is null
    order by control, duration_ms desc`;
  const first = rows.toSorted((a, b) => b.duration_ms - a.duration_ms).slice(0, 6);
  const of = (status: string) => rows.filter((one) => one.status === status).length;
  return `the longest of ${seconds.map((one) => one.toFixed(1)).join(', ')} s; ${of('passed')} controls passed, ${of('failed')} failed, ${of('unverified')} were not verified; slowest: ${first.map(({ control, duration_ms }) => `${control} ${(duration_ms / 1_000).toFixed(1)} s`).join(', ')}`;
}
