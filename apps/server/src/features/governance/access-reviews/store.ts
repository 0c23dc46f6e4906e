import { type AccessReview, ApiError } from '@paddock/contract';
import { accessReviewLimits } from '@paddock/contract/limits';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import { liveSubjects, readAccess } from './access-store.ts';
import { listEntries } from './entries.ts';

export type ReviewStore = ReturnType<typeof reviewStore>;

/** All SQL about access reviews, except their entries. */
export const reviewStore = (sql: Sql) => ({
  list: (team_id: string) => reviews(sql, team_id),

  get: (team_id: string, id: string) => getReview(sql, team_id, id),

  /** Starts a review, or continues the open one. Either way it contains all current access. */
  start: (team_id: string, { id, by }: { id: string; by: string }): Promise<AccessReview> =>
    sql.begin(async (tx) => {
      const [made] = await tx<{ id: string }[]>`
        insert into access_reviews (id, team_id, started_by)
        values (${id}, ${team_id}, ${by})
        on conflict do nothing
        returning id`;
      const open = made?.id ?? (await openReview(tx, team_id)) ?? id;
      const added = await addMissing(tx, team_id, open);
      if (made) await forgetOld(tx, team_id);
      if (made || added > 0) await recordAction(tx, open, { output: { added } });
      return getReview(tx, team_id, open);
    }),

  /** Adds access that was created since the start to an open review. */
  refresh: (team_id: string, id: string): Promise<AccessReview> =>
    sql.begin(async (tx) => {
      const { completed_at } = await lockReview(tx, team_id, id);
      if (completed_at === null) await addMissing(tx, team_id, id);
      return getReview(tx, team_id, id);
    }),

  /** Throws access_review_undecided while an entry is undecided, or new access is missing in the review. A completed review stays unchanged. */
  complete: (team_id: string, { id, by }: { id: string; by: string }): Promise<AccessReview> =>
    sql.begin(async (tx) => {
      const { completed_at } = await lockReview(tx, team_id, id);
      if (completed_at !== null) return getReview(tx, team_id, id);
      await tx`
        update access_review_items e
        set decision = 'gone', decided_at = date_trunc('milliseconds', clock_timestamp())
        where e.team_id = ${team_id}
          and e.review_id = ${id}
          and e.decision is null
          and (e.kind, e.subject_id) not in (${liveSubjects(tx, team_id)})`;
      const [{ waiting }] = await tx<[{ waiting: number }]>`
        select count(*)::int as waiting
        from (${liveSubjects(tx, team_id)}) now_live
        where not exists (
          select 1
          from access_review_items e
          where e.review_id = ${id}
            and e.kind = now_live.kind
            and e.subject_id = now_live.subject_id
            and e.decision is not null
        )`;
      if (waiting > 0) {
        const what = waiting === 1 ? '1 entry is' : `${waiting} entries are`;
        throw new ApiError('access_review_undecided', { detail: `${what} not decided yet. Decide on everything in the list first.` });
      }
      await tx`
        update access_reviews
        set completed_at = date_trunc('milliseconds', clock_timestamp()), completed_by = ${by}
        where id = ${id}`;
      const review = await getReview(tx, team_id, id);
      const { entries, kept, revoked, gone } = review;
      await recordAction(tx, id, { output: { entries, kept, revoked, gone } });
      return review;
    }),
});

/** Locks the review until the transaction ends. Throws access_review_not_found. */
export async function lockReview(tx: Tx, team_id: string, id: string): Promise<{ completed_at: string | null }> {
  const [row] = await tx<{ completed_at: string | null }[]>`
    select completed_at
    from access_reviews
    where team_id = ${team_id}
      and id = ${id}
    for update`;
  if (!row) throw new ApiError('access_review_not_found');
  return row;
}

export async function getReview(tx: Sql | Tx, team_id: string, id: string): Promise<AccessReview> {
  const [row] = await reviews(tx, team_id, id);
  if (!row) throw new ApiError('access_review_not_found');
  return row;
}

// Access that has ended by itself counts as decided while the review is open, too.
const reviews = (sql: Sql | Tx, team_id: string, id?: string) => sql<AccessReview[]>`
  select r.id, r.started_at, r.started_by, r.completed_at, r.completed_by, c.entries, c.undecided, c.kept, c.revoked, c.gone
  from access_reviews r
  cross join lateral (
    select count(*)::int as entries,
      count(*) filter (where e.decision is null and l.kind is not null)::int as undecided,
      count(*) filter (where e.decision = 'keep')::int as kept,
      count(*) filter (where e.decision = 'revoke')::int as revoked,
      count(*) filter (where e.decision = 'gone' or (e.decision is null and l.kind is null))::int as gone
    from access_review_items e
    left join (${liveSubjects(sql, team_id)}) l on l.kind = e.kind and l.subject_id = e.subject_id and e.decision is null
    where e.review_id = r.id
  ) c
  where r.team_id = ${team_id}
    ${id === undefined ? sql`` : sql`and r.id = ${id}`}
  order by r.started_at desc, r.id desc
  limit ${accessReviewLimits.kept}`;

async function openReview(tx: Tx, team_id: string): Promise<string | undefined> {
  const [open] = await tx<{ id: string }[]>`
    select id
    from access_reviews
    where team_id = ${team_id}
      and completed_at is null
    for update`;
  return open?.id;
}

/** Returns the number of added entries, which is bounded by a team's limits on keys, people and identities. */
async function addMissing(tx: Tx, team_id: string, review_id: string): Promise<number> {
  const entries = listEntries(await readAccess(tx, team_id)).map((entry, place) => ({ id: newId('ari'), place, ...entry }));
  const added = await tx`
    insert into access_review_items (id, review_id, team_id, kind, subject_id, name, user_id, held_by, grants, detail, last_used_at)
    select id, ${review_id}, ${team_id}, kind, subject_id, name, user_id, held_by, grants, detail, last_used_at
    from jsonb_to_recordset(${tx.json(entries)})
      as given (id text, place int, kind text, subject_id text, name text, user_id text, held_by text, grants text[], detail text,
        last_used_at timestamptz)
    order by place
    on conflict (review_id, kind, subject_id) do nothing
    returning id`;
  if (added.length > 0)
    await tx`
      update access_reviews
      set changed_at = now()
      where id = ${review_id}`;
  return added.length;
}

const forgetOld = (tx: Tx, team_id: string) => tx`
  delete from access_reviews
  where id in (
    select id
    from access_reviews
    where team_id = ${team_id}
    order by started_at desc, id desc
    offset ${accessReviewLimits.kept}
  )`;
