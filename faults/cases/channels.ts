import assert from 'node:assert/strict';
import { zip } from '../../apps/server/test/archives.ts';
import { until } from '../../apps/server/test/platform.ts';
import { receiver } from '../../apps/server/test/receiver.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { dieAt, startWorld } from '../world.ts';

export const faults: Fault[] = [
  {
    id: 'server-killed-message-handed-over',
    fault: 'kill -9 of the server when a webhook has taken a message and that is not noted',
    expected: 'the message goes once more, under the same webhook-id and with the same body, and no third time',
    failpoints: ['message-handed-over'],
    async run(_seed, scope) {
      const { url, received } = await receiver(scope);
      const world = await startWorld(scope, { PADDOCK_EGRESS_ALLOW: '127.0.0.0/8' });
      const { channel } = await world.api.channels.create({ name: 'CI', type: 'webhook', url, events: ['deployment.failed'] });
      const { id: project_id } = await world.api.projects.create({ name: 'told' });
      const file = zip({ 'notes.txt': 'no agent' });
      await dieAt(world, 'message-handed-over', () => world.api.deployments.create({ project_id, file, file_name: 'a.zip' }));
      assert.equal(received.length, 1);
      await world.sql`update channel_deliveries set next_attempt_at = now() where status = 'pending'`; // the killed server's attempt may last a minute
      await until('it is noted', async () => (await world.sql`select 1 from channel_deliveries where status = 'delivered'`).length === 1);
      const [first, second, ...more] = received.map(({ headers, body }) => [headers['webhook-id'], body]);
      assert.deepEqual([second, more], [first, []]);
      const { deliveries } = await world.api.channels.deliveries({ id: channel.id });
      assert.deepEqual(
        deliveries.map(({ status, attempts }) => [status, attempts]),
        [['delivered', 2]],
      );
      return `sent twice as ${String(first?.[0]).slice(0, 12)}…; ${await checkInvariants(world)}`;
    },
  },
];
