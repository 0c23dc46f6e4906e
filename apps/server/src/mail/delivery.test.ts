import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import PostalMime from 'postal-mime';
import { until } from '../../test/platform.ts';
import { startApi } from '../../test/server.ts';
import { smtpError, smtpServer } from '../../test/smtp.ts';
import { createLog } from '../log.ts';
import { type DeliveryParts, startDelivery } from './delivery.ts';
import { outbox } from './outbox.ts';
import { mailQueue } from './queue.ts';
import { smtp } from './smtp.ts';
import { mailStore } from './store.ts';

const publicUrl = 'https://paddock.example';
const row = async ({ sql }: Pick<World, 'sql'>) =>
  (await sql<Row[]>`select *, extract(epoch from next_try_at - now())::float8 as in_s from mails`)[0]!;
type Row = {
  id: string;
  attempts: number;
  last_error: string | null;
  sealed: unknown;
  sent_at: string | null;
  given_up_at: string | null;
  in_s: number;
};
type World = Awaited<ReturnType<typeof world>>;

/** A queue, and servers that send its mails. */
async function world(t: TestContext) {
  const { sql, changes, seal, dataDir } = await startApi(t);
  const said: { msg: string; mail?: string; link?: string }[] = [];
  const log = createLog('silent');
  for (const level of ['info', 'warn', 'error'] as const)
    Object.assign(log, { [level]: (fields: object, msg: string) => void said.push({ ...fields, msg }) });
  const deliver = (parts: Pick<DeliveryParts, 'transport' | 'graceMs'>) => {
    const delivery = startDelivery({
      store: mailStore(sql),
      seal,
      publicUrl,
      from: 'Paddock <paddock@paddock.example>',
      changes,
      log,
      ...parts,
    });
    t.after(() => delivery.close());
    return delivery;
  };
  /** Makes mails that wait for their next attempt due, as if time had passed. */
  const skipPause = async () => {
    await sql`update mails set next_try_at = now() where sent_at is null`;
    await sql`select pg_notify('mails', '')`;
  };
  return { sql, seal, dataDir, said, log, deliver, skipPause, send: mailQueue(sql, seal) };
}

test('a queued mail is received by an SMTP server as text and HTML with its link, and its text is erased here', async (t) => {
  const w = await world(t);
  const { url, received } = await smtpServer(t);
  w.deliver({ transport: smtp(url) });
  await w.send('verify-email', { to: 'Ada@example.com', data: { name: 'Ada Lovelace', token: 'the-token' } });
  await until('the mail is noted as sent', async () => (await row(w)).sent_at !== null);
  const [mail] = received;
  assert.deepEqual(
    [mail?.recipients, mail?.from, mail?.to],
    [['Ada@example.com'], { address: 'paddock@paddock.example', name: 'Paddock' }, [{ address: 'Ada@example.com', name: '' }]],
  );
  assert.equal(mail?.subject, 'Verify your e-mail address');
  for (const body of [mail?.text, mail?.html]) assert.ok(body?.includes(`${publicUrl}/verify-email#token=the-token`), body);
  assert.equal(mail?.messageId, `<${(await row(w)).id}@paddock.example>`);
  assert.equal((await row(w)).sealed, null);
});

test('a mail that is queued in a transaction leaves only if the transaction commits', async (t) => {
  const w = await world(t);
  const { url, received } = await smtpServer(t);
  await assert.rejects(
    w.sql.begin(async (tx) => {
      await w.send('account-exists', { to: 'never@example.com', data: { name: 'Ada' } }, tx);
      throw new Error('changed my mind');
    }),
  );
  await w.sql.begin((tx) => w.send('account-exists', { to: 'ada@example.com', data: { name: 'Ada' } }, tx));
  w.deliver({ transport: smtp(url) });
  await until('a mail came', async () => received.length > 0);
  assert.deepEqual(
    received.map((mail) => mail.recipients),
    [['ada@example.com']],
  );
});

test('two servers send a hundred mails once each', async (t) => {
  const w = await world(t);
  const { url, received } = await smtpServer(t);
  const wanted = Array.from({ length: 100 }, (_, turn) => `p${turn}@example.com`);
  for (const _ of [1, 2]) w.deliver({ transport: smtp(url) });
  await Promise.all(wanted.map((to) => w.send('account-exists', { to, data: { name: 'Ada' } })));
  await until('all are noted as sent', async () => (await w.sql`select 1 from mails where sent_at is null`).length === 0);
  assert.deepEqual(received.flatMap((mail) => mail.recipients).sort(), wanted.sort());
});

test('while the SMTP server refuses (550), mail is tried again ever more seldom, said once, and sent once in the end', async (t) => {
  const w = await world(t);
  let isDown = true;
  const { url, received } = await smtpServer(t, async () => {
    if (isDown) throw smtpError(550, 'no such mailbox today');
  });
  w.deliver({ transport: smtp(url) });
  await w.send('account-exists', { to: 'ada@example.com', data: { name: 'Ada' } });
  const pauses: number[] = [];
  for (let tries = 1; tries <= 8; tries++) {
    // An attempt in progress holds the mail for 90 seconds, which equals none of the pauses.
    await until(`try ${tries} failed`, async () => (await row(w)).attempts === tries && Math.abs((await row(w)).in_s - 90) > 10);
    pauses.push((await row(w)).in_s);
    if (tries === 8) isDown = false;
    await w.skipPause();
  }
  await until('it was sent', async () => (await row(w)).sent_at !== null);
  assert.ok(
    pauses.every((pause, at) => at === 0 || pause > pauses[at - 1]!),
    `pauses of ${pauses.map(Math.round).join(', ')} s`,
  );
  assert.equal(received.length, 1);
  assert.deepEqual(
    w.said.map(({ msg }) => msg),
    ['sending a mail failed; retrying'],
  );
});

