import type { Sql } from '../../src/db/connect.ts';

/** Tables that a refused call may change: counters of its caller, and the trail itself. */
const aside = /^(idempotency_keys|rate_limits|audit_.*|log_lines_.*|oauth_states|oauth_waiting)$/;
/** Columns with the last use of people, keys and codes. */
const marks = ['last_used_at', 'last_used_ip', 'last_step', 'total_requests', 'window_count', 'window_start', 'seen_at'];

const tablesOf = async (sql: Sql): Promise<string[]> => {
  const tables = await sql<{ name: string }[]>`
    select table_name as name
    from information_schema.tables
    where table_schema = 'public'
      and table_type = 'BASE TABLE'`;
  return tables.map(({ name }) => name).filter((name) => !aside.test(name));
};

/** Every row of every table except those. */
export async function dumpOf(sql: Sql): Promise<Record<string, unknown>> {
  const names = await tablesOf(sql);
  const row = `to_jsonb(x) - '{${marks.join()}}'::text[]`;
  const each = names.map((name) => `select '${name}' as name, jsonb_agg(${row} order by (${row})::text) as rows from "${name}" x`);
  const rows = await sql.unsafe<{ name: string; rows: unknown }[]>(each.join(' union all '));
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
}

/** Makes every transaction fail at commit that changes one of these tables. Returns a function that ends this. */
export async function breakCommits(sql: Sql): Promise<() => Promise<unknown>> {
  // A code of a second factor is consumed before the change that requires it.
  const names = (await tablesOf(sql)).filter((name) => !name.startsWith('log_lines') && name !== 'second_factors');
  await sql.unsafe(`
    create function no_commit() returns trigger language plpgsql as $$ begin raise exception 'no commit'; end $$;
    ${names
      .map(
        (name) => `create constraint trigger no_commit after insert or update or delete on "${name}"
          deferrable initially deferred for each row execute function no_commit();`,
      )
      .join('')}`);
  return () => sql.unsafe('drop function no_commit cascade');
}
