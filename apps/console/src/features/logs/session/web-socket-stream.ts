import type { LogLine } from '@paddock/contract';
import type { OpenStream, StreamEvents } from './log-stream.ts';

const openTimeoutMs = 10_000;

/** The live log over a WebSocket. A single-use ticket keeps long-lived secrets out of the address. */
export function webSocketStream(ticket: (deploymentId: string, signal: AbortSignal) => Promise<string>): OpenStream {
  return ({ deploymentId, after, signal }, events) => {
    ticket(deploymentId, signal).then((token) => {
      if (signal.aborted) return;
      const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
      const query = new URLSearchParams({ token, after: String(after) });
      listen(new WebSocket(`${scheme}//${location.host}/ws/logs/${encodeURIComponent(deploymentId)}?${query}`), events, signal);
    }, events.onLost);
  };
}

function listen(socket: WebSocket, events: StreamEvents, signal: AbortSignal) {
  const tooSlow = setTimeout(() => socket.close(), openTimeoutMs);
  signal.addEventListener('abort', () => socket.close(), { once: true });
  socket.addEventListener('open', () => {
    clearTimeout(tooSlow);
    events.onOpen();
  });
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    try {
      events.onLines(JSON.parse(data) as LogLine[]);
    } catch (cause) {
      events.onLost(cause);
    }
  });
  socket.addEventListener('close', ({ code, reason }) => {
    clearTimeout(tooSlow);
    if (code === 1000 && reason === 'end') events.onEnd();
    else events.onLost(new Error(`The connection closed with code ${code}`));
  });
}
