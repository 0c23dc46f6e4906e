import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Visit } from './visitor.ts';

export interface Visits {
  count: number;
  /** The reason of each failed visit. */
  failed: string[];
  p50: number;
  p99: number;
  /** p99 of the second half alone: the effect that remains once the platform has noticed the attack. */
  laterP99: number;
}

/** Visits the neighbour from a process of its own, so that nothing else on an event loop delays the measurement. */
export function startVisitor(port: number, host: string) {
  const child = fork(join(import.meta.dirname, 'visitor.ts'), [String(port), host]);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The visitor has ended.')));
  ended.catch(() => 'told to whoever waits for figures');
  const begin = () => void child.send('begin');
  async function end(): Promise<Visits> {
    child.send('end');
    const [list] = (await Promise.race([once(child, 'message'), ended])) as [Visit[]];
    const half = (list.at(-1)?.at ?? 0) / 2;
    const later = list.filter(({ at }) => at >= half);
    return {
      count: list.length,
      failed: list.flatMap(({ failed }) => failed ?? []),
      p50: quantile(list, 0.5),
      p99: quantile(list, 0.99),
      laterP99: quantile(later, 0.99),
    };
  }
  return {
    pid: child.pid ?? 0,
    begin,
    end,
    async during(ms: number): Promise<Visits> {
      begin();
      await sleep(ms);
      return end();
    },
    close: () => child.disconnect(),
  };
}
export type Visitor = ReturnType<typeof startVisitor>;

function quantile(visits: Visit[], share: number): number {
  const sorted = visits.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
