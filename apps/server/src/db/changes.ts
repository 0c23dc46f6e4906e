import { EventEmitter } from 'node:events';
import type { Sql } from './connect.ts';

export type Channel = 'changes' | 'work' | 'routes' | 'log_lines' | 'mails' | 'databases' | 'deliveries' | 'policies' | 'secrets';
export type Changes = Awaited<ReturnType<typeof listenForChanges>>;

/**
 * Each server has one LISTEN connection. Payloads are only ids, and a notification may be missed while the connection is down:
 * after each reconnect every waiter is woken (payload ''), and waiters read the tables themselves.
 */
export async function listenForChanges(sql: Sql) {
  const emitter = new EventEmitter().setMaxListeners(0);
  const channels: Channel[] = ['changes', 'work', 'log_lines', 'mails', 'databases', 'deliveries', 'policies', 'secrets'];
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
    /** Resolves on a notification with this payload, or a reconnect; at the latest after `maxMs` or when the signal aborts. */
    wait(channel: Channel, { payload, maxMs }: { payload: string; maxMs: number }, signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          emitter.off(channel, heard);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const heard = (given: string) => {
          if (given === '' || given === payload) done();
        };
        const timer = setTimeout(done, maxMs);
        emitter.on(channel, heard);
        signal.addEventListener('abort', done);
        if (signal.aborted) done();
      });
    },
    /** Wakes every waiter, as after a reconnect. */
    wakeAll() {
      for (const channel of channels) emitter.emit(channel, '');
    },
    async close() {
      await Promise.all(subscriptions.map((subscription) => subscription.unlisten()));
    },
  };
}
