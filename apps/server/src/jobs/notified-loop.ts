import type { Changes, Channel } from '../db/changes.ts';
import { isOutage } from '../db/outage.ts';
import type { Log } from '../log.ts';

/** Time between two turns without a notification: one may be missed, and some work is due by time. */
const idleMs = 5000;

interface Deps {
  changes: Changes;
  channel: Channel;
  log: Log;
}

/** Runs turns: at once after a notification, `wake`, or a turn that has more to do, else every five seconds. A failed turn is retried. */
export function startNotifiedLoop({ changes, channel, log }: Deps, turn: () => Promise<boolean>) {
  const closing = new AbortController();
  let wake: () => void = () => undefined;
  let nudged = false;
  const nudge = () => {
    nudged = true;
    wake();
  };
  const unlisten = changes.on(channel, nudge);

  async function loop() {
    let failed = false;
    while (!closing.signal.aborted) {
      nudged = false;
      let more = false;
      try {
        more = await turn();
        failed = false;
      } catch (error) {
        // An outage is logged once, since every turn fails while it lasts; any other error is logged each time.
        if (!failed || !isOutage(error)) log.warn({ err: error, channel }, 'background work failed; retrying every few seconds');
        failed = true;
      }
      if (more) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, idleMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (closing.signal.aborted || (nudged && !failed)) wake(); // notified during the turn
      });
    }
  }
  const looping = loop();
  return {
    wake: nudge,
    async close() {
      unlisten();
      closing.abort();
      wake();
      await looping;
    },
  };
}
