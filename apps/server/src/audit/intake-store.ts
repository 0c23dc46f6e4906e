import type { AuditEvent } from '@paddock/audit';
import type { Tx } from '../db/connect.ts';

/** Adds an event to the audit trail. It is recorded if, and only if, the transaction is committed. */
export async function insertEvent(tx: Tx, event: AuditEvent): Promise<void> {
  await tx`
    insert into audit_intake (event)
    values (${tx.json(event as never)})`;
}
