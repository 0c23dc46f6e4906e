import assert from 'node:assert/strict';
import { until } from '../../apps/server/test/platform.ts';
import { apiOf } from '../../apps/server/test/server.ts';
import { smtpServer } from '../../apps/server/test/smtp.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { dieAt, startWorld } from '../world.ts';

export const faults: Fault[] = [
  {
    id: 'server-killed-mail-handed-over',
    fault: 'kill -9 of the server when the SMTP server has accepted a mail and that is not noted',
    expected: 'the mail goes once more, under the same Message-ID, and no third time; sign-ups are answered all the while',
    failpoints: ['mail-handed-over'],
    async run(_seed, scope) {
      const { url, received } = await smtpServer(scope);
      const world = await startWorld(scope, { PADDOCK_SMTP_URL: url });
      await until('the mails of the start are sent', async () => (await world.sql`select 1 from mails where sent_at is null`).length === 0);
      received.length = 0;
      const signUp = (email: string) => apiOf(world.paddock.origin).accounts.signup({ email, password: 'correct horse', name: 'Ada' });
      await dieAt(world, 'mail-handed-over', () => signUp('twice@example.com'));
      assert.equal(received.length, 1);
      await world.sql`update mails set next_try_at = now() where sent_at is null`; // the killed server's attempt could otherwise take up to 90 s
      await signUp('once@example.com');
      await until('all are noted', async () => (await world.sql`select 1 from mails where sent_at is null`).length === 0);
      const ids = (address: string) => received.filter(({ recipients }) => recipients.includes(address)).map(({ messageId }) => messageId);
      const [first, second, ...more] = ids('twice@example.com');
      assert.deepEqual([second, more], [first, []]);
      assert.equal(ids('once@example.com').length, 1);
      return `sent twice as ${first?.slice(0, 12)}…; ${await checkInvariants(world)}`;
    },
  },
];
