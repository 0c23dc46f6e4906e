import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import type { Target } from './target.ts';

export interface Answer {
  status: number;
  /** The beginning of the response. */
  text: string;
}

/** There was no response, or it was not HTTP. The message is a sentence for the person. */
export class PostFailed extends Error {}

const maxAnswerBytes = 64 * 1024;
const shownLetters = 200;

/**
 * Posts to exactly the address that was checked; TLS still verifies the host name. Follows no redirect. Reads at most 64 KiB of the response, and no
 * longer than the signal allows: once the status is received, it counts. Throws PostFailed.
 */
export function post(
  { url, address }: Target,
  { headers, body }: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
): Promise<Answer> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const options: RequestOptions = {
    method: 'POST',
    agent: false, // a separate connection: it is not shared with other requests, and not kept open
    lookup: only(address),
    headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
    maxHeaderSize: 16 * 1024,
    signal,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options);
    sent.once('response', (answer) => resolve(read(answer).finally(() => sent.destroy())));
    sent.once('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, text: '' });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => reject(new PostFailed(sentence(error, signal))));
    sent.end(body);
  });
}

/** Always returns the one address. A literal address in the URL is not looked up; it is the one that was checked. */
const only =
  (address: string): LookupFunction =>
  (_host, { all }, done) => {
    const family = isIPv6(address) ? 6 : 4;
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };

function read(answer: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const done = () => resolve({ status: answer.statusCode ?? 0, text: shortenText(Buffer.concat(chunks).subarray(0, maxAnswerBytes)) });
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxAnswerBytes) done();
    });
    // A response that breaks off, or is cut by the timeout, has delivered its status.
    answer.once('end', done);
    answer.on('error', done);
    answer.once('close', done);
  });
}

/** The text on one line. Control characters would move the cursor of a terminal, and PostgreSQL cannot store NUL. */
const shortenText = (bytes: Buffer) =>
  Array.from(bytes.toString('utf8', 0, shownLetters * 8).replace(/\p{Cc}+/gu, ' '))
    .slice(0, shownLetters)
    .join('')
    .trim();

function sentence({ code = '', name }: NodeJS.ErrnoException, signal: AbortSignal): string {
  if (signal.aborted || name === 'AbortError') return 'It did not answer in time.';
  if (code === 'ECONNREFUSED') return 'Nothing accepts connections there.';
  if (/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/.test(code)) return 'It cannot be reached.';
  if (/^(ECONNRESET|EPIPE)$/.test(code)) return 'The connection ended before an answer came.';
  if (code.startsWith('HPE_')) return 'What answers there does not speak HTTP.';
  if (/CERT|SIGNATURE|ISSUER|ERR_TLS/.test(code)) return `TLS fails: the certificate is not accepted (${code}).`;
  if (/SSL|EPROTO/.test(code)) return 'TLS fails: the two sides do not agree on it.';
  return `It could not be sent${code ? ` (${code})` : ''}.`;
}
