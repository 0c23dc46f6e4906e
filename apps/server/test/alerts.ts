import type { Sql } from '../src/db/connect.ts';
import { alertStore } from '../src/features/alerts/bell/store.ts';
import { mailQueue } from '../src/mail/queue.ts';
import type { Seal } from '../src/secrets/seal.ts';

/** Alerts with their mails, for tests of features that raise them. */
export const alertsOf = ({ sql, seal }: { sql: Sql; seal: Seal }) => alertStore(sql, mailQueue(sql, seal));
