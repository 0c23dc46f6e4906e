import type { Changes } from '../db/changes.ts';
import { retryOutages } from '../db/retry-outages.ts';
import { startNotifiedLoop } from '../jobs/notified-loop.ts';
import type { Log } from '../log.ts';
import type { Seal } from '../secrets/seal.ts';
import { createAttachments, type LoadDocument } from './attachments.ts';
import { compose } from './compose.ts';
import { mailedLinks } from './links.ts';
import { openMail } from './queue.ts';
import type { ClaimedMail, MailStore } from './store.ts';
import type { Transport } from './transport.ts';
import { isForOwner, withoutTypedWords } from './typed-words.ts';

const maxAtOnce = 4;
/** Timeout of an attempt. The lease is longer, so that no other server sends the mail meanwhile. */
const maxTryMs = 60_000;
const leaseSeconds = 90;
const usualGraceMs = 10_000;
/** Pauses before the second, third … attempt; the last pause repeats. */
const pausesSeconds = [5, 15, 60, 300, 900, 1800, 3600, 10_800];
/** A mail older than this is no longer sent. */
const maxAgeSeconds = 24 * 3600;

export interface DeliveryParts {
  store: MailStore;
  seal: Seal;
  transport: Transport;
  publicUrl: string;
  from: string;
  changes: Changes;
  log: Log;
  /** Loads the attachments of mails about invoices; without it there are none. */
  documentOf?: LoadDocument;
  /** Time for mails in progress at shutdown. */
  graceMs?: number;
}

/**
 * Sends queued mails, a few at a time; any number of servers may do so. Delivery is at least once: if a server is killed after the mail was accepted
 * and before that is recorded, the mail is sent again with the same Message-ID.
 */
export function startDelivery({
  store,
  seal,
  transport,
  publicUrl,
  from,
  changes,
  log,
  documentOf = async () => undefined,
  graceMs = usualGraceMs,
}: DeliveryParts) {
  const enclosed = createAttachments({ documentOf, log });
  const closing = new AbortController();
  const running = new Map<string, Promise<void>>();
  const { sent } = retryOutages({ sent: store.sent }, closing.signal);

  const loop = startNotifiedLoop({ changes, channel: 'mails', log }, async () => {
    if (running.size >= maxAtOnce) return false;
    const mail = await store.claim(leaseSeconds, [...running.keys()]);
    if (!mail) return false;
    const done = attempt(mail)
      .catch((error: unknown) => log.error({ err: error, mail: mail.id }, 'recording the result of a mail failed; the mail is retried'))
      .finally(() => {
        running.delete(mail.id);
        loop.wake();
      });
    running.set(mail.id, done);
    return true;
  });

  async function attempt(mail: ClaimedMail) {
    const maxAge = computeMaxAge(mail.template);
    if (mail.age_s > maxAge) return giveUp(mail, mail.last_error ?? 'It waited for longer than it is of use');
    try {
      await send(mail);
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      const pauseSeconds = closing.signal.aborted ? 0 : (pausesSeconds[mail.attempts - 1] ?? pausesSeconds.at(-1)!);
      if (mail.age_s + pauseSeconds > maxAge) return giveUp(mail, reason);
      // Logged at the first failure, and again when the reason changes.
      if (reason !== mail.last_error && !closing.signal.aborted)
        log.warn(
          { mail: mail.id, template: mail.template, reason, tries: mail.attempts, next_try_in_s: pauseSeconds },
          'sending mail failed; retrying',
        );
      await store.retry(mail, pauseSeconds, reason);
      return;
    }
    // failpoint: mail-handed-over
    await sent(mail.id);
  }

  async function send(mail: ClaimedMail) {
    const opened = openMail(seal, mail);
    const isOwned = await isForOwner(opened, () => store.isVerified(mail.to_address));
    const composed = compose(isOwned ? opened : withoutTypedWords(opened), publicUrl);
    const outgoing = {
      id: mail.id,
      template: mail.template,
      from,
      to: mail.to_address,
      date: new Date(mail.created_at),
      message_id: `<${mail.id}@${new URL(publicUrl).hostname.replace(/[[\]:]/g, '')}>`,
      ...composed,
      attachments: isOwned ? await enclosed(mail, opened.data) : [],
    };
    await transport(outgoing, AbortSignal.any([closing.signal, AbortSignal.timeout(maxTryMs)]));
  }

  async function giveUp(mail: ClaimedMail, reason: string) {
    log.error({ mail: mail.id, template: mail.template, reason, tries: mail.attempts }, 'mail failed permanently');
    await store.giveUp(mail, reason);
  }

  return {
    async close() {
      await loop.close();
      const grace = setTimeout(() => closing.abort(), graceMs);
      await Promise.all(running.values());
      clearTimeout(grace);
      closing.abort();
    },
  };
}

/** A mail with a link is useless once the link has expired. */
function computeMaxAge(template: string): number {
  if (!(template in mailedLinks)) return maxAgeSeconds;
  return Math.min(maxAgeSeconds, mailedLinks[template as keyof typeof mailedLinks].lifetimeSeconds);
}
