import { makePartitions } from '../../apps/server/src/features/logs/retention.ts';
import { logStore } from '../../apps/server/src/features/logs/store.ts';
import { inDatabase, seed } from '../database.ts';
import { interleave, median } from '../measure.ts';
import { below, type Row } from '../row.ts';

// The environment may request fewer rows on a small disk or for a short run.
const rows = Number(process.env.PADDOCK_BENCH_ROWS ?? 10_000_000);
const deployments = 100;
const asked = 400;
/** The retention of lines in days; each day is a partition. */
const days = 30;

export const row: Row = {
  name: 'tail',
  seconds: 100,
  run: (report) =>
    inDatabase(async (sql) => {
      for (let day = days; day >= 0; day--) await makePartitions(sql, Date.now() - day * 86_400_000);
      const store = logStore(sql);
      const { team_id, project_id } = await seed(sql);
      await sql`insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
        select 'dep_' || d, ${team_id}, ${project_id}, 'production', 'active', 'b', 'n', 1, 'u' from generate_series(1, ${deployments}::int) d`;
      const begun = Date.now() - days * 86_400_000;
      const fill = async (from: number, to: number) => {
        const each = { from: from / deployments + 1, to: to / deployments };
        // The inserts are small: a statement of the product's connections may take 30 s at most.
        const everyMs = (days * 86_400_000 * deployments) / rows;
        for (let d = 1; d <= deployments; d++)
          await sql`insert into log_lines (deployment_id, team_id, number, level, source, message, created_at)
            select ${`dep_${d}`}, ${team_id}, n, 'info', 'agent', 'line ' || n || ' of an agent that says what it does',
              ${new Date(begun).toISOString()}::timestamptz + n * ${everyMs}::float8 * interval '1 millisecond'
            from generate_series(${each.from}::int, ${each.to}::int) n`;
        // The product's own writes would leave these heads.
        const at = (n: number) => new Date(begun + n * everyMs).toISOString();
        await sql`insert into log_heads (deployment_id, team_id, last_number, bounded_number, last_at, older_number, older_at, newer_number, newer_at)
          select 'dep_' || d, ${team_id}, ${each.to}, ${each.to}, ${at(each.to)}, ${each.to - 2000}::int, ${at(each.to - 2000)}, ${each.to - 1000}::int, ${at(each.to - 1000)}
          from generate_series(1, ${deployments}::int) d
          on conflict (deployment_id) do update set (last_number, bounded_number, last_at, older_number, older_at, newer_number, newer_at) =
            (excluded.last_number, excluded.bounded_number, excluded.last_at, excluded.older_number, excluded.older_at, excluded.newer_number, excluded.newer_at)`;
        await sql.unsafe('analyze log_lines');
      };
      const tail = async () => {
        const times: number[] = [];
        for (let n = 0; n < asked; n++) {
          const begun = performance.now();
          const { lines } = await store.page(team_id, `dep_${(n * 37 + 1) % deployments || deployments}`, { limit: 100 });
          times.push(performance.now() - begun);
          if (lines.length !== 100) throw new Error(`a tail of ${lines.length} lines`);
        }
        return median(times);
      };
      await fill(0, rows / 10);
      await tail();
      const [small] = await interleave(3, [tail]);
      await fill(rows / 10, rows);
      await tail();
      const [large] = await interleave(3, [tail]);
      const millions = (count: number) => `${count / 1e6} million`;
      report(
        below({
          work: `tail of 100 of ${millions(rows)} rows of ${days} days, p50`,
          unit: 'ms',
          ours: { values: large!, digits: 2 },
          max: 0.5,
        }),
      );
      const growth = median(large!) / median(small!);
      const work = `tail, cost at ${millions(rows)} rows against ${millions(rows / 10)}`;
      report(below({ work, unit: '×', ours: { values: [growth], digits: 2 }, max: 1.2 }));
    }),
};
