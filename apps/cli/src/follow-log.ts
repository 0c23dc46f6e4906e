import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import WebSocket from 'ws';
import type { Server } from './context.ts';
import { withRetries } from './retry.ts';

const maxReconnects = 5;
const openMs = 10_000;
/** The server pings every 15 s; a connection that is silent for more than three pings is dead. */
const silenceMs = 50_000;
const endedByServer = [1008, 4401, 4403];

interface Follow {
  server: Server;
  deploymentId: string;
  after: number;
  onLines: (lines: LogLine[]) => void;
  onReconnect: (attempt: number) => void;
  signal: AbortSignal;
}

/**
 * Delivers every line after a number, in order, none twice, until the log ends or the signal aborts. After a disconnect it continues after
 * the last delivered line. It fails after 5 attempts in a row without a line.
 */
export async function followLog({ server, deploymentId, after, onLines, onReconnect, signal }: Follow): Promise<void> {
  let last = after;
  const take = (lines: LogLine[]) => {
    const fresh = lines.filter(({ number }) => number > last);
    last = fresh.at(-1)?.number ?? last;
    if (fresh.length) onLines(fresh);
  };
  for (let attempt = 0; !signal.aborted; ) {
    const before = last;
    const ended = await connect(server, { id: deploymentId, after: last, take, signal });
    if (ended === 'end' || signal.aborted) return;
    if (last > before || ended === 'restart') attempt = 0;
    attempt += 1;
    if (attempt > maxReconnects)
      throw new ApiError('network', {
        detail: `The live log of ${server.url} was cut ${attempt} times and could not be taken up again. Try again, or without -f.`,
      });
    onReconnect(attempt);
    await sleep(1000 * attempt, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error; // aborted by the caller: the loop ends
    });
  }
}

interface Connection {
  /** Id of the deployment. */
  id: string;
  after: number;
  take: (lines: LogLine[]) => void;
  signal: AbortSignal;
}

async function connect(server: Server, { id, after, take, signal }: Connection) {
  // A ticket serves one connection within a minute: the key itself is never in a URL.
  const { ticket } = await withRetries(() => server.api.logs.ticket({ id }, { signal }), signal);
  const url = new URL(`/ws/logs/${encodeURIComponent(id)}`, server.url.replace(/^http/, 'ws'));
  url.search = new URLSearchParams({ token: ticket, after: String(after) }).toString();
  return new Promise<'end' | 'cut' | 'restart'>((resolve, reject) => {
    const socket = new WebSocket(url, { handshakeTimeout: openMs, followRedirects: false, maxPayload: 64 * 1024 * 1024 });
    let dead: NodeJS.Timeout | undefined;
    const alive = () => {
      clearTimeout(dead);
      dead = setTimeout(() => socket.terminate(), silenceMs);
    };
    const leave = () => socket.terminate();
    signal.addEventListener('abort', leave, { once: true });
    const settle = (outcome: 'end' | 'cut' | 'restart' | Error) => {
      clearTimeout(dead);
      signal.removeEventListener('abort', leave);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    socket.on('open', alive);
    socket.on('ping', alive);
    socket.on('message', (data) => {
      alive();
      try {
        take(JSON.parse((data as Buffer).toString()) as LogLine[]);
      } catch (error) {
        settle(error as Error);
        socket.terminate();
      }
    });
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      socket.terminate();
      if (statusCode === 401 || statusCode === 404) settle(new ApiError(statusCode === 401 ? 'not_signed_in' : 'deployment_not_found'));
      else settle('cut');
    });
    socket.on('error', () => settle('cut'));
    socket.on('close', (code, reason) => {
      if (code === 1000 && reason.toString() === 'end') settle('end');
      else if (endedByServer.includes(code))
        settle(new ApiError('not_signed_in', { detail: `The server ended the live log: ${reason.toString() || code}.` }));
      else settle(code === 1012 || code === 1013 ? 'restart' : 'cut');
    });
  });
}
