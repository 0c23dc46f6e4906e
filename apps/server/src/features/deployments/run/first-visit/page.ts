import { WebSocket } from 'ws';

/** A script that runs longer at its first visit counts as working. */
const visitMs = 20_000;
const handshakeMs = 5_000;
const maxMessageBytes = 4 * 1024 * 1024;
const maxMessages = 5_000;

/** An agent that listens, and its public address. */
export interface Page {
  host: string;
  port: number;
  url: string;
}

/** A visitor's reaction to a message. `ended`: the visit is over, with what was raised. `patienceMs`: it is over if nothing else is heard. */
type Reply = { send: string } | { ended: string | undefined } | { patienceMs: number } | undefined;

interface Conversation {
  path: string;
  first?: Uint8Array;
  onMessage: (data: Buffer) => Reply;
  /** Sent before leaving. */
  goodbye?: string;
}

/** Opens a page's WebSocket as a browser does, until the conversation ends or 20 seconds have passed: undefined, as nothing was raised. */
export function converse({ host, port, url }: Page, { path, first, onMessage, goodbye }: Conversation, signal: AbortSignal) {
  return new Promise<string | undefined>((resolve) => {
    const socket = new WebSocket(`ws://${host}:${port}${path}`, {
      headers: { host: new URL(url).host, 'user-agent': 'paddock-readiness' },
      handshakeTimeout: handshakeMs,
      maxPayload: maxMessageBytes,
    });
    const limit = setTimeout(() => end(undefined), visitMs);
    let quiet: NodeJS.Timeout | undefined;
    let count = 0;
    const end = (raised: string | undefined) => {
      clearTimeout(limit);
      clearTimeout(quiet);
      signal.removeEventListener('abort', leave);
      if (goodbye !== undefined && socket.readyState === WebSocket.OPEN) socket.send(goodbye, () => socket.terminate());
      else socket.terminate();
      resolve(raised);
    };
    const leave = () => end(undefined);
    signal.addEventListener('abort', leave);
    socket.on('open', () => first && socket.send(first));
    socket.on('message', (data) => {
      count += 1;
      clearTimeout(quiet);
      const reply = onMessage(data as Buffer);
      if (count > maxMessages) return leave();
      if (reply === undefined) return;
      if ('ended' in reply) end(reply.ended);
      else if ('send' in reply) socket.send(reply.send);
      else quiet = setTimeout(leave, reply.patienceMs);
    });
    // An error is followed by the close.
    socket.on('error', () => undefined);
    socket.on('close', leave);
    if (signal.aborted) leave();
  });
}
