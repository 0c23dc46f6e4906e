import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startPlatform, until } from '../../test/platform.ts';
import { apiOf } from '../../test/server.ts';
import { smtpServer } from '../../test/smtp.ts';
import { connect } from '../db/connect.ts';

test('over a slow SMTP server and the death of ours, a sign-up is answered at once and its mail comes once, with a link that verifies', async (t) => {
  const asked: string[] = [];
  let isSlow = true;
  const { url, received } = await smtpServer(t, async (address) => {
    asked.push(address);
    if (isSlow) await new Promise(() => undefined);
  });
  const paddock = await startPlatform(t, {
    PADDOCK_SMTP_URL: url,
    PADDOCK_MAIL_FROM: 'Support <help@paddock.example>',
    PADDOCK_PUBLIC_URL: 'https://paddock.example',
    PADDOCK_LOG_LEVEL: 'info',
  });
  const email = 'ada@example.com';
  const api = apiOf(paddock.origin);
  await api.accounts.signup({ email, password: 'correct horse', name: 'Ada' }); // the SMTP server does not respond
  await until('the mail is being handed over', async () => asked.length > 0);
  await paddock.kill();
  isSlow = false;
  const sql = connect(paddock.databaseUrl, { max: 1 });
  await sql`update mails set next_try_at = now()`; // skips the minute and a half of the killed server's lease
  await sql.end();
  await paddock.boot();

  await until('the mail came', async () => received.length > 0);
  const [mail] = received;
  assert.deepEqual(mail?.from, { address: 'help@paddock.example', name: 'Support' });
  const token = /https:\/\/paddock\.example\/verify-email#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const { token: session } = await api.accounts.login({ email, password: 'correct horse' });
  const me = () => apiOf(paddock.origin, session).accounts.me();
  assert.equal((await me()).email_verified, false);
  await api.accounts.verify({ token });
  assert.equal((await me()).email_verified, true);

  await api.accounts.forgot({ email });
  await api.accounts.forgot({ email: 'nobody@example.com' });
  await until('the second mail came', async () => received.length > 1);
  const reset = /\/reset-password#token=([\w-]+)/.exec(received[1]?.text ?? '')?.[1] ?? '';
  await api.accounts.reset({ token: reset, password: 'a quite new password' });
  await assert.rejects(me(), { code: 'not_signed_in' });
  await until('the third mail came', async () => received.length > 2);
  assert.deepEqual(
    received.map(({ subject }) => subject),
    ['Verify your e-mail address', 'Set a new password', 'Your password was changed'],
  );
  assert.deepEqual([...new Set(received.flatMap(({ recipients }) => recipients))], [email], 'nobody else got mail');

  const log = await readFile(paddock.log_file, 'utf8');
  for (const secret of [token, reset, session]) assert.ok(!log.includes(secret), 'a secret stands in the log');
});
