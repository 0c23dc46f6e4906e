import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { controlIds, controls } from '@paddock/contract';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { inDatabase } from '../database.ts';
import { writeRecords } from '../governed/records.ts';
import { makeDeployments, makeTelemetry } from '../governed/rows.ts';
import { quantile } from '../measure.ts';
import { type Api, type Paddock, startPaddock } from '../paddock.ts';
import { beside, type Row } from '../row.ts';

const rowsOfTeam = Number(process.env.PADDOCK_BENCH_GROWING_ROWS ?? 100_000);
const rounds = 3;
const perSecond = 50;
const windowMs = 5_000;
const sweepMs = 120_000;
const alertsAtOnce = 5_000;
/** Evidence of each control in bytes. */
const evidenceBytes = 256 * 1024;

/** The repeated work of the large team during the measurement. */
interface Heavy {
  work: string;
  begin: () => Promise<{ end: () => Promise<string> }>;
}

/**
 * Compares a neighbour's dashboard while a team with very many rows requests the five largest responses and jobs, with the same dashboard
 * while nothing else runs.
 */
export const row: Row = {
  name: 'growing answers',
  seconds: 240,
  run: (report) =>
    inDatabase(async (sql, url) => {
      const paddock = await startPaddock({ PADDOCK_DATABASE_URL: url });
      try {
        const neighbour = await paddock.another();
        await neighbour('POST', '/projects', { name: 'neighbour' });
        const heavy = heavyWork(paddock, sql, await fill(paddock, sql));
        await window(neighbour);
        for (const { work, begin } of heavy) {
          const [quiet, during, notes]: [number[], number[], string[]] = [[], [], []];
          for (let round = 0; round < rounds; round++) {
            quiet.push(quantile(await window(neighbour), 0.99));
            const running = await begin();
            during.push(quantile(await window(neighbour), 0.99));
            notes.push(await running.end());
          }
          report(
            beside({
              work: `a neighbour's GET /projects beside ${work}, p99`,
              unit: 'ms',
              better: 'less',
              ours: { values: during, digits: 1 },
              peer: { name: 'quiet', values: quiet, digits: 1 },
              atLeast: 0.5,
              note: notes.join('; '),
            }),
          );
        }
      } finally {
        await paddock.close();
      }
    }),
};

function heavyWork(paddock: Paddock, sql: Sql, { team_id, deployment_id }: { team_id: string; deployment_id: string }): Heavy[] {
  const many = rowsOfTeam.toLocaleString('en');
  const call = (method: string, path: string, body?: object) => async () => repeated(paddock, { method, path, body });
  return [
    { work: `downloads of ${many} log lines`, begin: call('GET', `/deployments/${deployment_id}/logs/download`) },
    { work: `exports of ${many} audit records`, begin: call('POST', '/governance/audit-logs/export', { format: 'jsonl' }) },
    { work: `statements of residency over ${many} spans`, begin: call('GET', '/governance/residency') },
    { work: 'evidence packages of full results', begin: call('POST', '/governance/compliance/soc2/evidence', {}) },
    { work: `a sweep of ${many} old alerts`, begin: () => sweeping(sql, team_id) },
  ];
}

/** Milliseconds from the time at which each request of the neighbour was due to the end of its response. */
async function window(neighbour: Api): Promise<number[]> {
  const begun = performance.now();
  const answers: Promise<number>[] = [];
  for (let due = begun; due < begun + windowMs; due += 1_000 / perSecond) {
    await sleep(Math.max(0, due - performance.now()));
    answers.push(neighbour('GET', '/projects').then(() => performance.now() - due));
  }
  return Promise.all(answers);
}

async function repeated(paddock: Paddock, { method, path, body }: { method: string; path: string; body?: object | undefined }) {
  const answers: { status: number; bytes: number }[] = [];
  const worker = new Worker(new URL('../load/repeat-calls.mjs', import.meta.url), {
    workerData: { url: `${paddock.origin}/api/v1${path}`, token: paddock.token(), method, body: body && JSON.stringify(body) },
  });
  worker.on('message', (answer: { status: number; bytes: number }) => answers.push(answer));
  return {
    async end() {
      await worker.terminate();
      const refused = answers.filter(({ status }) => status >= 400).length;
      const mb = answers.reduce((most, { bytes }) => Math.max(most, bytes), 0) / 1e6;
      return `${answers.length} answers of ${mb.toFixed(1)} MB${refused > 0 ? `, ${refused} of them refused` : ''}`;
    },
  };
}

/** Makes many expired alerts, and the job due. The writing is not the product's work, and ends before the measurement. */
async function sweeping(sql: Sql, team_id: string) {
  for (let from = 0; from < rowsOfTeam; from += alertsAtOnce)
    await sql`
      insert into alerts (id, team_id, rule, severity, message, created_at, resolved_at, cleared_at)
      select 'alr_bench' || n, ${team_id}, 'bench', 'info', 'over', now() - interval '100 days', now() - interval '91 days', now() - interval '91 days'
      from generate_series(${from + 1}::int, ${Math.min(rowsOfTeam, from + alertsAtOnce)}::int) n`;
  await sql`
    update periodic_jobs
    set next_run_at = now()
    where name = 'alert.sweep'`;
  const begun = performance.now();
  return {
    async end() {
      const left = async () => (await sql`select 1 from alerts where rule = 'bench' limit 1`).length > 0;
      while (await left()) {
        if (performance.now() - begun > sweepMs) throw new Error('the sweep did not end');
        await sleep(100);
      }
      return `removed within ${((performance.now() - begun) / 1_000).toFixed(1)} s`;
    },
  };
}

async function fill({ api, dataDir }: Paddock, sql: Sql): Promise<{ team_id: string; deployment_id: string }> {
  const { id } = await api<{ id: string }>('POST', '/projects', { name: 'large' });
  const [{ team_id, user_id }] = await sql<[{ team_id: string; user_id: string }]>`
    select p.team_id, m.user_id
    from projects p
    join team_members m on m.team_id = p.team_id
    where p.id = ${id}`;
  const [deployment_id] = await makeDeployments(sql, dataDir, { team_id, user_id, projects: [id] });
  await writeRecords(sql, { team_id, projects: [id], keys: ['key_bench'], records: rowsOfTeam });
  await makeTelemetry(sql, team_id, { lines: rowsOfTeam, traces: Math.ceil(rowsOfTeam / 3), packages: 200 });
  const ofTeam = controlIds.filter((control) => controls[control].scope === 'team');
  await sql`
    insert into compliance_results (
      team_id, control, status, looked_at, resources, resources_total, failed_total, unverified_total, checked_at, duration_ms, version)
    select ${team_id}, control, 'failed', 'bench', resources, 500, 500, 0, now(), 1, 'bench'
    from unnest(${ofTeam}::text[]) control, (
      select
        jsonb_agg(jsonb_build_object(
          'type', 'api_key', 'id', 'key_' || n, 'name', 'ci', 'status', 'failed', 'finding', 'The key never expires.', 'fix', null,
          'evidence', jsonb_build_object('seen', repeat('x', ${Math.floor(evidenceBytes / 500)}::int)))) as resources
      from generate_series(1, 500) n
    ) r`;
  return { team_id, deployment_id: deployment_id! };
}
