import { setTimeout as sleep } from 'node:timers/promises';
import { type Platform, visit } from '../apps/server/test/platform.ts';

export type Visitor = ReturnType<typeof startVisitor>;

/** Visits an address with a short pause between visits, and collects every unexpected response with the time of day. */
export function startVisitor(
  { gatewayPort, pauseMs = 20 }: Pick<Platform, 'gatewayPort'> & { pauseMs?: number },
  host: string,
  isWanted: (answer: string) => boolean,
) {
  const wrong: string[] = [];
  let done = false;
  let visits = 0;
  let maxMs = 0;
  let last = '';
  const running = (async () => {
    while (!done) {
      const begun = performance.now();
      last = await visit(gatewayPort, host, '/', {}).then(
        ({ status, body }) => `${status} ${body}`,
        (error: Error) => error.message,
      );
      maxMs = Math.max(maxMs, performance.now() - begun);
      visits += 1;
      if (!isWanted(last) && wrong.length < 1000) wrong.push(`${new Date().toISOString().slice(11, 23)} ${last.slice(0, 200)}`);
      await sleep(pauseMs);
    }
  })();
  return {
    /** Returns the figures since the last call; throws when an unexpected response was among them. */
    check(): { visits: number; longest_ms: number } {
      const seen = { visits, longest_ms: Math.round(maxMs) };
      const broken = wrong.splice(0);
      [visits, maxMs] = [0, 0];
      if (broken.length) throw new Error(`${broken.length} of ${seen.visits} visits went wrong: ${broken.slice(0, 5).join('; ')}`);
      return seen;
    },
    last: () => last,
    async stop() {
      done = true;
      await running;
    },
  };
}
