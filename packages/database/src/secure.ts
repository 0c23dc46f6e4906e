import { once } from 'node:events';
import { isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const handshakeMs = 10_000;
/** Asks the server whether the connection may be encrypted. The response is one letter. */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

export interface Encryption {
  /** If false, any certificate is accepted, as with libpq's `require`. */
  isVerified: boolean;
  /** If true, a database without encryption is used unencrypted. */
  isOptional: boolean;
}

/** The encryption that an address's `sslmode` requires, in libpq's terms. Without `sslmode` nothing is encrypted. */
export function parseEncryption(url: string): Encryption | undefined {
  // Parsed by hand, because a URL parser refuses a list of servers.
  const asked = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  const mode = asked.get('sslrootcert') === 'system' ? 'verify-full' : (asked.get('sslmode') ?? asked.get('ssl') ?? 'disable');
  if (mode === 'disable' || mode === 'false') return undefined;
  return { isVerified: !/^(require|prefer|allow)$/.test(mode), isOptional: /^(prefer|allow)$/.test(mode) };
}

/**
 * Encrypts a connection in place of the driver, which would remove our listeners from the socket, so that a connection could be silent
 * forever. Never rejects, since the driver would then wait forever for the socket. On failure the driver gets a socket that fails with the
 * reason.
 */
export async function secured(raw: Socket, host: string, { isVerified, isOptional }: Encryption): Promise<Socket> {
  const signal = AbortSignal.timeout(handshakeMs);
  try {
    raw.write(sslRequest);
    const [answer] = (await once(raw, 'data', { signal })) as [Buffer];
    if (isOptional && answer.toString() === 'N') return raw;
    // Exactly one letter is accepted: anybody could have sent the unencrypted bytes after it.
    if (answer.toString() !== 'S') throw new Error('the database does not encrypt connections, which sslmode asks for');
    const socket = connectTls({ socket: raw, host, ...(isIP(host) ? {} : { servername: host }), rejectUnauthorized: isVerified });
    await once(socket, 'secureConnect', { signal });
    return socket;
  } catch (error) {
    raw.on('error', () => undefined); // the reason was already reported
    raw.destroy();
    const failed = new Socket();
    const late = Object.assign(new Error('the database did not encrypt the connection in time'), { code: 'CONNECT_TIMEOUT' });
    setImmediate(() => failed.destroy(signal.aborted ? late : (error as Error)));
    return failed;
  }
}
