import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Target } from './byo-url.ts';
import { OtherProtocol, type SignInResult, type Wire } from './wire.ts';

/** Messages until a session is open; a server sends about twenty. */
const maxMessages = 200;
const maxMessageBytes = 16_384;
/** PostgreSQL's default is 4096. More iterations would only cost us processor time. */
const maxIterations = 100_000;
const protocolVersion = 196_608;
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Speaks enough of PostgreSQL's protocol to find out whether the server lets this user into this database. */
export async function signInToPostgres(plain: Wire, target: Target, secured: (wire: Wire) => Promise<Wire>): Promise<SignInResult> {
  const { user, password, database, tls } = target;
  let wire = plain;
  if (tls !== 'none') {
    plain.socket.write(sslRequest);
    const agreed = (await plain.read(1)).toString('latin1');
    // Bytes after the response were sent before encryption started: somebody in between may have injected them.
    if (!/^[SN]$/.test(agreed) || plain.socket.readableLength > 0) throw new OtherProtocol();
    if (agreed === 'S') wire = await secured(plain);
    else if (tls !== 'prefer') return { is: 'no_tls' };
  }
  const send = (type: string, body: Buffer) => wire.socket.write(Buffer.concat([Buffer.from(type), length(body), body]));
  const startup = Buffer.concat([
    int32(protocolVersion),
    texts('user', user, 'database', database, 'application_name', 'paddock'),
    Buffer.alloc(1),
  ]);
  wire.socket.write(Buffer.concat([length(startup), startup]));

  let version: string | undefined;
  let scram: ReturnType<typeof scramClient> | undefined;
  for (let messages = 0; messages < maxMessages; messages++) {
    const { type, body } = await message(wire);
    if (type === 'E') return refusal(body);
    if (type === 'Z') {
      send('X', Buffer.alloc(0));
      return { is: 'reachable', ...(version === undefined ? {} : { version }) };
    }
    const [name, value] = type === 'S' ? body.toString('utf8').split('\0') : [];
    if (name === 'server_version') version = /^\d{1,3}(\.\d{1,3})*/.exec(value ?? '')?.[0];
    if (type === 'R') await authenticate(body);
    else if (!'SKNvA'.includes(type)) throw new OtherProtocol();
  }
  throw new OtherProtocol();

  async function authenticate(body: Buffer) {
    const kind = body.length >= 4 ? body.readInt32BE(0) : -1;
    const rest = body.subarray(4);
    if (kind === 0) return;
    if (kind === 3) send('p', texts(password));
    else if (kind === 5) send('p', texts(`md5${md5(md5(password + user), rest.subarray(0, 4))}`));
    else if (kind === 10 && rest.toString('latin1').split('\0').includes('SCRAM-SHA-256')) {
      scram = scramClient(password);
      const first = Buffer.from(scram.first);
      send('p', Buffer.concat([texts('SCRAM-SHA-256'), int32(first.length), first]));
    } else if (kind === 11 && scram) send('p', Buffer.from(await scram.final(rest.toString('utf8'))));
    else if (kind !== 12) throw new OtherProtocol();
  }
}

async function message({ read }: Wire): Promise<{ type: string; body: Buffer }> {
  const head = await read(5);
  const size = head.readInt32BE(1) - 4;
  if (size < 0 || size > maxMessageBytes) throw new OtherProtocol();
  return { type: head.toString('latin1', 0, 1), body: size === 0 ? Buffer.alloc(0) : await read(size) };
}

function refusal(body: Buffer): SignInResult {
  const code = body
    .toString('latin1')
    .split('\0')
    .find((field) => /^C[0-9A-Z]{5}$/.test(field))
    ?.slice(1);
  if (code === undefined) throw new OtherProtocol();
  if (code.startsWith('28')) return { is: 'refused_password' };
  return code === '3D000' ? { is: 'no_database' } : { is: 'turned_away', code };
}

/** SCRAM-SHA-256 (RFC 5802, RFC 7677) without channel binding. */
function scramClient(password: string) {
  const nonce = randomBytes(18).toString('base64');
  const bare = `n=,r=${nonce}`;
  return {
    first: `n,,${bare}`,
    async final(serverFirst: string): Promise<string> {
      const [, theirs, salt, rounds] = /^r=([!-+\--~]+),s=([A-Za-z0-9+/=]+),i=(\d{1,9})/.exec(serverFirst) ?? [];
      if (!theirs?.startsWith(nonce) || !salt || Number(rounds) < 1 || Number(rounds) > maxIterations) throw new OtherProtocol();
      const salted = await promisify(pbkdf2)(password.normalize('NFKC'), Buffer.from(salt, 'base64'), Number(rounds), 32, 'sha256');
      const key = hmac(salted, 'Client Key');
      const proofless = `c=biws,r=${theirs}`;
      const signature = hmac(createHash('sha256').update(key).digest(), `${bare},${serverFirst},${proofless}`);
      const proof = Buffer.from(key.map((byte, at) => byte ^ signature[at]!));
      return `${proofless},p=${proof.toString('base64')}`;
    },
  };
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
// PostgreSQL's older password method. A server that uses it offers no other.
function md5(...parts: (string | Buffer)[]): string {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
const texts = (...parts: string[]) => Buffer.from(parts.map((part) => `${part}\0`).join(''));
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
/** A message's length field counts itself. */
const length = (body: Buffer) => int32(body.length + 4);
