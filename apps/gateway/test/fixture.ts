import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { type Extras, type Gateway, startGateway } from '../src/gateway.ts';
import { type Limits, limits } from '../src/limits.ts';
import { startDatabase, type TestDatabase } from './database.ts';

export interface Fixture {
  database: TestDatabase;
  gateway: Gateway;
  /** Sets a route and returns once the gateway uses it. */
  route(label: string, to: { port: number } | 'starting' | 'stopped' | 'crashed', deploymentId?: string): Promise<void>;
  fetch(label: string, path?: string, options?: Asking): Promise<Answered>;
  /** Writes bytes to the gateway and returns all bytes received until it closed, or until `enough` is satisfied. */
  raw(bytes: string, enough?: (received: string) => boolean): Promise<string>;
  close(): Promise<void>;
}

export interface Asking {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

export interface Answered {
  status: number;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  body: string;
  json: () => Record<string, unknown>;
}

/** A gateway on a database of its own; pass `limits` small enough for a test to reach. */
export async function startFixture(
  options: {
    limits?: Partial<Limits>;
    trustedProxies?: Parameters<typeof startGateway>[0]['trustedProxies'];
    tapsOf?: Extras['tapsOf'];
    database?: TestDatabase;
    log?: Logger;
    audit?: Partial<Pick<Parameters<typeof startGateway>[0], 'auditSpoolDir' | 'auditSpoolBytes' | 'auditTokenKey'>>;
  } = {},
): Promise<Fixture> {
  const database = options.database ?? (await startDatabase());
  const ownSpools = mkdtempSync(join(tmpdir(), 'paddock-spools-'));
  const gateway = await startGateway(
    {
      databaseUrl: database.url,
      port: 0,
      host: '127.0.0.1',
      agentDomain: 'localhost',
      consoleUrl: 'http://console.test:4000',
      trustedProxies: options.trustedProxies,
      auditSpoolDir: ownSpools,
      auditSpoolBytes: 64 * 1024 * 1024,
      auditTokenKey: undefined,
      ...options.audit,
    },
    options.log ?? pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    { limits: { ...limits, ...options.limits }, ...(options.tapsOf && { tapsOf: options.tapsOf }) },
  );
  return {
    database,
    gateway,
    route: (label, to, deploymentId = `dep_${label}`) => setRoute(database, gateway, label, to, deploymentId),
    fetch: (label, path = '/', asking = {}) => ask(gateway.port, `${label}.localhost`, path, asking),
    raw: (bytes, enough) => exchangeRaw(gateway.port, bytes, enough),
    close: async () => {
      await gateway.close();
      rmSync(ownSpools, { recursive: true, force: true });
      if (!options.database) await database.close();
    },
  };
}

async function setRoute(
  { sql }: TestDatabase,
  gateway: Gateway,
  label: string,
  to: { port: number } | 'starting' | 'stopped' | 'crashed',
  deploymentId: string,
): Promise<void> {
  await sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    values (${deploymentId}, 'team_1', 'prj_1', 'production', 'active', 'b', 'n', 1, 'u') on conflict do nothing`;
  const state = typeof to === 'string' ? to : 'active';
  const port = typeof to === 'string' ? null : to.port;
  const host = port === null ? null : '127.0.0.1';
  await sql`
    insert into routes (label, team_id, project_id, deployment_id, state, target_host, target_port, version)
    values (${label}, 'team_1', 'prj_1', ${deploymentId}, ${state}, ${host}, ${port}, 0)
    on conflict (label) do update set deployment_id = excluded.deployment_id, state = excluded.state,
      target_host = excluded.target_host, target_port = excluded.target_port`;
  const [row] = await sql<[{ version: string }]>`select version from routes where label = ${label}`;
  const isKnown = () => gateway.findRoute(label)?.version === Number(row.version);
  await until(isKnown, `the gateway knows the route of ${label}`);
}

/** Bounds waits; no performance promise. */
const MAX_WAIT_MS = 300_000;

/** Waits until the claim is true; fails after five minutes. */
export async function until(claim: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS;
  while (!(await claim())) {
    if (Date.now() > end) throw new Error(`never came true: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function ask(port: number, host: string, path: string, { method = 'GET', headers = {}, body }: Asking): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const req = request(
      { host: '127.0.0.1', port, path, method, headers: { host: `${host}:${port}`, ...headers }, agent: false },
      (res) => {
        const pieces: Buffer[] = [];
        res.on('data', (piece: Buffer) => pieces.push(piece));
        res.on('error', reject);
        res.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          resolve({ status: res.statusCode!, headers: res.headers, rawHeaders: res.rawHeaders, body: text, json: () => JSON.parse(text) });
        });
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}

export function exchangeRaw(port: number, bytes: string, enough: (received: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setTimeout(10_000, () => socket.destroy(new Error(`nothing for 10 s; so far: ${received}`)));
    socket.on('data', (piece: Buffer) => {
      received += piece.toString('latin1');
      if (enough(received)) socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? undefined : reject(error),
    );
    socket.on('close', () => resolve(received));
  });
}

export interface Agent {
  port: number;
  server: Server;
  close(): Promise<void>;
}

/** An agent that speaks HTTP correctly. */
export async function startAgent(listener: RequestListener): Promise<Agent> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    server,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with what it received. */
export function echo(): RequestListener {
  return (req, res) => {
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => {
      res.setHeader('content-type', 'application/json');
      res.end(
        JSON.stringify({
          method: req.method,
          url: req.url,
          headers: req.headers,
          raw: req.rawHeaders,
          body: Buffer.concat(pieces).toString('latin1'),
        }),
      );
    });
  };
}

/** An agent whose sockets the test controls. */
export async function startRawAgent(onSocket: (socket: Socket) => void): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
