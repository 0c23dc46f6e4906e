import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NewLine } from '../../apps/server/src/features/logs/append.ts';
import { makePartitions } from '../../apps/server/src/features/logs/retention.ts';
import { logStore } from '../../apps/server/src/features/logs/store.ts';
import { inDatabase, seed } from '../database.ts';
import { inFolder, interleave, program, versionOf } from '../measure.ts';
import { alone, beside, type Row } from '../row.ts';
import { orSkipped, Skipped } from '../skipped.ts';

const rounds = 7;
const count = 50_000;
const batch = 5000;
const work = `log rows into PostgreSQL, durable, batches of ${batch}`;
const unit = 'rows/s';

export const row: Row = {
  name: 'ingest',
  seconds: 30,
  run: (report) =>
    inDatabase((sql, url) =>
      inFolder(async (folder) => {
        await makePartitions(sql);
        const store = logStore(sql);
        const { team_id, deployment_id } = await seed(sql);
        const lines = Array.from({ length: count }, (_, n) => line(n));
        const ours = async () => {
          const begun = performance.now();
          for (let at = 0; at < count; at += batch) await store.append(team_id, deployment_id, { lines: lines.slice(at, at + batch) });
          return rate(begun);
        };
        const psql = await orSkipped(async () => program('psql', 'postgresql-client'));
        if (psql instanceof Skipped) {
          const [values] = await interleave(rounds, [ours]);
          report(alone({ work, unit, ours: { values: values! }, why: psql.message, goal: 'at least 0.85×' }));
          return;
        }
        const columns = 'deployment_id, team_id, number, level, source, message, created_at';
        const theirs = async (round: number) => {
          const file = join(folder, 'rows.tsv');
          const fields = (one: NewLine, n: number) => [`peer${round}`, team_id, n + 1, one.level, one.source, one.message, one.created_at];
          writeFileSync(file, lines.map((one, n) => `${fields(one, n).join('\t')}\n`).join(''));
          const begun = performance.now();
          await promisify(execFile)(psql, [url, '-q', '-c', `\\copy log_lines (${columns}) from '${file}'`]);
          return rate(begun);
        };
        await interleave(1, [ours, () => theirs(-1)]);
        const [a, b] = await interleave(rounds, [ours, theirs]);
        const name = `${versionOf(psql, '--version')} \\copy`;
        report(beside({ work, unit, better: 'more', ours: { values: a! }, peer: { name, values: b! }, atLeast: 0.85 }));
      }),
    ),
};

const rate = (begun: number) => (count / (performance.now() - begun)) * 1000;

const line = (n: number): NewLine => ({
  level: n % 50 ? 'info' : 'error',
  source: 'agent',
  message: `GET /answer/${n} 200 in ${n % 300} ms by worker ${n % 8}, ${'context '.repeat(5)}`,
  created_at: new Date().toISOString(),
});
