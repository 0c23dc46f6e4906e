import { EventEmitter } from 'node:events';
import type { Sql } from './connect.ts';

export type Channel = 'changes' | 'work' | 'routes' | 'log_lines' | 'mails' | 'databases';
export type Changes = Awaited<ReturnType<typeof listenForChanges>>;

/**
 * One LISTEN connection per server. Payloads are ids only, and a notice may be missed while the connection is down:
 * after each reconnect every waiter is woken (payload ''), and waiters look at the tables themselves.
 */
export async function listenForChanges(sql: Sql) {
  const emitter = new EventEmitter().setMaxListeners(0);
  const channels: Channel[] = ['changes', 'work', 'log_lines', 'mails', 'databases'];
  const subscriptions = await Promise.all(
    channels.map((channel) =>
      sql.listen(
        channel,
        (payload) => emitter.emit(channel, payload),
        () => emitter.emit(channel, ''),
      ),
    ),
  );
  return {
    on(channel: Channel, listener: (payload: string) => void): () => void {
      emitter.on(channel, listener);
      return () => emitter.off(channel, listener);
    },
    /** Resolves when `wanted` (or a reconnect) is announced, at the latest after `ms` or when the signal aborts. */
    wait(channel: Channel, wanted: string, ms: number, signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          emitter.off(channel, heard);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const heard = (payload: string) => {
          if (payload === '' || payload === wanted) done();
        };
        const timer = setTimeout(done, ms);
        emitter.on(channel, heard);
        signal.addEventListener('abort', done);
        if (signal.aborted) done();
      });
    },
    /** Lets every waiter look again, as after a reconnect. */
    wakeAll() {
      for (const channel of channels) emitter.emit(channel, '');
    },
    async close() {
      await Promise.all(subscriptions.map((subscription) => subscription.unlisten()));
    },
  };
}
