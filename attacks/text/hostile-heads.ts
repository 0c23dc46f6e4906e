// Shapes of heads that are as costly as possible to read, as large as a stranger may send them or larger.

/** Fills a head with as many of these lines as fit into this many bytes. */
export type Shape = (bytes: number) => string;

const host = 'Host: a.example.com\r\n';

/** Repeats a line until the head is full; `n` differs from line to line. */
const repeated =
  (lineOf: (n: number) => string): Shape =>
  (bytes) => {
    let text = '';
    for (let n = 0; text.length < bytes; n++) text += lineOf(n);
    return text;
  };

/** A single line, filled with a unit. */
const filled =
  (start: string, unit: string, end = ''): Shape =>
  (bytes) =>
    `${start}${unit.repeat(Math.max(1, Math.floor((bytes - start.length) / unit.length)))}${end}\r\n`;

const connection = `Connection: ${Array.from({ length: 60 }, (_, n) => `x-${n}`).join(',')}\r\n`;

/** Names with the same length and hash: two neighbouring characters change so that 31 × the first plus the second is constant. */
export function colliding(name: string): string[] {
  const found: string[] = [];
  for (let at = 0; at + 1 < name.length; at++)
    for (const up of [1, -1, 2, -2, 3, -3]) {
      const first = String.fromCharCode(name.charCodeAt(at) + up);
      const second = String.fromCharCode(name.charCodeAt(at + 1) - 31 * up);
      if (/^[!#$%&'*+.^`|~0-9a-z-]{2}$/.test(first + second)) found.push(name.slice(0, at) + first + second + name.slice(at + 2));
    }
  return found;
}

const known = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'traceparent',
  'x-request-id',
  'proxy-authenticate',
  'set-cookie',
];
export const twins = known.flatMap(colliding);

/** Header lines; each reader adds the line before them. */
export const shapes: Record<string, Shape> = {
  'tiny headers': repeated(() => 'a:\r\n'),
  'one huge value': filled('X: ', 'a'),
  'one huge name': filled('', 'a', ': b'),
  'a value of blanks': filled('X: ', ' ', 'x'),
  'blanks behind every value': repeated((n) => `X-${n}: a${' \t'.repeat(120)}\r\n`),
  'names with the hash of ours': repeated((n) => `${twins[n % twins.length]!}: a\r\n`),
  'names that begin like ours': repeated((n) => `x-forwarde-${n}: a\r\n`),
  'names of the platform': repeated((n) => `X-Paddock-${n}: a\r\n`),
  'names that begin with x-': repeated(() => 'x-: a\r\n'),
  'every other line dropped': repeated((n) => (n % 2 === 0 ? 'Via: a\r\n' : 'b: c\r\n')),
  underscores: repeated((n) => `${'_'.repeat(20)}${n}: a\r\n`),
  'underscores for hyphens': repeated(() => 'X_REAL_IP: a\r\n'),
  'tracestate in every line': repeated((n) => `tracestate: a=${n}\r\n`),
  'Connection with many names, and as many headers': (bytes) =>
    connection + repeated((n) => `x-${n % 60}: a\r\n`)(bytes - connection.length),
  'a Connection of commas': filled('Connection: ', ','),
  'a Connection of one long name': filled('Connection: ', 'a'),
  'Connection in every line': repeated(() => 'Connection: keep-alive\r\n'),
  'Connection with blanks in every line': repeated(() => `Connection: ${' '.repeat(200)},${' '.repeat(200)}\r\n`),
  'Set-Cookie in every line': repeated((n) => `Set-Cookie: a${n}=b; Path=/; Domain=example.com; Secure\r\n`),
  'Set-Cookie of 256 lines': repeated((n) => `Set-Cookie: a${n}=b; Domain=${'a'.repeat(220)}; Path=/\r\n`),
  'a Set-Cookie of semicolons': filled('Set-Cookie: a=b', ';'),
  'a Set-Cookie of attributes': filled('Set-Cookie: a=b', ';a='),
  'a Set-Cookie of domains': filled('Set-Cookie: a=b', ';domain='),
  'a Set-Cookie of our own domains': filled('Set-Cookie: a=b', ';domain=a.example.com'),
  'a Set-Cookie of blanks': filled('Set-Cookie: a=b;', ' ', '=x'),
  'a Set-Cookie of quotes': filled('Set-Cookie: a=b;domain=', '"'),
  'Content-Type in every line': repeated(() => 'Content-Type: text/event-stream\r\n'),
  'CORS in every line': repeated(() => 'Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Credentials: true\r\n'),
  'Upgrade in every line': repeated(() => 'UPGRADE: WEBSOCKET\r\n'),
  'bytes above ASCII': filled('X: ', '\xff'),
  'no line end': (bytes) => 'a'.repeat(bytes),
  'a bare CR at the end': (bytes) => `X: ${'a'.repeat(bytes)}\r`,
};

export const requestHead = (lines: string): string => `GET / HTTP/1.1\r\n${host}${lines.slice(0, -2)}`;
export const answerHead = (lines: string): string => `HTTP/1.1 200 OK\r\n${lines.slice(0, -2)}`;
