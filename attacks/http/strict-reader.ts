// The reference: llhttp in its strict mode, as Node's server and client use it.
import { createServer, type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';

/** A message as the reference understood it. */
export interface Message {
  /** Empty for a response. */
  method: string;
  target: string;
  /** Set for a response. */
  status: number;
  version: string;
  /** Name, value, name, value … */
  headers: string[];
  body: string;
  isWhole: boolean;
}

export interface Reading {
  messages: Message[];
  /** llhttp's error code for the bytes after the messages, or ''. */
  error: string;
}

interface Open {
  message: IncomingMessage;
  body: string;
}

let seen: Open[] = [];
let error = '';

const server = createServer({ insecureHTTPParser: false, requireHostHeader: false, maxHeaderSize: 128 * 1024 });
server.maxHeadersCount = 0;
const take = (message: IncomingMessage) => {
  const open = { message, body: '' };
  seen.push(open);
  message.on('data', (piece: Buffer) => (open.body += piece.toString('latin1')));
  message.on('error', () => undefined);
};
server.on('request', take).on('checkContinue', take).on('checkExpectation', take).on('connect', take);
server.on('clientError', (failure: NodeJS.ErrnoException) => {
  error = failure.code ?? 'unknown';
});

/** All requests of a connection that sends just this text. */
export function readRequests(text: string): Promise<Reading> {
  seen = [];
  error = '';
  const wire = wireOf(() => undefined);
  server.emit('connection', wire);
  wire.push(Buffer.from(text, 'latin1'));
  return new Promise((resolve) => {
    setImmediate(() => {
      wire.destroy();
      resolve({ messages: seen.map(({ message, body }) => messageOf(message, body)), error });
    });
  });
}

const asking = { headers: { host: 'x' }, insecureHTTPParser: false, maxHeaderSize: 128 * 1024 } as const;

/** The response on a connection that sends just this text and ends; undefined if it is refused. */
export function readAnswer(text: string, method = 'GET'): Promise<Message | undefined> {
  return new Promise((resolve) => {
    let isSaid = false;
    const wire = wireOf(() => {
      if (isSaid) return;
      isSaid = true;
      wire.push(Buffer.from(text, 'latin1'));
      wire.push(null);
    });
    // Bytes after a complete response are an error too, but do not invalidate the response.
    const refuse = () => void setImmediate(() => tell(undefined));
    const asked = request({ ...asking, createConnection: () => wire, method });
    const tell = (message: Message | undefined) => {
      wire.destroy();
      resolve(message);
    };
    asked.on('response', (message: IncomingMessage) => {
      let body = '';
      message.on('data', (piece: Buffer) => (body += piece.toString('latin1')));
      message.on('end', () => tell(messageOf(message, body)));
      message.on('error', () => tell({ ...messageOf(message, body), isWhole: false }));
    });
    asked.on('upgrade', (message) => tell(messageOf(message, '')));
    asked.on('error', refuse);
    asked.end();
  });
}

function wireOf(onWrite: () => void): Duplex {
  const wire = new Duplex({
    read() {
      // The caller pushes the bytes.
    },
    write(_piece, _encoding, done) {
      done();
      onWrite();
    },
  });
  wire.on('error', () => undefined);
  return wire;
}

const messageOf = (message: IncomingMessage, body: string): Message => ({
  method: message.method ?? '',
  target: message.url ?? '',
  status: message.statusCode ?? 0,
  version: message.httpVersion,
  headers: message.rawHeaders,
  body,
  isWhole: message.complete,
});

/** The values of a header, in order. */
export const valuesOf = ({ headers }: Message, name: string): string[] =>
  headers.filter((_, n) => n % 2 === 1 && headers[n - 1]!.toLowerCase() === name);
