import { eachOf } from '../../../jobs/each.ts';
import type { Log } from '../../../log.ts';
import type { PaymentProvider } from '../../../payments/provider.ts';
import type { LookStore } from './look-store.ts';
import type { TakeNews } from './news.ts';

const mostAtOnce = 100;
const longestPauseMs = 3_600_000;

interface Parts {
  store: LookStore;
  provider: PaymentProvider;
  news: TakeNews;
  log: Log;
  now: () => Date;
}

/** Polls the provider for results of payments without a webhook event, each after longer pauses, up to an hour. */
export function lookingAgain({ store, provider, news, log, now }: Parts): () => Promise<void> {
  const each = eachOf(log, 'looking at a payment');
  return async () => {
    await each(
      await store.due(now(), mostAtOnce),
      ({ team_id }) => team_id,
      async (undecided) => {
        const { team_id, invoice_id, looks } = undecided;
        const pauseMs = Math.min(longestPauseMs, provider.pollAfterMs * 2 ** Math.min(looks, 20));
        await store.later(undecided, new Date(now().getTime() + pauseMs));
        await news({ team_id, invoice_id }, await provider.look({ team_id, invoice_id }));
      },
    );
  };
}
