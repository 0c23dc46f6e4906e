import type { ChannelDelivery } from '@paddock/contract';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { deliveryLook, eventWord } from './words.ts';

/** The newest delivery: 'An alert opens, 3 min ago: delivered, status 200', with its error. */
export function LastDelivery({ delivery }: { delivery: ChannelDelivery }) {
  const { event, status, response_status, error, created_at } = delivery;
  return (
    <>
      {eventWord(event)}, <Timestamp at={created_at} />: {deliveryLook(status).word.toLowerCase()}
      {response_status === null ? '' : `, status ${response_status}`}
      {error === null ? null : <span className="block text-error-fg">{error}</span>}
    </>
  );
}
