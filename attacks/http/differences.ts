// The accepted differences between the gateway's parser and llhttp's strict one; README.md gives the reasons. Any other difference is a fault.
import { type Message, valuesOf } from './strict-reader.ts';

export type Side = 'refused by us' | 'taken by us' | 'not answered by us';

export interface Difference {
  side: Side;
  /** Everything that was sent. */
  text: string;
  /** The gateway's reason to refuse it; '' if it did not. */
  why: string;
  /** The message in question, as the reference reads it, or as the agent or visitor reads the gateway's output. */
  message: Message;
  /** The body of the previous message on the connection. */
  before?: string | undefined;
}

export interface Tally {
  /** Number of occurrences of each accepted difference. */
  decided: Map<string, number>;
  /** Collects all other differences. Without the list, the first one ends the run. */
  undecided?: string[];
}

type Explains = (difference: Difference) => boolean;

const token = "[!#$%&'*+.^_`|~\\w-]+";
const extensions = new RegExp(`^(;${token}(=(${token}|"([^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[^\\x00-\\x08\\x0a-\\x1f\\x7f])*"))?)*$`);
/** Everything that could be the line of a chunk, with the text after its size. */
const chunkLines = /(?<=\n)([0-9a-f]+)([^\r\n]*)\r\n/gi;

const isBrokenBody = ({ why }: Difference) => why === 'request_invalid' || why === 'broken chunks';
const isNoHead = (why: string) => why === 'not a status line' || why === 'not a head';
const hasChunks = ({ message }: Difference) => valuesOf(message, 'transfer-encoding').length > 0;
const hostOf = ({ message }: Difference) => valuesOf(message, 'host')[0] ?? '';
const hasForm = (value: string) => /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(value);

