import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { channelWorld } from '../../test/channels.ts';
import { agentIncidents, crashLoop, databaseIncidents, type Incident, modelBudget } from '../../test/incidents.ts';
import { until } from '../../test/platform.ts';
import { receiver } from '../../test/receiver.ts';
import { smtpServer } from '../../test/smtp.ts';
import { createLog } from '../log.ts';
import { startDelivery } from '../mail/delivery.ts';
import { smtp } from '../mail/smtp.ts';
import { mailStore } from '../mail/store.ts';

interface Told {
  type: string;
  data: { id: string; message: string };
}

test('each kind of alert opens once and closes once in its incident; an SMTP server and a webhook that checks the signature hear of each', async (t) => {
  const world = await channelWorld(t);
  const { sql, seal, changes, features } = world;
  const team = await world.team();
  await sql`update users set email_verified = true`; // mails to unverified addresses omit the texts of alerts
  const mailServer = await smtpServer(t);
  const from = 'Paddock <paddock@paddock.example>';
  const mails = startDelivery({
    ...{ store: mailStore(sql), seal, publicUrl: 'http://localhost:4000', from, changes, log: createLog('silent', process.stderr) },
    transport: smtp(mailServer.url),
  });
  t.after(() => mails.close());
  const { received, url } = await receiver(t);
  const { secret } = await team.api.channels.create({ name: 'CI', type: 'webhook', url, events: ['alert.opened', 'alert.resolved'] });
  world.deliver();
  const told = () => received.map(({ headers, body }) => new Webhook(secret!).verify(body, headers) as Told);
  const jobs = Object.values(features).flatMap((feature) => feature.jobs);
  const judge = async () => {
    for (const { name, run } of jobs) if (name === 'alert-rule.evaluate') await run(AbortSignal.timeout(10_000));
  };

  const parts = { sql, alerts: world.alerts, team };
  const incidents: Incident[] = [
    ...(await agentIncidents(parts)),
    await modelBudget(parts),
    await crashLoop(parts),
    ...(await databaseIncidents(parts)),
  ];
  await judge();
  assert.deepEqual((await team.api.alerts.list()).alerts, [], 'all is well at first');
  for (const { begin } of incidents) await begin();
  for (let times = 0; times < 3; times++) await judge();
  await until('each is told', async () => received.length >= incidents.length);
  for (const { end } of incidents) await end();
  for (let times = 0; times < 3; times++) await judge();
  await until('each end is told', async () => received.length >= 2 * incidents.length);
  await until('each is mailed', async () => mailsOf(mailServer.received).length >= incidents.length);

  for (const { message } of incidents) {
    const about = told().filter(({ data }) => message.test(data.message));
    assert.deepEqual(
      about.map(({ type }) => type),
      ['alert.opened', 'alert.resolved'],
      `${message}`,
    );
    assert.equal(new Set(about.map(({ data }) => data.id)).size, 1);
    assert.equal(mailsOf(mailServer.received).filter((text) => text.includes(about[0]!.data.message.slice(0, 40))).length, 1, `${message}`);
  }
  assert.deepEqual([received.length, mailsOf(mailServer.received).length], [2 * incidents.length, incidents.length], 'and nothing else');
  const { alerts, open } = await team.api.alerts.list();
  assert.deepEqual([alerts.length, open], [incidents.length, 0]);
});

const mailsOf = (mails: { text?: string | undefined }[]) =>
  mails.map(({ text = '' }) => text.replaceAll(/\s+/g, ' ')).filter((text) => !/verify/i.test(text));
