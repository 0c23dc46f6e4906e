import { ApiError, type Channel, type ChannelDelivery } from '@paddock/contract';
import type { Sql, Tx } from '../../../db/connect.ts';
import type { Seal, Sealed } from '../../../secrets/seal.ts';
import { deliveryColumns } from './delivery-rows.ts';
import { maskedUrl, openValues, type Values } from './sealed-values.ts';

interface Row extends Sealed, Omit<Channel, 'url' | 'last_delivery'> {}

/** A channel with its sealed values opened, for a message. */
type Opened = Omit<Row, 'sealed' | 'key_id'> & { values: Values };

/** Reads channels for display, and for messages. */
export const channelReading = (sql: Sql, seal: Seal) => {
  const open = ({ sealed, key_id, ...row }: Row): Opened => ({ ...row, values: openValues(seal, row.id, { sealed, key_id }) });

  async function shown(rows: readonly Row[]): Promise<Channel[]> {
    const last = await lastDeliveries(
      sql,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => {
      const { values, ...rest } = open(row);
      const url = row.type === 'slack' ? maskedUrl(values.url) : values.url;
      return { ...rest, url, last_delivery: last.get(row.id) ?? null };
    });
  }

  const get = async (team_id: string, id: string): Promise<Channel> => {
    const [channel] = await shown([await readChannelRow(sql, team_id, id)]);
    return channel!;
  };

  return {
    get,
    open: async (team_id: string, id: string, tx: Tx = sql): Promise<Opened> => open(await readChannelRow(tx, team_id, id)),

    list: async (team_id: string): Promise<Channel[]> =>
      shown(
        await sql<Row[]>`
          select ${columns(sql)}
          from channels c
          where c.team_id = ${team_id}
          order by c.created_at, c.id`,
      ),

    /** Names of the channels that Paddock switched off. */
    async offByPaddock(team_id: string, tx: Tx = sql): Promise<string[]> {
      const rows = await tx<{ name: string }[]>`
        select name
        from channels
        where team_id = ${team_id}
          and not is_active
          and off_reason is not null
        order by created_at, id`;
      return rows.map(({ name }) => name);
    },
  };
};

async function readChannelRow(tx: Tx, team_id: string, id: string): Promise<Row> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)}
    from channels c
    where c.team_id = ${team_id}
      and c.id = ${id}`;
  if (!row) throw new ApiError('channel_not_found');
  return row;
}

async function lastDeliveries(sql: Sql, ids: string[]): Promise<Map<string, ChannelDelivery>> {
  const rows = await sql<(ChannelDelivery & { channel_id: string })[]>`
    select c.channel_id, d.*
    from unnest(${ids}::text[]) c (channel_id)
    cross join lateral (
      select ${deliveryColumns(sql)}
      from channel_deliveries d
      where d.channel_id = c.channel_id
      order by d.created_at desc, d.id desc
      limit 1
    ) d`;
  return new Map(rows.map(({ channel_id, ...row }) => [channel_id, row]));
}

const columns = (tx: Tx) => tx`c.id, c.name, c.type, c.sealed, c.key_id, c.events, c.is_active, c.off_reason, c.created_at`;
