import type { Tx } from '../../../db/connect.ts';

/** The columns of a delivery for display. */
export const deliveryColumns = (tx: Tx) => tx`
  d.id, d.event, d.status, d.attempts, d.response_status, d.response_text, d.error, d.created_at, d.delivered_at,
  case when d.status = 'pending' then d.next_attempt_at end as next_attempt_at`;
