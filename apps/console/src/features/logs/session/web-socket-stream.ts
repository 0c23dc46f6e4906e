import type { LogLine } from '@paddock/contract';
import type { OpenStream, StreamEvents } from './log-stream.ts';

const openTimeoutMs = 10_000;
/** The server sends something every 5 s, if only an empty list. */
const maxSilenceMs = 10_000;

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
  let heardAt = performance.now();
  const silence = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN || performance.now() - heardAt < maxSilenceMs) return;
    clearInterval(silence);
    events.onLost(new Error(`Nothing was heard for ${maxSilenceMs / 1000} s`));
  }, 1000);
  const end = () => {
    clearInterval(silence);
    socket.close();
  };
  signal.addEventListener('abort', end, { once: true });
  socket.addEventListener('open', () => {
    clearTimeout(tooSlow);
    heardAt = performance.now();
    events.onOpen();
  });
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    heardAt = performance.now();
    try {
      const lines = JSON.parse(data) as LogLine[];
      if (lines.length > 0) events.onLines(lines);
    } catch (cause) {
      events.onLost(cause);
    }
  });
  socket.addEventListener('close', ({ code, reason }) => {
    clearTimeout(tooSlow);
    clearInterval(silence);
    if (code === 1000 && reason === 'end') events.onEnd();
    else events.onLost(new Error(`The connection closed with code ${code}`));
  });
}
