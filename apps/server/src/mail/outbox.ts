import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Log } from '../log.ts';
import { message, type Transport } from './transport.ts';

/** Beyond this number the oldest files are removed; their names sort by time. */
const maxFiles = 200;

/** For installations without SMTP: writes mails into a folder and their links into the server's log, so that sign-up can be finished offline. */
export function outbox(folder: string, log: Log): Transport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (mail) => {
    const { message: bytes } = await composer.sendMail(message(mail));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${mail.id}.eml`);
    await writeFile(`${file}.part`, bytes, { mode: 0o600 });
    await rename(`${file}.part`, file);
    log.info(
      { to: mail.to, template: mail.template, link: mail.link, file },
      `mail (no PADDOCK_SMTP_URL, so it stays here): ${mail.subject}`,
    );
    const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
    for (const name of files.slice(0, -maxFiles)) await rm(join(folder, name), { force: true });
  };
}
