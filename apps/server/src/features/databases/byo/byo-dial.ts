import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from './byo-url.ts';
import { signInToPostgres } from './postgres-sign-in.ts';
import { signInToRedis } from './redis-sign-in.ts';
import { OtherProtocol, type SignInResult, type Wire } from './wire.ts';

export type Connect = (address: string, port: number) => Socket;

class BadCertificate extends Error {}

interface DialOptions {
  /** The checked address: no name is resolved here. */
  address: string;
  open?: Connect | undefined;
}

/** Connects to exactly this address, starts TLS as the URL asks, signs in, and disconnects. The signal limits the whole time. */
export async function dial(target: Target, { address, open = openSocket }: DialOptions, signal: AbortSignal): Promise<SignInResult> {
  const sockets: Socket[] = [];
  const end = () => {
    for (const socket of sockets) socket.destroy(new Error('took too long'));
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    if (signal.aborted) return { is: 'silent' };
    const plain = keep(open(address, target.port));
    if (target.type === 'redis') return await signInToRedis(target.tls === 'none' ? plain : await secured(plain), target);
    return await signInToPostgres(plain, target, secured);
  } catch (error) {
    if (error instanceof OtherProtocol) return { is: 'other_protocol' };
    if (error instanceof BadCertificate) return { is: 'bad_certificate', code: error.message };
    return { is: 'silent' };
  } finally {
    signal.removeEventListener('abort', end);
    for (const socket of sockets) socket.destroy();
  }

  function keep(socket: Socket): Wire {
    sockets.push(socket);
    socket.on('error', () => undefined); // readers get the error
    return { socket, read: (bytes) => readBytes(socket, bytes) };
  }

  async function secured({ socket }: Wire): Promise<Wire> {
    const servername = isIP(target.host) ? undefined : target.host;
    const secure = connectTls({
      socket,
      rejectUnauthorized: target.tls === 'verify',
      host: target.host,
      ...(servername ? { servername } : {}),
    });
    const wire = keep(secure);
    await new Promise<void>((resolve, reject) => {
      secure.once('secureConnect', resolve);
      // Only Node's error codes for the certificate, never text from the other side.
      secure.once('error', (error: NodeJS.ErrnoException) => reject(signal.aborted ? error : new BadCertificate(error.code ?? '')));
      secure.once('close', () => reject(signal.aborted ? new Error('took too long') : new BadCertificate('')));
    });
    return wire;
  }
}

const openSocket: Connect = (host, port) => connect({ host, port, noDelay: true });

function readBytes(socket: Socket, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const chunk = socket.read(bytes) as Buffer | null;
      if (chunk?.length === bytes) settle(() => resolve(chunk));
      else if (chunk || socket.readableEnded || socket.destroyed) gone();
    };
    const gone = () => settle(() => reject(new Error('the connection ended')));
    const settle = (done: () => void) => {
      socket.off('readable', look).off('end', gone).off('close', gone).off('error', gone);
      done();
    };
    socket.on('readable', look).on('end', gone).on('close', gone).on('error', gone);
    look();
  });
}
