import type { Changes, Channel } from '../db/changes.ts';
import { isOutage } from '../db/outage.ts';
import type { Log } from '../log.ts';

/** How often one looks without a notice: one may be missed, and some things become due by the clock. */
const idleMs = 5000;

/** Takes turns: at once after a notice, `wake`, or a turn that says there is more to do, else every five seconds. A turn that failed is taken again. */
export function onNotice(changes: Changes, channel: Channel, log: Log, turn: () => Promise<boolean>) {
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
        // An outage is said once, since every turn fails while it lasts; a fault of ours each time.
        if (!failed || !isOutage(error))
          log.warn({ err: error, channel }, 'a turn of background work failed; it is taken again every few seconds');
        failed = true;
      }
      if (more) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, idleMs);
        wake = () => (clearTimeout(timer), resolve());
        if (closing.signal.aborted || (nudged && !failed)) wake(); // a notice that came during the turn
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
