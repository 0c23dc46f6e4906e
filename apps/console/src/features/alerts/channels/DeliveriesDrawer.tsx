import type { Channel } from '@paddock/contract';
import { channelLimits } from '@paddock/contract/limits';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Drawer } from '../../../ui/overlays/Drawer.tsx';
import { DeliveryRow } from './DeliveryRow.tsx';
import { deliveriesQuery } from './queries.ts';

/** Sent and pending deliveries of a channel, newest first. */
export function DeliveriesDrawer({ channel: { id, name, is_active }, onClose }: { channel: Channel; onClose: () => void }) {
  const deliveries = useInfiniteQuery(deliveriesQuery(id));
  const rows = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Drawer open onClose={onClose} title={`Deliveries of ${name}`}>
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          Each message is retried for up to half a day until the receiver accepts it. Deliveries are kept for {channelLimits.keptDays} days.
        </p>
        {is_active ? null : <Banner tone="warning">The channel is off. Switch it on to send messages again.</Banner>}
        <Loaded query={deliveries} failed="The deliveries could not be loaded. Sending is not affected." skeleton={<Skeleton rows={4} />} />
        {deliveries.data && rows.length === 0 ? (
          <p className="text-muted">Nothing sent yet. The next event sent to the channel appears here.</p>
        ) : null}
        {rows.length > 0 ? (
          <ul aria-label="Deliveries" className="border border-border">
            {rows.map((delivery) => (
              <DeliveryRow key={delivery.id} channelId={id} delivery={delivery} canRetry={is_active} />
            ))}
          </ul>
        ) : null}
        {deliveries.hasNextPage ? (
          <div>
            <Button busy={deliveries.isFetchingNextPage} onClick={() => void deliveries.fetchNextPage()}>
              Load more
            </Button>
          </div>
        ) : null}
      </div>
    </Drawer>
  );
}
