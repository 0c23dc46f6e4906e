import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '@paddock/contract';
import { loggedUrl } from '@paddock/contract/logged-url';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Audit } from '../../audit/audit.ts';
import { beginCall } from '../../audit/call.ts';
import { type Admit, usedFrom } from '../../http/authenticate.ts';
import { asApiError } from '../../http/problems.ts';
import { refuseRaw } from '../../http/raw-refusal.ts';
import { newRequestId } from '../../http/request-id.ts';
import type { Log } from '../../log.ts';
import type { Feed } from './feed.ts';
import { createReaderAuth, type ReaderIdentity } from './reader-auth.ts';
import { ticketHash } from './routes.ts';
import type { LogStore } from './store.ts';
import { textFrame } from './text-frame.ts';

/** Connections per person; a browser tab holds one or two. */
const maxConnections = 50;
/** A reader that misses two pings in a row is gone: half-open connections end within 60 s. */
const pingMs = 15_000;
/** An empty list is sent this often, since the WebSockets of browsers do not show pings: readers notice a dead connection by it. */
const beatMs = 5000;
/** Readers have nothing to send. One that sends this many frames within `floodMs` is disconnected. */
const maxFrames = 100;
const floodMs = 10_000;
/** Pings of a reader that does not take the responses are no longer answered. */
const maxUnsentPongBytes = 64 * 1024;

interface SocketDeps {
  store: LogStore;
  feed: Feed;
  admit: Admit;
  audit: Pick<Audit, 'noteRead' | 'runInCall'>;
  /** The client's address, behind trusted proxies too. */
  addressOf: (request: IncomingMessage) => string;
  publicUrl: string;
  log: Log;
}

/**
 * `GET /ws/logs/{deployment}?token=…&after=N`: every line after N as JSON arrays of lines. Refusals are problem responses before the
 * upgrade.
 */
export function serveLiveLogs(server: Server, doors: SocketDeps) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024, perMessageDeflate: false, autoPong: false });
  const open = new Map<string, number>();
  const checks = createReaderAuth(doors.store.findLive, doors.log);
  const pings = setInterval(() => sockets.clients.forEach((socket) => ping(socket)), pingMs);
  const beats = setInterval(() => sockets.clients.forEach((socket) => beat(socket)), beatMs);
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const request_id = newRequestId();
    authorizeReader(request, request_id, doors).then(
      (admitted) => {
        const { user_id } = admitted;
        if ((open.get(user_id) ?? 0) >= maxConnections)
          return refuse(request, { socket, request_id, error: new ApiError('too_many_requests', { retry_after_s: 10 }) });
        // Counted only once open: this callback is not called after a failed handshake, or if the client is already gone.
        sockets.handleUpgrade(request, socket, head, (ws) => {
          open.set(user_id, (open.get(user_id) ?? 0) + 1);
          ws.once('close', () => {
            const left = (open.get(user_id) ?? 1) - 1;
            if (left > 0) open.set(user_id, left);
            else open.delete(user_id);
          });
          stream(doors.feed, admitted, { ws, socket });
          checks.add(ws, admitted, () => ws.close(4401, 'session ended'));
          ws.once('close', () => checks.remove(ws));
        });
      },
      (error: unknown) => refuse(request, { socket, request_id, error: asApiError(error) }),
    );
  });

  function refuse(
    { method, url = '' }: IncomingMessage,
    { socket, request_id, error }: { socket: Duplex; request_id: string; error: ApiError },
  ) {
    const cause = error.status >= 500 ? { err: error.cause ?? error } : {};
    doors.log.info({ request_id, method, url: loggedUrl(url), status: error.status, ...cause }, 'live log refused');
    refuseRaw(socket, { error, request_id, hasToken: /[?&]token=/.test(url) });
  }

  return {
    /** Asks readers to reconnect: they resume by number, here or at another server. */
    close() {
      clearInterval(pings);
      clearInterval(beats);
      checks.close();
      for (const socket of sockets.clients) socket.close(1012, 'restart');
      sockets.close();
    },
  };
}

