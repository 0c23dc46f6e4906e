import type { TestContext } from 'node:test';
import type { ChannelDelivery } from '@paddock/contract';
import { alertsOf } from './alerts.ts';
import { until } from './platform.ts';
import { type Api, startApi } from './server.ts';

type StartOptions = NonNullable<Parameters<typeof startApi>[1]>;

/** Teams with channels whose targets are on loopback, which is allowed by default. Nothing is sent before `deliver`. */
export async function channelWorld(t: TestContext, around: StartOptions = {}) {
  const started: { close: () => Promise<void> }[] = [];
  // Runs before the database is removed.
  t.after(() => Promise.all(started.map((one) => one.close())));
  const api = await startApi(t, { egressAllow: ['127.0.0.0/8'], ...around });
  const { sql } = api;
  const alerts = alertsOf(api);
  const team = async () => {
    const person = await api.person();
    const { user_id, team_id } = (
      await sql<[{ user_id: string; team_id: string }]>`
        select m.user_id, m.team_id
        from team_members m
        join users u on u.id = m.user_id
        where u.email = ${person.email}`
    )[0];
    return { ...person, user_id, team_id };
  };
  return {
    ...api,
    alerts,
    team,
    deliver(server: Pick<typeof api, 'features'> = api) {
      const deliveries = server.features.channels.exports.start();
      started.push(deliveries);
      return deliveries;
    },
    /** Raises a new alert, which causes a message. */
    happen: (team_id: string, what = 'The disk is full.') =>
      alerts.raise(team_id, { rule: `rule_${what}`, severity: 'critical', title: 'Alert', message: what }),
    /** Makes messages that wait for their next attempt due, as if time had passed. */
    async skipPause() {
      await sql`update channel_deliveries set next_attempt_at = now(), is_tried = false where status = 'pending'`;
      await sql`select pg_notify('deliveries', '')`;
    },
    wake: () => sql`select pg_notify('deliveries', '')`,
  };
}

/** The newest delivery of a channel, once it satisfies `holds`. */
export async function newest(api: Api, id: string, holds: (one: ChannelDelivery) => boolean): Promise<ChannelDelivery> {
  let last: ChannelDelivery | undefined;
  await until('a delivery is as it should be', async () => {
    last = (await api.channels.deliveries({ id })).deliveries[0];
    return last !== undefined && holds(last);
  }).catch((error: unknown) => {
    throw new Error(JSON.stringify(last), { cause: error });
  });
  return last!;
}
