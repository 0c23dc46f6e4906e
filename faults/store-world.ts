import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Platform, Scope, Surroundings } from '../apps/server/test/platform.ts';
import { messageOf } from './message-of.ts';
import { ownPostgres } from './own-postgres.ts';
import { smallDisk } from './small-disk.ts';
import { tcpProxy } from './tcp-proxy.ts';
import { startWorld } from './world.ts';

/** An agent that builds for a second, starts within another one, and answers `up`. */
export const slow = {
  'package.json': JSON.stringify({ name: 'slow', version: '1.0.0', scripts: { build: 'sleep 1', start: 'node server.js' } }),
  'server.js': `setTimeout(() => require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT), 1000)`,
};

type Settings = Record<string, string>;
interface On extends Surroundings {
  postgres?: Record<string, string | number>;
  settings?: Settings;
  /** The database's files are on a disk of this size. */
  disk_mb?: number;
}

/** Paddock on a PostgreSQL of its own, with a proxy between them that breaks connections. */
export async function storeWorld(scope: Scope, { postgres: more = {}, settings = {}, disk_mb, ...around }: On = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-store-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'database'));
  const disk = disk_mb === undefined ? undefined : await smallDisk(join(folder, 'database'), disk_mb);
  scope.after(() => disk?.unmount());
  const database = await ownPostgres(join(folder, 'database'), more);
  scope.after(() => database.end());
  const proxy = await tcpProxy({ host: '127.0.0.1', port: database.port });
  scope.after(() => proxy.close());
  const direct = async () => database.url;
  const world = await startWorld(scope, settings, { databaseUrl: proxy.through(database.url), direct, ...around });
  return { world, paddock: world.paddock, database, proxy, disk };
}

/** The URL of the platform's embedded PostgreSQL. */
export async function embeddedUrl({ dataDir }: Platform) {
  const [secret, port] = await Promise.all(['postgres.secret', 'postgres.port'].map((name) => readFile(join(dataDir, name), 'utf8')));
  return `postgres://paddock:${secret!.trim()}@127.0.0.1:${port!.trim()}/paddock`;
}

export async function query<T>(url: string, ask: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await ask(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The outcome of one call, with or without a response. */
export interface Answer {
  status: number;
  code: string;
  retryAfter: string | null;
  body: Record<string, unknown>;
  ms: number;
}

type Call = { method?: string; path: string; body?: unknown; key?: string; form?: FormData; waitSeconds?: number };

/** A raw HTTP call, without a client that hides failures. */
export async function call(
  paddock: Pick<Platform, 'origin'>,
  token: string,
  { method = 'GET', path, body, key, form, waitSeconds = 90 }: Call,
): Promise<Answer> {
  const begun = performance.now();
  const response = await fetch(`${paddock.origin}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(key ? { 'idempotency-key': key } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
    signal: AbortSignal.timeout(waitSeconds * 1000),
  });
  const text = await response.text();
  const answer = text ? (JSON.parse(text) as Record<string, unknown>) : {};
  return {
    status: response.status,
    code: String(answer.code ?? ''),
    retryAfter: response.headers.get('retry-after'),
    body: answer,
    ms: performance.now() - begun,
  };
}

export function uploadForm(project_id: string, file: Blob) {
  const form = new FormData();
  form.set('project_id', project_id);
  form.set('code', file, 'agent.zip');
  return form;
}

/** Repeats the call until stopped; `holds` ends it early. Returns every outcome in order, a refused connection as status 0. */
export function callAll(one: () => Promise<Answer>, pauseMs = 50) {
  const answers: Answer[] = [];
  let done = false;
  const running = (async () => {
    for (let n = 0; !done && n < 20_000; n++) {
      answers.push(await one().catch((error: unknown) => ({ status: 0, code: messageOf(error), retryAfter: null, body: {}, ms: 0 })));
      await sleep(pauseMs);
    }
  })();
  return {
    answers,
    async stop() {
      done = true;
      await running;
      return answers;
    },
  };
}

/** Visits the agent until stopped, and collects every response that was not the agent's. */
export function visitAll(paddock: Platform, host: string, pauseMs = 20) {
  const wrong: string[] = [];
  let done = false;
  let visits = 0;
  const running = (async () => {
    for (; !done && visits < 100_000; visits++) {
      const seen = await paddock.visit(host).then(
        ({ status, body }) => `${status} ${body}`,
        (error: Error) => error.message,
      );
      if (seen !== '200 up') wrong.push(seen);
      await sleep(pauseMs);
    }
  })();
  return async () => {
    done = true;
    await running;
    return { wrong, visits };
  };
}