interface Admitted extends ReaderIdentity {
  deployment_id: string;
  user_id: string;
  after: number;
}

async function authorizeReader(
  request: IncomingMessage,
  request_id: string,
  { store, admit, audit, addressOf, publicUrl }: SocketDeps,
): Promise<Admitted> {
  const url = new URL(request.url ?? '/', 'http://server');
  const deployment_id = /^\/ws\/logs\/([\w-]{1,64})$/.exec(url.pathname)?.[1];
  if (!deployment_id) throw new ApiError('route_not_found');
  const { origin, host } = request.headers;
  if (origin && origin !== new URL(publicUrl).origin && origin !== `http://${host}` && origin !== `https://${host}`)
    throw new ApiError('origin_refused');
  const after = Number(url.searchParams.get('after') ?? 0);
  if (!Number.isSafeInteger(after) || after < 0)
    throw new ApiError('input_invalid', { errors: [{ path: 'after', message: 'Give the number of a line' }] });
  const token = url.searchParams.get('token') ?? '';
  const from = usedFrom(addressOf(request), request.headers);
  const call = beginCall({ action: 'log.read', name: 'GET /ws/logs/:id', ...from, request_id });
  call.target_id = deployment_id;
  return audit.runInCall(call, async () => {
    // The call that issued the ticket was recorded.
    const isTicket = token.startsWith('pdt_');
    const actor = isTicket ? await store.takeTicket(ticketHash(token), deployment_id) : await admit(token, { from, access: 'logs:read' });
    if (!actor) throw new ApiError('not_signed_in');
    await store.mustExist(actor.team_id, deployment_id);
    if (!isTicket) await audit.noteRead(call);
    const { session_id, key_id, user_id } = actor;
    return { deployment_id, session_id, key_id, user_id, after };
  });
}

function stream(feed: Feed, { deployment_id, after }: Admitted, { ws, socket }: { ws: WebSocket; socket: Duplex }) {
  const stop = feed.follow(deployment_id, after, {
    // Bypasses the library, which would encode the text and write head and body apart for each reader. Without compression the library
    // sends at once, so none of its frames is ever half written here.
    send: (lines) => void (ws.readyState === ws.OPEN && socket.write(buildFrame(lines))),
    buffered: () => ws.bufferedAmount,
    end: () => ws.close(1000, 'end'),
    // The close frame queues behind unsent data. A reader that still takes nothing is cut off by the close timeout.
    tooSlow: () => ws.close(1013, 'too slow'),
  });
  limitFrames(ws);
  ws.on('pong', () => ((ws as Beating).silent = 0));
  ws.on('error', () => ws.terminate());
  ws.once('close', stop);
}

/** Cached because the feed gives the same text to all readers of a log, one after the other. */
let lastText = '';
let lastFrame: Buffer = Buffer.alloc(0);
function buildFrame(text: string): Buffer {
  if (text !== lastText) [lastText, lastFrame] = [text, textFrame(text)];
  return lastFrame;
}

function limitFrames(ws: WebSocket) {
  let frames = 0;
  let since = performance.now();
  const count = () => {
    if (performance.now() - since > floodMs) {
      frames = 0;
      since = performance.now();
    }
    frames += 1;
    if (frames === maxFrames) ws.close(1008, 'too many messages');
    else if (frames > maxFrames * 2) ws.terminate();
  };
  ws.on('message', count);
  ws.on('ping', (payload: Buffer) => {
    count();
    if (ws.readyState === ws.OPEN && ws.bufferedAmount < maxUnsentPongBytes) ws.pong(payload);
  });
}

/** A reader with unsent data hears of it without an empty list. */
function beat(socket: WebSocket) {
  if (socket.readyState === socket.OPEN && socket.bufferedAmount === 0) socket.send('[]');
}

type Beating = WebSocket & { silent?: number };

function ping(socket: Beating) {
  if ((socket.silent ?? 0) >= 2) return socket.terminate();
  socket.silent = (socket.silent ?? 0) + 1;
  socket.ping();
}
