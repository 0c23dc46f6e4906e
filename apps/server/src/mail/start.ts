import { join } from 'node:path';
import type { Config } from '../config.ts';
import { onNotice } from '../jobs/on-notice.ts';
import type { Parts } from '../parts.ts';
import { startDelivery } from './delivery.ts';
import { outbox } from './outbox.ts';
import { smtp } from './smtp.ts';
import { mailStore } from './store.ts';

interface Given {
  parts: Pick<Parts, 'sql' | 'seal' | 'changes' | 'log'>;
  config: Pick<Config, 'smtp_url' | 'data_dir' | 'public_url' | 'mail_from'>;
  answerReset: () => Promise<boolean>;
}

/** Answers requests for reset links, and sends queued mails. */
export function startMail({ parts: { sql, seal, changes, log }, config, answerReset }: Given) {
  const transport = config.smtp_url ? smtp(config.smtp_url) : outbox(join(config.data_dir, 'outbox'), log);
  const answering = onNotice({ changes, channel: 'mails', log }, answerReset);
  const delivery = startDelivery({
    store: mailStore(sql),
    seal,
    transport,
    publicUrl: config.public_url,
    from: config.mail_from,
    changes,
    log,
  });
  return {
    async close() {
      await Promise.all([answering.close(), delivery.close()]);
    },
  };
}
