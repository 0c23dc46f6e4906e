import { type AccessReview, type AccessReviewItem, ApiError } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { liveSubjects } from './access-store.ts';
import { getReview, lockReview } from './store.ts';

export type ItemStore = ReturnType<typeof itemStore>;

/** An entry with fields that only the server needs. */
export interface Item extends Omit<AccessReviewItem, 'cannot_revoke'> {
  subject_id: string;
  user_id: string;
}

interface Asked {
  id: string;
  items: readonly string[];
  by: string;
  /** Returns the decision to be stored, or a sentence that says why it is refused. A revocation happens in the same transaction. */
  decide: (tx: Tx, item: Item) => Promise<{ decision: 'keep' | 'revoke' | 'gone' } | { refused: string }>;
}
interface Decided {
  review: AccessReview;
  items: Item[];
  refused: { id: string; name: string; reason: string }[];
}

const maxPerWrite = 5_000;

/** All SQL about the entries of access reviews. */
export const itemStore = (sql: Sql) => ({
  async page(team_id: string, given: { id: string; state: 'all' | 'undecided'; limit: number; cursor?: string | undefined }) {
    const { id, state, limit, cursor } = given;
    await getReview(sql, team_id, id);
    const after = cursor === undefined ? 0 : await readPlace(sql, id, cursor);
    const rows = await sql<Item[]>`
      select ${columns(sql)}
      ${items(sql, team_id, id)}
        and e.place > ${after}
        ${state === 'all' ? sql`` : sql`and e.decision is null and l.kind is not null`}
      order by e.place
      limit ${limit + 1}`;
    const page = rows.slice(0, limit);
    return { rows: page, next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
  },

  /** All entries of a review; only the first ones of a very long review that is years old. */
  all: (team_id: string, review_id: string) => sql<Item[]>`
    select ${columns(sql)}
    ${items(sql, team_id, review_id)}
    order by e.place
    limit ${maxPerWrite}`,

  /** Decides all of them in one transaction: revoked access ends when its decision is recorded, or not at all. */
  decide: (team_id: string, { id, items: asked, by, decide }: Asked): Promise<Decided> =>
    sql.begin(async (tx) => {
      const { completed_at } = await lockReview(tx, team_id, id);
      if (completed_at !== null) throw new ApiError('access_review_completed');
      const ids = [...new Set(asked)];
      const before = await someItems(tx, team_id, { id, ids });
      if (before.length < ids.length) throw new ApiError('access_review_item_not_found');
      const refused: Decided['refused'] = [];
      const done: string[] = [];
      // Keys last: they lock the team, identities a person, and elsewhere people are locked before teams.
      for (const item of before.toSorted((a, b) => Number(a.kind === 'api_key') - Number(b.kind === 'api_key'))) {
        const outcome = await decide(tx, item);
        if ('refused' in outcome) refused.push({ id: item.id, name: item.name, reason: outcome.refused });
        else if (outcome.decision !== item.decision) {
          await tx`
            update access_review_items
            set decision = ${outcome.decision}, decided_by = ${outcome.decision === 'gone' ? null : by},
              decided_at = date_trunc('milliseconds', clock_timestamp())
            where team_id = ${team_id}
              and id = ${item.id}`;
          done.push(item.id);
        }
      }
      if (done.length > 0) {
        await tx`
          update access_reviews
          set changed_at = now()
          where id = ${id}`;
        await recordAction(tx, id, { output: { decided: done, refused: refused.map((one) => one.id) } });
      }
      return { review: await getReview(tx, team_id, id), items: await someItems(tx, team_id, { id, ids }), refused };
    }),

  /** Access that the newest completed review revoked and that exists again. */
  returned: (team_id: string, review_id: string) => sql<{ kind: Item['kind']; id: string; name: string }[]>`
    select e.kind, e.subject_id as id, e.name
    ${items(sql, team_id, review_id)}
      and e.decision = 'revoke'
      and l.kind is not null
    order by e.place`,
});

async function readPlace(sql: Sql, review_id: string, cursor: string): Promise<string> {
  const [row] = await sql<{ place: string }[]>`
    select place
    from access_review_items
    where review_id = ${review_id}
      and id = ${cursor}`;
  if (!row) throw new ApiError('cursor_invalid');
  return row.place;
}

const someItems = (tx: Tx, team_id: string, { id, ids }: { id: string; ids: readonly string[] }) => tx<Item[]>`
  select ${columns(tx)}
  ${items(tx, team_id, id)}
    and e.id = any(${ids})
  order by e.place`;

const items = (sql: Sql | Tx, team_id: string, review_id: string) => sql`
  from access_review_items e
  left join (${liveSubjects(sql, team_id)}) l on l.kind = e.kind and l.subject_id = e.subject_id
  where e.team_id = ${team_id}
    and e.review_id = ${review_id}`;

const columns = (sql: Sql | Tx) => sql`
  e.id, e.kind, e.subject_id, e.name, e.user_id, e.held_by, e.grants, e.detail, e.last_used_at, e.added_at,
  l.kind is null as is_gone, e.decision, e.decided_by, e.decided_at`;
