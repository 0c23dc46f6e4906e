import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { ApiError, type TryEvent, type TryOutcome } from '@paddock/contract';
import type { Gateway } from './gateway.ts';

interface Asked {
  gateway: Gateway;
  method: string;
  path: string;
  /** Names and values, alternating. */
  headers: string[];
  body: string;
}
interface Bounds {
  /** Aborts the request at once. */
  signal: AbortSignal;
  limits: { totalMs: number; answerBytes: number };
}

const connectMs = 10_000;
/** More than a gateway passes on of an agent's response head. */
const maxHeaderSize = 96 * 1024;

/**
 * Sends a request to the gateway and returns the response as events. Throws gateway_unreachable if nothing was sent. The response is read
 * only as fast as its events are consumed.
 */
export async function askAgent({ gateway, body, ...asked }: Asked, { signal, limits }: Bounds): Promise<AsyncGenerator<TryEvent>> {
  const startedAt = performance.now();
  const late = AbortSignal.timeout(limits.totalMs);
  const call = (gateway.isTls ? tlsRequest : plainRequest)({
    ...asked,
    host: gateway.host,
    port: gateway.port,
    agent: false, // no keep-alive: the next request may go to another agent
    maxHeaderSize,
  });
  const cut = () => reset(call);
  const over = AbortSignal.any([signal, late]);
  over.addEventListener('abort', cut, { once: true });
  call.once('close', () => over.removeEventListener('abort', cut));
  if (over.aborted) cut();
  // The promises below report errors; one after the response head also aborts the response.
  call.on('error', () => undefined);
  const answer = waitForAnswer(call);
  answer.catch(() => undefined);
  await connected(call, gateway, signal);
  call.end(body);
  return events({ answer, cut, late, limits, since: () => Math.round(performance.now() - startedAt) });
}

async function connected(call: ClientRequest, { isTls }: Gateway, signal: AbortSignal): Promise<void> {
  const timer = setTimeout(() => call.destroy(new Error('The gateway takes no connection.')), connectMs);
  try {
    const [socket] = await once(call, 'socket');
    if (socket.connecting) await Promise.race([once(socket, isTls ? 'secureConnect' : 'connect'), failed(call)]);
  } catch (cause) {
    if (signal.aborted) throw new ApiError('request_invalid', { detail: 'The caller has gone.' });
    throw new ApiError('gateway_unreachable', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects when the request ends without a response. An unrequested protocol upgrade is no response. */
const waitForAnswer = (call: ClientRequest) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve);
    call.once('error', reject);
    call.once('upgrade', (_, socket) => socket.destroy());
    call.once('close', () => reject(new Error('The request ended without an answer.')));
  });

/** Rejects when the request fails. */
const failed = (call: ClientRequest) => new Promise<never>((_, reject) => call.once('error', reject));

interface Answering {
  answer: Promise<IncomingMessage>;
  /** Aborts the request; does nothing after a complete response. */
  cut: () => void;
  late: AbortSignal;
  limits: Bounds['limits'];
  since: () => number;
}

async function* events({ answer, cut, late, limits, since }: Answering): AsyncGenerator<TryEvent> {
  let bytes = 0;
  const end = (outcome: TryOutcome): TryEvent => ({ end: { outcome, detail: details[outcome](limits), bytes, total_ms: since() } });
  try {
    const response = await answer;
    yield { head: { status: response.statusCode ?? 0, headers: listHeaders(response), first_byte_ms: since() } };
    for await (const piece of response) {
      const chunk = (piece as Buffer).subarray(0, limits.answerBytes - bytes);
      bytes += chunk.length;
      if (chunk.length > 0) yield { chunk: chunk.toString('base64') };
      if (chunk.length < (piece as Buffer).length) return yield end('too_long');
    }
    yield end('complete');
  } catch {
    yield end(late.aborted ? 'timed_out' : 'broken');
  } finally {
    cut();
  }
}

/**
 * To the gateway, a closed connection may still wait for the response in its other half, so the agent would continue for a while. A reset
 * connection has no reader.
 */
function reset(call: ClientRequest) {
  const { socket } = call;
  // Node can reset neither a connection that it has begun to close, nor one with TLS.
  if (socket && !socket.destroyed && !socket.writableEnded && !('encrypted' in socket)) socket.resetAndDestroy();
  call.destroy();
}

const details: Record<TryOutcome, (limits: Bounds['limits']) => string> = {
  complete: () => '',
  too_long: ({ answerBytes }) => `The answer is longer than ${answerBytes / 1024 ** 2} MiB and was cut here.`,
  timed_out: ({ totalMs }) => `The answer was not over after ${totalMs / 1000} s and was cut here.`,
  broken: () => 'The connection ended before the answer was whole.',
};

function listHeaders({ rawHeaders }: IncomingMessage) {
  const headers: { name: string; value: string }[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.push({ name: rawHeaders[at]!, value: rawHeaders[at + 1]! });
  return headers;
}
