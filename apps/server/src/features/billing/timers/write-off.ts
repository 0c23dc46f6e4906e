import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import type { ApplyEvent } from '../account/apply-event.ts';
import type { DeliverOutbox } from '../payments/outbox.ts';
import type { WriteOffStore } from './write-off-store.ts';

interface Deps {
  store: WriteOffStore;
  handle: ApplyEvent;
  handOver: DeliverOutbox;
  log: Log;
  now: () => Date;
}

/** Writes off the debts of teams that the operator named in `billing_write_offs`. */
export function writeOffJob({ store, handle, handOver, log, now }: Deps): () => Promise<void> {
  const each = createIsolatedLoop(log, 'writing off a debt');
  return async () => {
    await each(
      await store.teams(),
      (team_id) => team_id,
      async (team_id) => {
        const at = now().getTime();
        const handled = await handle(team_id, {
          event: ({ open }) => ({ id: `written_off ${open?.id ?? at}`, at, name: 'debt_written_off' }),
        });
        if (handled === undefined || handled.refused !== undefined) log.warn({ team_id }, 'team has no debt to write off');
        else log.info({ team_id }, 'debt of a team written off');
        await handOver(team_id);
        await store.done(team_id);
      },
    );
  };
}
