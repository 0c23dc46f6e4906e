import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { programOf } from '../../../scripts/test/product.ts';

export interface GatewayProcess {
  child: ChildProcess;
  port: number;
  exited: Promise<number | null>;
}

/** The gateway as a separate process, on a free port, once it is ready. */
export async function startGatewayProcess(databaseUrl: string, env: Record<string, string> = {}): Promise<GatewayProcess> {
  const { ready, ...started } = spawnGatewayProcess(databaseUrl, env);
  return { ...started, port: await ready };
}

/** `ready` is the port; it rejects if the process ends before. */
export function spawnGatewayProcess(databaseUrl: string, env: Record<string, string> = {}, args: string[] = []) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', programOf('gateway'), ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PADDOCK_DATABASE_URL: databaseUrl,
      PADDOCK_GATEWAY_PORT: '0',
      PADDOCK_GATEWAY_PROCESSES: '1',
      PADDOCK_LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let errors = '';
  child.stderr.on('data', (piece: Buffer) => (errors += String(piece)));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (piece: Buffer) => {
      printed += String(piece);
      const line = /^.*"msg":"gateway ready".*$/m.exec(printed)?.[0];
      if (line) resolve((JSON.parse(line) as { port: number }).port);
    });
    child.once('close', (code) => reject(new Error(`left with ${code} before it was ready: ${printed}${errors}`)));
  });
  return { child, exited, ready };
}

export function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });
}
