import type { Changes } from '../db/changes.ts';
import { patiently } from '../db/patiently.ts';
import { onNotice } from '../jobs/on-notice.ts';
import type { Log } from '../log.ts';
import type { Seal } from '../secrets/seal.ts';
import { compose } from './compose.ts';
import { mailedLinks } from './links.ts';
import { openMail } from './queue.ts';
import type { ClaimedMail, MailStore } from './store.ts';
import type { Transport } from './transport.ts';

const atOnce = 4;
/** One try takes at most this; the lease is longer, so nobody else sends meanwhile. */
const tryMs = 60_000;
const leaseS = 90;
/** What is under way when the server ends may end. */
const graceMs = 10_000;
/** Seconds until the next try; the last one repeats. */
const pauses = [5, 15, 60, 300, 900, 1800, 3600, 10_800];
const usefulS = 24 * 3600;

export interface DeliveryParts {
  store: MailStore;
  seal: Seal;
  transport: Transport;
  publicUrl: string;
  from: string;
  changes: Changes;
  log: Log;
}

/**
 * Sends what is queued, a few at a time; any number of servers may do so. A mail is sent at least once: when a server is killed between the other
 * side's acceptance and our note of it, the mail goes again, with the same Message-ID.
 */
export function startDelivery({ store, seal, transport, publicUrl, from, changes, log }: DeliveryParts) {
  const closing = new AbortController();
  const running = new Map<string, Promise<void>>();
  const { sent } = patiently({ sent: store.sent }, closing.signal);

  const loop = onNotice(changes, 'mails', log, async () => {
    if (running.size >= atOnce) return false;
    const mail = await store.claim(leaseS, [...running.keys()]);
    if (!mail) return false;
    const done = attempt(mail)
      .catch((error: unknown) => log.error({ err: error, mail: mail.id }, 'what became of a mail could not be noted; it is tried again'))
      .finally(() => {
        running.delete(mail.id);
        loop.wake();
      });
    running.set(mail.id, done);
    return true;
  });

  async function attempt(mail: ClaimedMail) {
    const useful =
      mail.template in mailedLinks ? Math.min(usefulS, mailedLinks[mail.template as keyof typeof mailedLinks].lifetime_s) : usefulS;
    if (mail.age_s > useful) return giveUp(mail, mail.last_error ?? 'It waited for longer than it is of use');
    try {
      await send(mail);
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      const in_s = closing.signal.aborted ? 0 : (pauses[mail.attempts - 1] ?? pauses.at(-1)!);
      if (mail.age_s + in_s > useful) return giveUp(mail, reason);
      // Said once, and again when the reason is another: not at every try.
      if (reason !== mail.last_error && !closing.signal.aborted)
        log.warn(
          { mail: mail.id, template: mail.template, reason, tries: mail.attempts, next_try_in_s: in_s },
          'a mail could not be sent; it is tried again',
        );
      return void (await store.retry(mail, in_s, reason));
    }
    // failpoint: mail-handed-over
    await sent(mail.id);
  }

  async function send(mail: ClaimedMail) {
    const composed = compose(openMail(seal, mail), publicUrl);
    const outgoing = {
      id: mail.id,
      template: mail.template,
      from,
      to: mail.to_address,
      date: new Date(mail.created_at),
      message_id: `<${mail.id}@${new URL(publicUrl).hostname.replace(/[[\]:]/g, '')}>`,
      ...composed,
    };
    await transport(outgoing, AbortSignal.any([closing.signal, AbortSignal.timeout(tryMs)]));
  }

  async function giveUp(mail: ClaimedMail, reason: string) {
    log.error({ mail: mail.id, template: mail.template, reason, tries: mail.attempts }, 'a mail was given up');
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
