import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '@paddock/contract';
import { WebSocket } from 'ws';
import type { Api } from '../apps/server/test/server.ts';

export type Reader = ReturnType<typeof followLog>;

/** Follows a live log as the console does: after each disconnect it reconnects from the last number that it has. */
export function followLog({ origin, api }: { origin: string; api: Api }, id: string, { cutEveryMs }: { cutEveryMs?: number } = {}) {
  const lines: LogLine[] = [];
  const arrivals: number[] = [];
  let isStopped = false;
  let connections = 0;
  let socket: WebSocket | undefined;
  const running = run();

  async function run() {
    while (!isStopped) {
      const { ticket } = await api.logs.ticket({ id });
      if (isStopped) return;
      const own = new WebSocket(`${origin.replace('http', 'ws')}/ws/logs/${id}?token=${ticket}&after=${lines.at(-1)?.number ?? 0}`);
      socket = own;
      connections += 1;
      const cut = cutEveryMs === undefined ? undefined : setTimeout(() => own.terminate(), cutEveryMs);
      await new Promise<void>((resolve) => {
        own.on('message', (frame: Buffer) => {
          const now = Date.now();
          for (const line of JSON.parse(frame.toString()) as LogLine[]) {
            lines.push(line);
            arrivals.push(now);
          }
        });
        own.on('error', () => own.terminate());
        own.on('close', () => resolve());
      });
      clearTimeout(cut);
      if (!isStopped && cutEveryMs === undefined) await sleep(100);
    }
  }

  return {
    lines,
    connections: () => connections,
    /** Milliseconds from when the agent wrote `line NAME n TIME` until the line arrived here. */
    lags(name: string) {
      const late = lines
        .map((line, i) => ({ line, at: arrivals[i]! }))
        .filter(({ line }) => line.message.startsWith(`line ${name} `))
        .map(({ line, at }) => at - Number(line.message.split(' ')[3]))
        .sort((a, b) => a - b);
      const of = (share: number) => late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? Number.NaN;
      return { p50: of(0.5), p99: of(0.99), most: of(1) };
    },
    async stop() {
      isStopped = true;
      socket?.terminate();
      await running;
    },
  };
}
