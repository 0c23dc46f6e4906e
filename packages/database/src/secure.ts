import { once } from 'node:events';
import { isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const handshakeMs = 10_000;
/** Asks whether the connection may be encrypted; the answer is one letter. */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

export interface Encryption {
  /** Otherwise any certificate will do, as with libpq's `require`. */
  isVerified: boolean;
  /** Goes on in clear with a database that does not encrypt. */
  isOptional: boolean;
}

/** What an address's `sslmode` asks for, in libpq's words; without one nothing is encrypted. */
export function encryptionOf(url: string): Encryption | undefined {
  // By hand: a list of servers is no URL to a URL parser.
  const asked = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  const mode = asked.get('sslrootcert') === 'system' ? 'verify-full' : (asked.get('sslmode') ?? asked.get('ssl') ?? 'disable');
  if (mode === 'disable' || mode === 'false') return undefined;
  return { isVerified: !/^(require|prefer|allow)$/.test(mode), isOptional: /^(prefer|allow)$/.test(mode) };
}

/**
 * Encrypts a connection. We do it, not the driver, which would take our listeners off the socket: a connection could then be silent for ever.
 * Never rejects: the driver waits in vain for a socket that could not be made. It gets one that fails with the reason.
 */
export async function secured(raw: Socket, host: string, { isVerified, isOptional }: Encryption): Promise<Socket> {
  const signal = AbortSignal.timeout(handshakeMs);
  try {
    raw.write(sslRequest);
    const [answer] = (await once(raw, 'data', { signal })) as [Buffer];
    if (isOptional && answer.toString() === 'N') return raw;
    // One letter and no more: what came in clear after it could be anybody's.
    if (answer.toString() !== 'S') throw new Error('the database does not encrypt connections, which sslmode asks for');
    const socket = connectTls({ socket: raw, host, ...(isIP(host) ? {} : { servername: host }), rejectUnauthorized: isVerified });
    await once(socket, 'secureConnect', { signal });
    return socket;
  } catch (error) {
    raw.on('error', () => undefined); // its reason is told already
    raw.destroy();
    const failed = new Socket();
    const late = Object.assign(new Error('the database did not encrypt the connection in time'), { code: 'CONNECT_TIMEOUT' });
    setImmediate(() => failed.destroy(signal.aborted ? late : (error as Error)));
    return failed;
  }
}
