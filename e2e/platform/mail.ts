import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { place } from './place.ts';

/** Waits for a mail to an address with that subject, and returns the text of the latest. */
export async function mailTo(address: string, subject: string, seconds = 120): Promise<string> {
  for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(100)) {
    const files = await readdir(place().outbox).catch(() => []); // made with the first mail
    for (const file of files
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse()) {
      const mail = await PostalMime.parse(await readFile(join(place().outbox, file)));
      if (mail.subject === subject && mail.to?.[0]?.address?.toLowerCase() === address.toLowerCase()) return mail.text ?? '';
    }
  }
  throw new Error(`no mail "${subject}" came to ${address}`);
}

/** The link in that mail, as a path of the console. */
export async function linkOf(address: string, subject: string): Promise<string> {
  const link = /https?:\/\/[^\s]+#token=[\w-]+/.exec(await mailTo(address, subject))?.[0];
  if (!link) throw new Error(`the mail "${subject}" has no link`);
  const { pathname, hash } = new URL(link);
  return pathname + hash;
}