export const requestDifferences: Record<string, Explains> = {
  'no host that is an agent’s': ({ why }) => why === 'agent_not_found',
  'expectation but 100-continue': ({ why }) => why === 'expectation_unknown',
  'method that is not passed on': ({ why }) => why === 'method_not_allowed',
  'method of other than capital letters': ({ why, message }) => why === 'request_invalid' && !/^[A-Z]+$/.test(message.method),
  'HTTP/0.9': ({ message }) => message.version === '0.9',
  'HTTP/2.0': ({ message }) => message.version === '2.0',
  'head beyond our caps': ({ why }) => ['headers_too_large', 'uri_too_long'].includes(why),
  'body beyond our cap': ({ why }) => why === 'body_too_large',
  'no Host, or several': ({ why, message }) => ['host_invalid', 'request_invalid'].includes(why) && valuesOf(message, 'host').length !== 1,
  'Host that is no host': (one) => one.why === 'host_invalid' && !hasForm(hostOf(one)),
  'absolute form for another host': (one) =>
    one.why === 'host_invalid' && !one.message.target.toLowerCase().startsWith(`http://${hostOf(one).toLowerCase()}/`),
  'several blanks in the request line': ({ why, text, message }) =>
    why === 'request_invalid' && (text.includes(`${message.method}  `) || text.includes(`${message.target}  `)),
  'target of no form that we know': ({ why, message }) =>
    why === 'request_invalid' && !/^(?:https?:\/)?\/[^#\x00-\x20\x7f-\xff]*$/i.test(message.target) && message.target !== '*',
  'asterisk but for OPTIONS': ({ why, message }) => why === 'request_invalid' && message.target === '*' && message.method !== 'OPTIONS',
  'chunks in a request of HTTP/1.0': (one) => one.why === 'request_invalid' && one.message.version === '1.0' && hasChunks(one),
  'Transfer-Encoding but chunked': (one) =>
    one.why === 'request_invalid' && hasChunks(one) && valuesOf(one.message, 'transfer-encoding').join().toLowerCase() !== 'chunked',
  'tab beside chunked': ({ why, text }) => why === 'request_invalid' && /^transfer-encoding:[^\r]*\t/im.test(text),
  'WebSocket without its handshake': ({ why, message }) =>
    why === 'request_invalid' && /^websocket$/im.test(valuesOf(message, 'upgrade').join('\n')),
  'several empty lines before a request, or a bare CR or LF': ({ why, text }) =>
    why === 'request_invalid' && /(?:^|\n|[^\r\n])(?:\r\n){2,}[A-Z]+ |(?:^|[^\r])\n[\r\n]*[A-Z]+ |\r[^\n]/.test(text),
  'a bare LF behind a body that ends with CR': ({ why, text, before }) =>
    why === 'request_invalid' && before !== undefined && before.endsWith('\r') && text.includes(`${before}\n`),
  'length of more than 15 digits': ({ why, message }) =>
    why === 'request_invalid' && /\d{16}/.test(valuesOf(message, 'content-length').join()),
  'length with a zero before it': ({ why, message }) =>
    why === 'request_invalid' && /^0\d/.test(valuesOf(message, 'content-length').join()),
  'tab beside a length': ({ why, text }) => why === 'request_invalid' && /^content-length:[^\r]*\t/im.test(text),
  'Proxy-Connection: close, which says nothing': ({ side, text }) => side === 'taken by us' && /^proxy-connection:/im.test(text),
  ...chunkDifferences(),
};

export const answerDifferences: Record<string, Explains> = {
  'control character in a reason': ({ why, text }) =>
    isNoHead(why) && /^HTTP\/1\.[01] \d{3}[^\r\n]*[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/m.test(text),
  'HTTP/2.0': ({ message }) => message.version === '2.0',
  'HTTP/0.9': ({ message }) => message.version === '0.9',
  'status below 100': ({ why, message }) => isNoHead(why) && message.status < 100,
  'empty lines before a status line': ({ why, text }) => isNoHead(why) && /(?:^|\r\n\r\n)[\r\n]+HTTP/.test(text),
  'Transfer-Encoding but chunked': ({ why, message }) =>
    why === 'unclear Transfer-Encoding' && valuesOf(message, 'transfer-encoding').join() !== 'chunked',
  'tab beside chunked': ({ why, text }) => why === 'unclear Transfer-Encoding' && /^transfer-encoding:[^\r]*\t/im.test(text),
  'chunks in an answer of HTTP/1.0': ({ why }) => why === 'chunks in HTTP/1.0',
  'length of more than 15 digits': ({ why, message }) =>
    why === 'unclear Content-Length' && /\d{16}/.test(valuesOf(message, 'content-length').join()),
  'length with a zero before it': ({ why, message }) =>
    why === 'unclear Content-Length' && /^0\d/.test(valuesOf(message, 'content-length').join()),
  'tab beside a length': ({ why, text }) => why === 'unclear Content-Length' && /^content-length:[^\r]*\t/im.test(text),
  'head beyond our caps': ({ why }) => ['head too long', 'too many headers', 'too many names in Connection'].includes(why),
  '101 that nobody asked for': ({ why }) => why === 'switched protocols unasked',
  'more interim answers than anybody sends': ({ why }) => why === 'too many interim answers',
  'interim answer with two framings, or an unclear one': ({ why, text }) =>
    /^(?:unclear|two|Content-Length beside|chunks in)/.test(why) && /^HTTP\/1\.[01] 1\d\d /.test(text),
  'interim answer that speaks of the connection, or comes in HTTP/1.0': ({ side, text }) =>
    side === 'taken by us' && /connection|HTTP\/1\.0 1/i.test(/^(?:HTTP\/1\.[01] 1\d\d[^]*?\r\n\r\n)+/.exec(text)?.[0] ?? ''),
  ...chunkDifferences(),
};

function chunkDifferences(): Record<string, Explains> {
  const lines = (text: string) => [...text.matchAll(chunkLines)];
  return {
    'size of more than 12 digits': (one) => isBrokenBody(one) && hasChunks(one) && lines(one.text).some(([, size]) => size!.length > 12),
    'chunk extension that is none': (one) =>
      isBrokenBody(one) && hasChunks(one) && lines(one.text).some(([, , behind]) => !extensions.test(behind!)),
    'trailer that no sender may send': (one) =>
      isBrokenBody(one) && hasChunks(one) && /\n0+(?:;[^\r\n]*)?\r\n[^]*(?:content-length|transfer-encoding|connection):/i.test(one.text),
    'extensions and trailers beyond 16 KiB': (one) => isBrokenBody(one) && hasChunks(one) && one.text.length > 16 * 1024,
  };
}

/** Counts an accepted difference; any other is a fault. */
export function count(difference: Difference, list: Record<string, Explains>, { decided, undecided }: Tally): void {
  const { side, why, text } = difference;
  const found = Object.entries(list).find(([, explains]) => explains(difference));
  const fault = `undecided: ${side} (${why}): ${printable(text)}`;
  if (found !== undefined) decided.set(`${side}: ${found[0]}`, (decided.get(`${side}: ${found[0]}`) ?? 0) + 1);
  else if (undecided === undefined) throw new Error(fault);
  else if (undecided.push(fault) > maxShown) throw new Error(undecided.join('\n'));
}

const maxShown = 1_000;

const printable = (text: string) =>
  JSON.stringify(text).replace(/[^\x20-\x7e]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
