import { join } from 'node:path';
import type { Config } from '../config.ts';
import { onNotice } from '../jobs/on-notice.ts';
import type { Parts } from '../parts.ts';
import { startDelivery } from './delivery.ts';
import type { DocumentOf } from './enclosing.ts';
import { outbox } from './outbox.ts';
import { smtp } from './smtp.ts';
import { mailStore } from './store.ts';

interface Given {
  parts: Pick<Parts, 'sql' | 'seal' | 'changes' | 'log'>;
  config: Pick<Config, 'smtpUrl' | 'dataDir' | 'publicUrl' | 'mailFrom'>;
  answerReset: () => Promise<boolean>;
  documentOf: DocumentOf;
}

/** Answers requests for reset links, and sends queued mails. */
export function startMail({ parts: { sql, seal, changes, log }, config, answerReset, documentOf }: Given) {
  const transport = config.smtpUrl ? smtp(config.smtpUrl) : outbox(join(config.dataDir, 'outbox'), log);
  const answering = onNotice({ changes, channel: 'mails', log }, answerReset);
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
