import { plural } from '@paddock/contract/plural';
import type { Sql } from '../../../../db/connect.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { toFinding } from '../finding.ts';

const maxSampled = 1_000;

/** Known text and byte columns of keys; a new one could hold a key. */
const knownColumns = new Set([
  'id',
  'team_id',
  'user_id',
  'family_id',
  'replaced_by',
  'created_by_key',
  'name',
  'token_hash',
  'key_prefix',
  'key_suffix',
  'last_used_ip',
]);
const holdsText = /^(text|bytea|json|jsonb|character varying|character)$/;

/**
 * KEY-03: a reader of the database cannot use a key. The control is per team, although the table is shared: a key at fault is shown only to
 * its own team.
 */
export const keyHashControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'KEY-03',
  of: 'team',
  async check(team_id) {
    const [columns, sample] = await Promise.all([loadColumns(sql), loadSample(sql, team_id, maxSampled)]);
    const unknown = columns.filter(({ name, type }) => holdsText.test(type) && !knownColumns.has(name));
    const bad = sample.filter(({ hash_bytes, shows_live_key }) => hash_bytes !== 32 || shows_live_key);
    return {
      looked_at: `${plural(columns.length, 'column')} of the table of API keys, and the newest ${plural(sample.length, 'row')} of the team.`,
      resources: [
        toFinding(
          { type: 'table', id: 'api_keys', name: 'Table of API keys', evidence: columns },
          {
            problems: unknown.map(({ name }) => `The column ${name} may hold keys, and nobody has looked at it.`),
            fine: 'No column could hold a key but as its hash.',
          },
        ),
        ...bad.map(({ id, name_of, hash_bytes, shows_live_key }) =>
          toFinding(
            {
              type: 'api_key',
              id,
              name: `${name_of}…`,
              evidence: { hash_bytes, shows_live_key },
              fix: { text: 'Revoke the key that is shown in clear, and make a new one', path: '/api-keys' },
            },
            {
              problems: [
                ...(hash_bytes === 32 ? [] : [`What is stored of the key has ${hash_bytes} bytes, and a SHA-256 has 32.`]),
                ...(shows_live_key ? ['A whole key that works stands in clear in this row, such as in its name.'] : []),
              ],
              fine: '',
            },
          ),
        ),
        toFinding(
          { type: 'sample', id: 'api_keys_sample', name: 'Sample of API keys', evidence: { rows: sample.length, bad: bad.length } },
          {
            problems: [],
            fine: `${sample.length - bad.length} of ${plural(sample.length, 'row')} hold a hash of 32 bytes and no key that works.`,
          },
        ),
      ],
    };
  },
});

/** The form of a complete key, which its displayed prefix does not have. */
const wholeKey = 'pk_(?:live|test)_[0-9A-Za-z]{42}';

/** Columns of the table of keys, as they are now. */
const loadColumns = (sql: Sql) => sql<{ name: string; type: string }[]>`
  select column_name as name, data_type as type
  from information_schema.columns
  where table_schema = current_schema()
    and table_name = 'api_keys'
  order by ordinal_position`;

/** The newest keys of a team: the size of each stored hash (SHA-256 expected), and whether the row shows a complete working key. */
const loadSample = (sql: Sql, team_id: string, limit: number) => sql<
  { id: string; name_of: string; hash_bytes: number; shows_live_key: boolean }[]
>`
  select s.id, s.key_prefix as name_of, octet_length(s.token_hash) as hash_bytes,
    exists (
      select 1
      from regexp_matches((to_jsonb(s) - 'token_hash')::text, ${wholeKey}, 'g') as shown (parts)
      join api_keys live on live.token_hash = sha256(convert_to(shown.parts[1], 'UTF8'))
      where live.revoked_at is null
        and (live.expires_at is null or live.expires_at > now())
    ) as shows_live_key
  from (
    select *
    from api_keys
    where team_id = ${team_id}
    order by created_at desc, id desc
    limit ${limit}
  ) s`;
