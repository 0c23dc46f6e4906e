import type { Sql, Tx } from '../../../db/connect.ts';
import { withLongTimeout } from '../../../subjects/long-timeout.ts';

/** Maximum time that others wait behind a waiting lock, and behind the statements of the swap. */
const lockMs = 200;
const swapStatementMs = 2_000;

export interface TableShape {
  name: string;
  /** False without a primary key, or with foreign keys, which a copy would lose. */
  is_copyable: boolean;
  key: string[];
  columns: string[];
  indexes: { name: string; is_primary: boolean; is_unique: boolean; on: string }[];
  /** Definitions of its own triggers; those of a partitioned parent are added when attaching. */
  triggers: string[];
  /** Null if no privileges were ever granted or revoked. */
  grants: { grantee: string | null; privilege: string }[] | null;
  owner: string;
  /** The parent of a partition. */
  parent: string | null;
  bound: string | null;
  bound_check: string | null;
}

/** Names of the copy, of the table in which the trigger records keys, and of the table with the keys that are being applied. */
export interface Copy {
  table: string;
  keys: string;
  taken: string;
}

/** SQL that replaces a table by a copy of itself. */
export const tableCopyStore = (sql: Sql) => ({
  shape: (name: string) => readTableShape(sql, name),

  /** Creates the empty copy and the trigger that records changes. */
  begin: ({ name, key, bound_check }: TableShape, copy: Copy) =>
    briefly(sql, async (tx) => {
      await tx.unsafe(`create table "${copy.table}" (like "${name}" including all excluding indexes)`);
      for (const table of [copy.keys, copy.taken])
        await tx`
          create table ${tx(table)} as
          select ${tx(key)}
          from ${tx(name)}
          with no data`;
      if (bound_check !== null) await tx.unsafe(`alter table "${copy.table}" add constraint "${copy.table}_bound" check (${bound_check})`);
      const noted = key.map((column) => `($1)."${column}"`).join(', ');
      await tx.unsafe(
        `create trigger "${copy.keys}" after insert or update or delete on "${name}" for each row execute function note_changed_key('${copy.keys}', '${noted}')`,
      );
    }),

  /** Copies all rows, and creates indexes and statistics. */
  fill: ({ name, columns, indexes }: TableShape, copy: Copy) =>
    withLongTimeout(sql, async (tx) => {
      await tx`
        insert into ${tx(copy.table)} (${tx(columns)})
        select ${tx(columns)}
        from ${tx(name)}`;
      for (const [at, { is_primary, is_unique, on }] of indexes.entries()) {
        const index = indexName(copy, at);
        await tx.unsafe(`create ${is_unique ? 'unique ' : ''}index "${index}" on "${copy.table}" ${on}`);
        if (is_primary) await tx.unsafe(`alter table "${copy.table}" add constraint "${index}" primary key using index "${index}"`);
      }
      await tx`analyze ${tx(copy.table)}`;
    }),

  /** Applies recorded changes, while others may continue to write; returns their number. */
  takeOver: (shape: TableShape, copy: Copy): Promise<number> => withLongTimeout(sql, (tx) => takeOver(tx, shape, copy)),

  /** Replaces the table by the copy and drops it. */
  swap: (shape: TableShape, copy: Copy) =>
    briefly(sql, async (tx) => {
      const { name, parent } = shape;
      // The parent first, in the order in which readers lock.
      if (parent !== null) await tx`lock table only ${tx(parent)} in access exclusive mode`;
      await tx`lock table only ${tx(name)} in access exclusive mode`;
      await takeOver(tx, shape, copy);
      await grantAlike(tx, shape, copy);
      if (parent !== null) await tx`alter table ${tx(parent)} detach partition ${tx(name)}`;
      await tx`drop table ${tx(name)}`;
      await tx`alter table ${tx(copy.table)} rename to ${tx(name)}`;
      for (const [at, index] of shape.indexes.entries()) await tx`alter index ${tx(indexName(copy, at))} rename to ${tx(index.name)}`;
      for (const trigger of shape.triggers) await tx.unsafe(trigger);
      if (parent !== null) {
        await tx.unsafe(`alter table "${parent}" attach partition "${name}" ${shape.bound}`);
        await tx`alter table ${tx(name)} drop constraint ${tx(`${copy.table}_bound`)}`;
      }
      await tx`drop table ${tx(copy.keys)}, ${tx(copy.taken)}`;
    }),

  drop: (name: string, copy: Copy) => briefly(sql, (tx) => dropCopy(tx, name, copy)),

  /** Copies that a server left behind when it exited. */
  async left(): Promise<{ name: string; copy: Copy }[]> {
    const rows = await sql<{ table: string }[]>`
      select relname as table
      from pg_class
      where relkind = 'r'
        and relname ~ '_copy_[0-9a-f]{8}_keys$'
        and relnamespace = current_schema()::regnamespace`;
    return rows.map(({ table: keys }) => {
      const table = keys.slice(0, -'_keys'.length);
      return { name: table.replace(/_copy_[0-9a-f]{8}$/, ''), copy: { table, keys, taken: `${table}_taken` } };
    });
  },
});

