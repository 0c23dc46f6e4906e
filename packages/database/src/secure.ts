import { once } from 'node:events';
import { isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const handshakeMs = 10_000;
/** Asks whether the connection may be encrypted; the answer is one letter. */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

export interface Encryption {
  /** If false, any certificate is accepted, as with libpq's `require`. */
  isVerified: boolean;
  /** A database that does not encrypt is used without encryption. */
  isOptional: boolean;
}

/** The encryption that an address's `sslmode` asks for, in libpq's terms; without `sslmode` nothing is encrypted. */
export function encryptionOf(url: string): Encryption | undefined {
  // By hand: a list of servers is no URL to a URL parser.
  const asked = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  const mode = asked.get('sslrootcert') === 'system' ? 'verify-full' : (asked.get('sslmode') ?? asked.get('ssl') ?? 'disable');
  if (mode === 'disable' || mode === 'false') return undefined;
  return { isVerified: !/^(require|prefer|allow)$/.test(mode), isOptional: /^(prefer|allow)$/.test(mode) };
}

/**
 * Encrypts a connection in place of the driver, which would remove our listeners from the socket: a connection could then be silent for
 * ever. Never rejects, since the driver would wait for ever for the socket: the driver gets a socket that fails with the reason.
 */
export async function secured(raw: Socket, host: string, { isVerified, isOptional }: Encryption): Promise<Socket> {
  const signal = AbortSignal.timeout(handshakeMs);
  try {
    raw.write(sslRequest);
    const [answer] = (await once(raw, 'data', { signal })) as [Buffer];
    if (isOptional && answer.toString() === 'N') return raw;
    // Exactly one letter: anybody could have sent the bytes after it, which are not encrypted.
    if (answer.toString() !== 'S') throw new Error('the database does not encrypt connections, which sslmode asks for');
    const socket = connectTls({ socket: raw, host, ...(isIP(host) ? {} : { servername: host }), rejectUnauthorized: isVerified });
    await once(socket, 'secureConnect', { signal });
    return socket;
  } catch (error) {
    raw.on('error', () => undefined); // the reason is reported already
    raw.destroy();
    const failed = new Socket();
    const late = Object.assign(new Error('the database did not encrypt the connection in time'), { code: 'CONNECT_TIMEOUT' });
    setImmediate(() => failed.destroy(signal.aborted ? late : (error as Error)));
    return failed;
  }
}
