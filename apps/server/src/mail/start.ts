import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Core } from '../core.ts';
import { startNotifiedLoop } from '../jobs/notified-loop.ts';
import type { LoadDocument } from './attachments.ts';
import { startDelivery } from './delivery.ts';
import { outbox } from './outbox.ts';
import { smtp } from './smtp.ts';
import { mailStore } from './store.ts';

interface Deps {
  core: Pick<Core, 'sql' | 'seal' | 'changes' | 'log'>;
  config: Pick<Config, 'smtpUrl' | 'dataDir' | 'publicUrl' | 'mailFrom'>;
  answerReset: () => Promise<boolean>;
  documentOf: LoadDocument;
}

/** Answers requests for reset links, and sends queued mails. */
export function startMail({ core: { sql, seal, changes, log }, config, answerReset, documentOf }: Deps) {
  const transport = config.smtpUrl ? smtp(config.smtpUrl) : outbox(join(config.dataDir, 'outbox'), log);
  const answering = startNotifiedLoop({ changes, channel: 'mails', log }, answerReset);
  const delivery = startDelivery({
    store: mailStore(sql),
    seal,
    transport,
    publicUrl: config.publicUrl,
    from: config.mailFrom,
    changes,
    log,
    documentOf,
  });
  return {
    async close() {
      await Promise.all([answering.close(), delivery.close()]);
    },
  };
}