/** The structure of a table that its copy repeats; undefined if it does not exist. */
async function readTableShape(sql: Sql, name: string): Promise<TableShape | undefined> {
  const [row] = await sql<TableShape[]>`
    select
      c.relname as name,
      not exists (
        select 1
        from pg_constraint f
        where f.contype = 'f'
          and c.oid in (f.conrelid, f.confrelid)
      ) and exists (
        select 1
        from pg_index p
        where p.indrelid = c.oid
          and p.indisprimary
      ) as is_copyable,
      array(
        select a.attname::text
        from pg_index p, unnest(p.indkey) with ordinality k (attnum, place)
        join pg_attribute a on a.attnum = k.attnum
        where p.indrelid = c.oid
          and p.indisprimary
          and a.attrelid = c.oid
        order by k.place
      ) as key,
      array(
        select a.attname::text
        from pg_attribute a
        where a.attrelid = c.oid
          and a.attnum > 0
          and not a.attisdropped
        order by a.attnum
      ) as columns,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'name', i.relname,
          'is_primary', x.indisprimary,
          'is_unique', x.indisunique,
          'on', regexp_replace(pg_get_indexdef(x.indexrelid), '^.*? USING ', 'using ')
        ) order by i.relname)
        from pg_index x
        join pg_class i on i.oid = x.indexrelid
        where x.indrelid = c.oid
      ), '[]') as indexes,
      array(
        select pg_get_triggerdef(t.oid)
        from pg_trigger t
        where t.tgrelid = c.oid
          and not t.tgisinternal
          and t.tgparentid = 0
          and t.tgfoid <> 'note_changed_key'::regproc
        order by t.tgname
      ) as triggers,
      case when c.relacl is not null then coalesce((
        select jsonb_agg(jsonb_build_object(
          'grantee', case when g.grantee <> 0 then g.grantee::regrole::text end,
          'privilege', g.privilege_type
        ))
        from aclexplode(c.relacl) g
      ), '[]') end as grants,
      c.relowner::regrole::text as owner,
      h.inhparent::regclass::text as parent,
      pg_get_expr(c.relpartbound, c.oid) as bound,
      pg_get_partition_constraintdef(c.oid) as bound_check
    from pg_class c
    left join pg_inherits h on h.inhrelid = c.oid
    where c.oid = to_regclass(quote_ident(${name}))`;
  return row;
}

const indexName = (copy: Copy, at: number) => `${copy.table}_i${at}`;

/** A transaction that waits briefly for its locks, and blocks nobody for long. */
const briefly = (sql: Sql, work: (tx: Tx) => Promise<unknown>) =>
  sql.begin(async (tx) => {
    await tx`
      select
        set_config('lock_timeout', ${String(lockMs)}, true),
        set_config('statement_timeout', ${String(swapStatementMs)}, true)`;
    await work(tx);
  });

/** The statement that reads the rows runs after the one that takes the keys, so it sees every recorded change; a later change is recorded again. */
async function takeOver(tx: Tx, { name, key, columns }: TableShape, copy: Copy): Promise<number> {
  await tx`
    with gone as (
      delete from ${tx(copy.keys)}
      returning *
    )
    insert into ${tx(copy.taken)}
    select distinct *
    from gone`;
  await tx`
    delete from ${tx(copy.table)}
    where (${tx(key)}) in (
      select ${tx(key)}
      from ${tx(copy.taken)}
    )`;
  await tx`
    insert into ${tx(copy.table)} (${tx(columns)})
    select ${tx(columns)}
    from ${tx(name)}
    where (${tx(key)}) in (
      select ${tx(key)}
      from ${tx(copy.taken)}
    )`;
  const { count } = await tx`delete from ${tx(copy.taken)}`;
  return count;
}

async function grantAlike(tx: Tx, { grants, owner }: TableShape, copy: Copy): Promise<void> {
  if (grants === null) return;
  await tx.unsafe(`revoke all on "${copy.table}" from ${owner}`);
  for (const { grantee, privilege } of grants) await tx.unsafe(`grant ${privilege} on "${copy.table}" to ${grantee ?? 'public'}`);
}

async function dropCopy(tx: Tx, name: string, { table, keys, taken }: Copy): Promise<void> {
  const [row] = await tx<{ is_there: boolean }[]>`select to_regclass(quote_ident(${name})) is not null as is_there`;
  if (row?.is_there) await tx`drop trigger if exists ${tx(keys)} on ${tx(name)}`;
  await tx`drop table if exists ${tx(table)}, ${tx(keys)}, ${tx(taken)}`;
}
