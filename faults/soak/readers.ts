import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../apps/server/test/server.ts';
import type { Chance } from './random.ts';
import type { Slot } from './slot.ts';

const openAtOnce = 8;

/** The source of chance, and the signal that ends the run. */
type Reading = { chance: Chance; signal: AbortSignal };

/** Readers of live logs that come and go. Each checks that its lines are numbered without a gap. */
export function startReaders(
  { api, origin }: { api: Api; origin: string },
  slots: Slot[],
  { chance: { pick, between, next }, signal }: Reading,
) {
  const total = { sockets: 0, lines: 0, gaps: 0, refused: 0 };

  async function read() {
    const { deployment_id } = pick(slots);
    if (!deployment_id) return await sleep(200);
    let after = 0;
    for (let turn = between(1, 3); turn > 0 && !signal.aborted; turn--) {
      const ticket = await api.logs.ticket({ id: deployment_id }).catch(() => undefined);
      if (!ticket) return void (total.refused += 1); // its project was deleted meanwhile
      after = await follow(
        `${origin.replace('http', 'ws')}/ws/logs/${deployment_id}?token=${ticket.ticket}&after=${after}`,
        after,
        between(1, 20) * 1000,
      );
      if (next() < 0.3) return;
    }
  }

  function follow(url: string, after: number, ms: number): Promise<number> {
    return new Promise((resolve) => {
      let last = after;
      const socket = new WebSocket(url);
      total.sockets += 1;
      const timer = setTimeout(() => socket.close(), ms);
      const leave = () => socket.close();
      signal.addEventListener('abort', leave, { once: true });
      socket.addEventListener('message', ({ data }) => {
        for (const { number } of JSON.parse(String(data)) as { number: number }[]) {
          if (number !== last + 1) total.gaps += 1;
          last = number;
          total.lines += 1;
        }
      });
      socket.addEventListener('close', () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        resolve(last);
      });
    });
  }

  const loops = Array.from({ length: openAtOnce }, async () => {
    while (!signal.aborted) await read();
  });
  return { total, done: Promise.all(loops) };
}
