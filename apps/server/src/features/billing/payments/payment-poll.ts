import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import type { PaymentProvider } from '../../../payments/provider.ts';
import type { PollStore } from './poll-store.ts';
import type { UpdatePayment } from './provider-events.ts';

const maxPerRun = 100;
const maxPauseMs = 3_600_000;

interface Deps {
  store: PollStore;
  provider: PaymentProvider;
  news: UpdatePayment;
  log: Log;
  now: () => Date;
}

/** Polls the provider for results of payments without a webhook event, each after longer pauses, up to an hour. */
export function paymentPollJob({ store, provider, news, log, now }: Deps): () => Promise<void> {
  const each = createIsolatedLoop(log, 'polling a payment');
  return async () => {
    await each(
      await store.due(now(), maxPerRun),
      ({ team_id }) => team_id,
      async (undecided) => {
        const { team_id, invoice_id, looks } = undecided;
        const pauseMs = Math.min(maxPauseMs, provider.pollAfterMs * 2 ** Math.min(looks, 20));
        await store.postpone(undecided, new Date(now().getTime() + pauseMs));
        await news({ team_id, invoice_id }, await provider.retrievePayment({ team_id, invoice_id }));
      },
    );
  };
}
