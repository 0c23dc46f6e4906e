import { inDatabase } from '../database.ts';
import { requestsPerCpu } from '../load/wrk.ts';
import { interleave } from '../measure.ts';
import { startPaddock } from '../paddock.ts';
import { startRawApi } from '../peers/raw-api.ts';
import { beside, type Row } from '../row.ts';

const rounds = 5;
const seconds = 3;
const rows = 100_000;

export const row: Row = {
  name: 'api',
  seconds: 50,
  run: (report) =>
    inDatabase(async (sql, url) => {
      const paddock = await startPaddock({ PADDOCK_DATABASE_URL: url });
      try {
        const { id } = await paddock.api<{ id: string }>('POST', '/projects', { name: 'list' });
        await sql`alter table deployments disable trigger user`;
        await sql`insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by, created_at, ended_at)
          select 'dep_' || d, p.team_id, p.id, 'production', 'stopped', 'b', 'agent.zip', 1000, 'u', now() - d * interval '1 second', now()
          from projects p, generate_series(1, ${rows}::int) d where p.id = ${id}`;
        await sql`alter table deployments enable trigger user`;
        await sql.unsafe('vacuum analyze deployments');
        const raw = await startRawApi(url);
        try {
          const load = (at: { port: number; pids: number[] }, path: string) => () =>
            requestsPerCpu({ ...at, path, host: 'localhost' }, seconds, {
              headers: [`Authorization: Bearer ${paddock.token()}`],
              connections: 32,
            });
          const ours = load({ port: paddock.port, pids: paddock.pids().slice(0, 1) }, '/api/v1/deployments?limit=50');
          const theirs = load(raw, '/?limit=50');
          await interleave(1, [ours, theirs]);
          const [a, b] = await interleave(rounds, [ours, theirs]);
          const work = `API list, 50 of ${rows} rows, one tenant`;
          const unit = 'requests per second of CPU';
          report(beside({ work, unit, better: 'more', ours: { values: a! }, peer: { name: raw.name, values: b! }, atLeast: 0.85 }));
        } finally {
          await raw.close();
        }
      } finally {
        await paddock.close();
      }
    }),
};
