import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import type { PaymentProvider } from '../../../payments/provider.ts';
import type { ApplyEvent } from './apply-event.ts';
import { endingAt } from './provider-change.ts';
import type { AccountStore } from './store.ts';

const maxAtOnce = 200;

interface Deps {
  store: Pick<AccountStore, 'ofProviders'>;
  handle: ApplyEvent;
  provider: Pick<PaymentProvider, 'id'>;
  log: Log;
}

/** Ends what was paid through another provider and does not count here, for teams without requests or timers. */
export function createProviderChange({ store, handle, provider, log }: Deps): () => Promise<void> {
  const each = createIsolatedLoop(log, 'ending a plan of another payment provider');
  return async () => {
    const teams = await store.ofProviders(endingAt(provider.id), maxAtOnce);
    await each(
      teams,
      (team_id) => team_id,
      (team_id) => handle(team_id, { event: () => undefined }),
    );
    if (teams.length > 0) log.info({ teams: teams.length, provider: provider.id }, 'plans and credit of another payment provider ended');
  };
}