test('an SMTP server that is gone, is silent, talks nonsense, or knows no TLS where it is required leaves the mail queued with the reason', async (t) => {
  const w = await world(t);
  const sockets = new Set<Socket>();
  const odd = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('\u0000\u0001 teapot\r\n'));
    socket.write('HTTP/1.1 200 OK\r\n\r\n<html>');
  }).listen(0, '127.0.0.1');
  await once(odd, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    odd.close();
  });
  const { port } = odd.address() as AddressInfo;
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const gone = await smtpServer(t);
  gone.close();
  const clear = await smtpServer(t);
  for (const [url, reason] of [
    [`smtp://127.0.0.1:${port}`, /greeting/i],
    [`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}/?greetingTimeout=300`, /greeting/i],
    [gone.url, /ECONNREFUSED/],
    [`${clear.url}/?requireTLS=true`, /TLS/],
  ] as const) {
    await w.sql`delete from mails`;
    const delivery = w.deliver({ transport: smtp(url) });
    await w.send('account-exists', { to: 'ada@example.com', data: { name: 'Ada' } });
    await until('the reason is noted', async () => (await row(w)).last_error !== null);
    const { last_error, sent_at, given_up_at, sealed } = await row(w);
    assert.match(last_error ?? '', reason);
    assert.ok(sent_at === null && given_up_at === null && sealed !== null, 'it waits');
    await delivery.close();
  }
});

test('a mail is given up after a day, one with a link when the link is too old, and both stay to be seen', async (t) => {
  const w = await world(t);
  const { url, received } = await smtpServer(t, async () => {
    throw smtpError(451, 'later');
  });
  await w.send('account-exists', { to: 'ada@example.com', data: { name: 'Ada' } });
  await w.send('reset-password', { to: 'bob@example.com', data: { name: 'Bob', token: 'old' } });
  await w.sql`update mails set created_at = now() - case template when 'reset-password' then interval '61 minutes' else interval '23 hours 59 minutes 58 seconds' end`;
  w.deliver({ transport: smtp(url) });
  await until('both are given up', async () => (await w.sql`select 1 from mails where given_up_at is null`).length === 0);
  const rows = await w.sql<
    { template: string; last_error: string; sealed: null }[]
  >`select template, last_error, sealed from mails order by template`;
  assert.deepEqual(
    rows.map((one) => [one.template, one.sealed]),
    [
      ['account-exists', null],
      ['reset-password', null],
    ],
  );
  assert.match(rows[0]?.last_error ?? '', /later/);
  assert.match(rows[1]?.last_error ?? '', /longer than it is of use/);
  assert.deepEqual(
    w.said.map(({ msg }) => msg),
    ['mail abandoned', 'mail abandoned'],
  );
  assert.deepEqual(received, []);
  await w.sql`update mails set given_up_at = given_up_at - interval '31 days'`;
  await mailStore(w.sql).sweep();
  assert.equal((await w.sql`select 1 from mails`).length, 0);
});

test('a server that ends hands back what it could not send, and the next one sends it at once', async (t) => {
  const w = await world(t);
  const stuck = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const slow = w.deliver({
    graceMs: 100,
    transport: async (_mail, signal) => {
      reached.resolve();
      signal.addEventListener('abort', () => stuck.reject(signal.reason));
      await stuck.promise;
    },
  });
  await w.send('account-exists', { to: 'ada@example.com', data: { name: 'Ada' } });
  await reached.promise;
  await slow.close();
  const { url, received } = await smtpServer(t);
  w.deliver({ transport: smtp(url) });
  // Before its lease ends (90 s), after which any server may send it.
  await until('it came', async () => received.length === 1);
});

test('without SMTP a mail becomes a file that only the server may read, and its link stands in the log', async (t) => {
  const w = await world(t);
  const folder = join(w.dataDir, 'outbox');
  w.deliver({ transport: outbox(folder, w.log) });
  for (let turn = 0; turn < 3; turn++)
    await w.send('reset-password', { to: 'ada@example.com', data: { name: 'Ada', token: `token-${turn}` } });
  await until('all are written', async () => (await w.sql`select 1 from mails where sent_at is null`).length === 0);
  const files = (await readdir(folder)).sort();
  assert.equal(files.length, 3);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal((await stat(join(folder, files[0]!))).mode & 0o777, 0o600);
  const mail = await PostalMime.parse(await readFile(join(folder, files[0]!)));
  assert.ok(mail.text?.includes(`${publicUrl}/reset-password#token=token-0`), mail.text);
  assert.deepEqual(
    w.said.map(({ link }) => String(link)).sort(),
    [0, 1, 2].map((turn) => `${publicUrl}/reset-password#token=token-${turn}`),
  );
});

test('the outbox keeps the latest 200 mails', async (t) => {
  const w = await world(t);
  const folder = join(w.dataDir, 'outbox');
  const write = outbox(folder, w.log);
  const id = (turn: number) => `mail_${String(turn).padStart(4, '0')}`;
  for (let turn = 0; turn < 203; turn++) {
    const rest = { template: 'alert', from: 'a@b.c', to: 'a@b.c', date: new Date(), subject: 's', text: 't', html: 'h', link: undefined };
    await write({ ...rest, id: id(turn), message_id: `<${turn}@x>` }, AbortSignal.timeout(1000));
  }
  const files = (await readdir(folder)).sort();
  assert.deepEqual([files.length, files[0]], [200, `${id(3)}.eml`]);
});
